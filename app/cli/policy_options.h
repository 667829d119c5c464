// The options of a policy, for every verb that has one, made from the table of rewriters.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "core/memory/device_profile.h"
#include "core/rewrite/policy.h"

namespace tideline::cli {

/// An option of a rewriter's parameter, and what the user wrote there.
struct ParameterOption {
  const Parameter* parameter;
  const Rewriter* rewriter;  ///< the only one that it belongs to; null: several have it
  Option option;
};

/// As the command line says them; after `refuse_policy` in `policy`, as the core takes them.
/// Stays where it is once options have been added.
struct PolicyArguments {
  Policy policy;
  std::optional<DeviceProfile> profile;  ///< of --device-profile

  std::string rewriter;  ///< of --policy; empty: the one whose options are given, else off
  std::vector<ParameterOption> options = {};
  std::map<std::string_view, std::string> texts = {};  ///< by parameter
  std::map<std::string_view, bool> switches = {};
  std::vector<Option> budget_options = {};
  std::string device_memory, host_memory, profile_name;
  double memory_ratio = kDefaultMemoryRatio;
};

/// The options of one rewriter, as far as they are not there yet; with those of its memory budget
/// when it has a search.
void add_rewriter_options(const Command& command, const Rewriter& rewriter,
                          PolicyArguments& arguments);
/// Those of all rewriters, and --policy.
void add_policy_options(const Command& command, PolicyArguments& arguments);
/// --model and --fetch, for automatic mode.
void add_search_options(const Command& command, SearchModel& search);

/// Fills `policy` and `profile`. Returns the exit code, and says why, when they are no good.
[[nodiscard]] std::optional<int> refuse_policy(PolicyArguments& arguments);
/// The same for a verb that searches whatever the parameters: there has to be a budget, and
/// `policy.rewriter` says whose search it is.
[[nodiscard]] std::optional<int> refuse_search(PolicyArguments& arguments);

}  // namespace tideline::cli
