// What the modes of `rewrite` that choose by a policy have in common.
#pragma once

#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/policy_options.h"

namespace tideline::cli {

/// The options of such a mode; `policy.policy.rewriter` says which one it is.
struct ModeArguments {
  GraphArgument graph;
  OutputOptions output;
  PolicyArguments policy;
  std::string run_metadata;
  int debug = 0;
};
/// What is written and shown.
void add_result_options(const Command& command, ModeArguments& arguments);

/// Reads the graph; plans by the first policy, says what will be done and applies the plan; then
/// the same by each further policy for what the one before it gives; and writes. Returns the exit
/// code. Precondition: the policies are valid.
[[nodiscard]] int rewrite_mode(const ModeArguments& arguments, const std::vector<Policy>& policies);

}  // namespace tideline::cli
