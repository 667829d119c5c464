// --run-metadata: a traced step of the graph, and the report about it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/cli/command_line.h"
#include "core/memory/measured/measured_run.h"
#include "core/memory/timeline.h"

namespace tideline::cli {

void add_run_metadata(const Command& command, std::string& path);

/// `step` is the simulated step without swaps. On the compatible model, which has no resident
/// memory, only what the step allocates is told.
void print_run_text(const MeasuredRun& run, const MemoryTimeline& step);
[[nodiscard]] nlohmann::ordered_json run_json(const MeasuredRun& run, const MemoryTimeline& step);
/// Prints a line for each execution, with both curves.
void print_run_csv(const Graph& graph, const MeasuredRun& run);

}  // namespace tideline::cli
