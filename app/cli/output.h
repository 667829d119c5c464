// Writing a graph from the command line: the options of OUT, and the steps every writer takes.
#pragma once

#include <optional>
#include <string>

#include "app/cli/command_line.h"
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
};
/// -o, --force and --quiet. Where a plan can be all that is written, -o is not required.
void add_output(const Command& command, OutputOptions& output, bool is_required = true);
/// --tb, where a graph before and one after can be shown.
void add_log_output(const Command& command, OutputOptions& output);

/// What can be known of OUT before any work: its format by name (wrong: exit code 2), and whether
/// it may be written. Nothing when all is well, else the exit code after the message.
/// No output may be another one; plan and log may not be `input` either; something is written.
[[nodiscard]] std::optional<int> refuse_output(const OutputOptions& output,
                                               const std::string& input);

/// Writes what was asked for: `graph` with the surroundings of `document` to OUT, `plan`, a log;
/// all or none. Says on standard error what the format cannot hold.
[[nodiscard]] Status write_output(const OutputOptions& output, const io::Document& document,
                                  const Graph& graph, const std::string& plan, Progress& progress);

}  // namespace tideline::cli
