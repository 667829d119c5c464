// --run-metadata: a traced step of the graph, and the report about it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/cli/commands.h"
#include "core/io/document.h"
#include "core/memory/measured/measured_run.h"

namespace tideline::cli {

void add_run_metadata(const Command& command, std::string& path);

struct GraphAndRun {
  io::Document document;
  std::optional<MeasuredRun> run;  ///< nullopt without a path
};

/// Opens the graph and, if `path` is not empty, the traced step. --run and --tag apply to both
/// logs; a value that matches in only one of them applies to that one. Errors: those of open_graph,
/// open_trace and measure_run; messages begin with the path.
[[nodiscard]] Result<GraphAndRun> open_graph_and_run(const GraphArgument& graph,
                                                     const std::string& path, Progress& progress);

/// Fills run.comparison, with the faithful model of the whole graph with `sizes`.
[[nodiscard]] Status compare_run(const io::Document& document, TensorOptions sizes,
                                 const StepOptions& step, MeasuredRun& run);

void print_run_text(const MeasuredRun& run);
[[nodiscard]] nlohmann::ordered_json run_json(const MeasuredRun& run);
/// Prints a line for each execution, with both curves.
void print_run_csv(const Graph& graph, const MeasuredRun& run);

}  // namespace tideline::cli
