// Writes a graph from the command line: the options for outputs, and the steps of all writing
// verbs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/front.h"
#include "app/engine/sized_graph.h"
#include "app/engine/step_log.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/graph/graph.h"
#include "core/io/document.h"

namespace tideline::cli {

struct OutputOptions {
  std::string path;       ///< empty: no graph is written
  std::string plan_path;  ///< empty: no plan is written
  std::string log_path;   ///< folder of a log for TensorBoard; empty: none is written
  bool force = false;
  bool quiet = false;
  std::vector<std::string> inputs = {};  ///< files and folders that are read beside the graph
  app::DrawPng draw_png = {};            ///< for the log; empty where no PNG can be drawn
};
/// -o, --force and --quiet. Where a plan can be all that is written, -o is not required.
void add_output(const Command& command, OutputOptions& output, bool is_required = true);
/// --tb, where a graph before and one after can be shown.
void add_log_output(const Command& command, OutputOptions& output);
/// The same with --force, for a verb that writes nothing else.
void add_only_log_output(const Command& command, OutputOptions& output);

/// Checks the outputs before any work: the format by name (exit code 2 if unknown), whether they
/// may be written, that they differ from one another, that plan and log are not `input`, and
/// that there is one.
/// Returns nullopt if they are acceptable; else prints a message and returns the exit code.
[[nodiscard]] std::optional<int> refuse_output(const OutputOptions& output,
                                               const std::string& input);

/// Writes `graph` with the surroundings of `document` to the output and, if requested, `plan` and a
/// log; all of them or none. Prints to standard error what the format cannot represent.
[[nodiscard]] Status write_output(const OutputOptions& output, const io::Document& document,
                                  const Graph& graph, const std::string& plan, Progress& progress,
                                  const app::StepLogs& logs = {});

/// What the log says of the steps of both graphs; nothing without --tb. `used`: the policy whose
/// values are the parameters of the run; null for none. `cycle`: of the plan that gives
/// `rewritten`. Errors: those of app::step_logs.
[[nodiscard]] Result<app::StepLogs> step_logs_for(const OutputOptions& output,
                                                  const app::SizedGraph& original,
                                                  const Graph& rewritten,
                                                  const std::optional<DeviceProfile>& profile,
                                                  const Policy* used, Progress& progress,
                                                  std::optional<Cycle> cycle = {});

/// Checks the log of a verb that writes nothing else, as refuse_output does.
[[nodiscard]] std::optional<int> refuse_log_output(const OutputOptions& output,
                                                   const std::string& input);

}  // namespace tideline::cli
