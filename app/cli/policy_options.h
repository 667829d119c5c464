// The options of a policy, for every verb that has one, generated from the table of rewriters.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "core/memory/device_profile.h"
#include "core/rewrite/policy.h"

namespace tideline::cli {

/// The option of a rewriter's parameter.
struct ParameterOption {
  const Parameter* parameter;
  const Rewriter* rewriter;  ///< the only one that has it; null if several have it
  Option option;
};

/// Values as given on the command line; `refuse_policy` converts them to `policy`. Must not be
/// moved once options have been added.
struct PolicyArguments {
  Policy policy;
  std::optional<DeviceProfile> profile;  ///< of --device-profile

  std::string rewriter;  ///< of --policy; empty: the one whose options are given, else off
  std::vector<ParameterOption> options = {};
  std::map<std::string_view, std::string> texts = {};  ///< by parameter
  std::map<std::string_view, bool> switches = {};
  std::vector<Option> budget_options = {};
  std::string device_memory, host_memory, profile_name;
  std::string memory_ratio;
  std::string cluster;  ///< a file, or TF_CONFIG; empty: one machine
};

/// Adds the options of one rewriter that are not there yet, and those of the memory budget if it
/// has a search.
void add_rewriter_options(const Command& command, const Rewriter& rewriter,
                          PolicyArguments& arguments);
/// Adds the options of all rewriters, and --policy.
void add_policy_options(const Command& command, PolicyArguments& arguments);
/// Adds --model and --fetch, for automatic mode.
void add_search_options(const Command& command, SearchModel& search);

/// Fills `policy` and `profile`. If they are invalid, prints why and returns the exit code.
[[nodiscard]] std::optional<int> refuse_policy(PolicyArguments& arguments);
/// The same as refuse_policy for a verb that gives values to some parameters itself, and never
/// searches: nothing is said of what is missing or out of range, and a budget is that of
/// --device-memory alone.
[[nodiscard]] std::optional<int> refuse_given(PolicyArguments& arguments);
/// How the steps of the graph are run, as the options say; after refuse_policy.
[[nodiscard]] RunModel run_of(const GraphArgument& graph, const PolicyArguments& arguments);
/// The same as refuse_policy for a verb that always searches: a budget is required, and
/// `policy.rewriter` is the rewriter whose search it is.
[[nodiscard]] std::optional<int> refuse_search(PolicyArguments& arguments);

}  // namespace tideline::cli
