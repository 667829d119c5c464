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
  std::string path;
  std::string plan_path;  ///< empty: no plan is written
  std::string log_path;   ///< folder of a log for TensorBoard; empty: none is written
  bool force = false;
  bool quiet = false;
};
void add_output(const Command& command, OutputOptions& output);

/// What can be known of OUT before any work: its format by name (wrong: exit code 2), and whether
/// it may be written. Nothing when all is well, else the exit code after the message.
/// No output may be another one; plan and log may not be `input` either.
[[nodiscard]] std::optional<int> refuse_output(const OutputOptions& output,
                                               const std::string& input);

/// Writes `graph` with the surroundings of `document` to OUT, and beside it `plan` and a log when
/// they were asked for; all or none. Says on standard error what the format cannot hold.
[[nodiscard]] Status write_output(const OutputOptions& output, const io::Document& document,
                                  const Graph& graph, const std::string& plan, Progress& progress);

}  // namespace tideline::cli
