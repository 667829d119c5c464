// --run-metadata: a traced step beside the graph, and what is said about it.
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
  std::optional<MeasuredRun> run;  ///< nothing without a path
};

/// Opens the graph, and the traced step when `path` is not empty. --run and --tag choose in both
/// logs; one that fits only one of them counts for that one. Errors: those of open_graph,
/// open_trace and measure_run; messages begin with the path.
[[nodiscard]] Result<GraphAndRun> open_graph_and_run(const GraphArgument& graph,
                                                     const std::string& path, Progress& progress);

/// Fills run.comparison: the faithful model with `sizes` on the whole graph.
[[nodiscard]] Status compare_run(const io::Document& document, TensorOptions sizes,
                                 const StepOptions& step, MeasuredRun& run);

void print_run_text(const MeasuredRun& run);
[[nodiscard]] nlohmann::ordered_json run_json(const MeasuredRun& run);
/// A line for each execution, both curves side by side.
void print_run_csv(const Graph& graph, const MeasuredRun& run);

}  // namespace tideline::cli
