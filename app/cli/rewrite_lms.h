// What the rewriters of both LMS generations have in common on the command line.
#pragma once

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/policy_options.h"

namespace tideline::cli {

/// The options of every LMS mode; `policy.policy.mode` says which one it is.
struct LmsArguments {
  GraphArgument graph;
  OutputOptions output;
  PolicyArguments policy;
  int debug = 0;
  /// Whether reasons for tensors that stay will be shown.
  [[nodiscard]] bool wants_reasons() const { return !output.plan_path.empty() || debug >= 2; }
};
/// The options that both modes have.
void add_lms_arguments(const Command& command, LmsArguments& arguments);

/// Reads the graph, plans, says what will be done, applies the plan and writes. Returns the exit
/// code.
[[nodiscard]] int rewrite_lms(LmsArguments& arguments);

}  // namespace tideline::cli
