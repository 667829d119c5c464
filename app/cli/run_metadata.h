// --run-metadata: a traced step of the graph, and the report about it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/cli/command_line.h"
#include "core/memory/measured/measured_run.h"

namespace tideline::cli {

void add_run_metadata(const Command& command, std::string& path);

void print_run_text(const MeasuredRun& run);
[[nodiscard]] nlohmann::ordered_json run_json(const MeasuredRun& run);
/// Prints a line for each execution, with both curves.
void print_run_csv(const Graph& graph, const MeasuredRun& run);

}  // namespace tideline::cli
