// The options of LMS v1.
#include <limits>

#include "app/cli/policy_options.h"

namespace tideline::cli {
namespace {

void add_scopes(const Command& command, PolicyArguments& options) {
  command
      .add_option("--optimizer-scopes", options.lms1.optimizer_scopes,
                  "The backward phase: ops whose names begin with one of these")
      .type_name("LIST");
  command
      .add_option("--starting-scope", options.policy.lms1.starting_scope,
                  "Look for tensors from the ops on whose names begin with this")
      .type_name("SCOPE");
  command
      .add_option("--starting-op-names", options.lms1.starting_op_names,
                  "... and from these ops on (default: found by themselves)")
      .type_name("LIST");
  const auto add = [&](const char* name, std::string& value, const char* help) {
    command.add_option(name, value, help).type_name("LIST").group("Filters (comma lists)");
  };
  add("--excl-scopes", options.lms1.excl_scopes,
      "Never swap outputs of ops in one of these scopes");
  add("--excl-types", options.lms1.excl_types, "... of these op types");
  add("--incl-scopes", options.lms1.incl_scopes, "Swap only outputs of ops in one of these scopes");
  add("--incl-types", options.lms1.incl_types, "... or of these op types");
}

void add_parameters(const Command& command, PolicyArguments& options) {
  Lms1Options& lms = options.policy.lms1;
  const auto add_number = [&](const char* name, int& value, const char* help) {
    command.add_option(name, value, help)
        .check(whole_number(std::numeric_limits<std::int64_t>::min()))
        .type_name("N")
        .show_default();
  };
  add_number("--n-tensors", lms.n_tensors, "Swap at most N tensors (-1: all, 0: LMS is off)");
  add_number("--lb", lms.lb, "Bring a tensor back at least N ops before its consumer");
  add_number("--ub", lms.ub, "... and less than N");
  command.add_flag("--fuse-swapins", lms.fuse_swapins,
                   "All backward consumers of a tensor share one swap-in");
  command
      .add_option("--ctrld-strategy", options.lms1.ctrld_strategy,
                  "How the op that a swap-in waits for is found: chain_rule or direct_order")
      .show_default();
  command.add_flag("--swap-branches", lms.swap_branches,
                   "Also swap for forward consumers that come late");
  add_number("--branch-threshold", lms.branch_threshold,
             "... more than N orders after the first forward consumer");
}

}  // namespace

void add_lms1_options(const Command& command, PolicyArguments& arguments) {
  const std::size_t before = command.options().size();
  add_scopes(command, arguments);
  add_parameters(command, arguments);
  const auto options = command.options();
  arguments.lms1_options.assign(options.begin() + static_cast<std::ptrdiff_t>(before),
                                options.end());
}

}  // namespace tideline::cli
