// The options of a policy, for every verb that has one: LMS v1, LMS v2, and what they share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "core/memory/device_profile.h"
#include "core/rewrite/policy.h"

namespace tideline::cli {

/// Comma lists and sizes as the command line says them.
struct Lms1Text {
  std::string optimizer_scopes, starting_op_names;
  std::string excl_scopes, incl_scopes, excl_types, incl_types;
  std::string ctrld_strategy = name_of(ControlStrategy::kChainRule);
};
struct Lms2Text {
  std::string serialization, serialization_by_size, gpu_device;
  std::string excl_output_by_scopes, excl_output_by_types;
  std::string excl_input_by_scopes, excl_input_by_types;
  std::string incl_output_by_scopes, incl_output_by_types;
  std::string incl_input_by_scopes, incl_input_by_types;
  bool inference = false;
};

/// As the command line says them; after `refuse_policy` in `policy`, as the core takes them.
struct PolicyArguments {
  Policy policy;
  std::optional<DeviceProfile> profile;  ///< of --device-profile

  std::string mode_name;  ///< of --policy; empty: the mode whose options are given, else off
  Lms1Text lms1;
  Lms2Text lms2;
  std::string cpu_device = "/cpu:0", keep_tensors, swap_tensors;
  bool guard_conditionals = false;
  std::string device_memory, host_memory, profile_name;
  double memory_ratio = kDefaultMemoryRatio;
  /// The options that say which mode is meant.
  std::vector<Option> lms1_options = {}, lms2_options = {};
};

/// What the modes share; then what each has of its own.
void add_shared_options(const Command& command, PolicyArguments& arguments);
void add_lms1_options(const Command& command, PolicyArguments& arguments);
void add_lms2_options(const Command& command, PolicyArguments& arguments);
/// All of them, and --policy.
void add_policy_options(const Command& command, PolicyArguments& arguments);
/// --model and --fetch, for automatic mode.
void add_search_options(const Command& command, SearchModel& search);

/// Fills `policy` and `profile`. Returns the exit code, and says why, when they are no good.
[[nodiscard]] std::optional<int> refuse_policy(PolicyArguments& arguments,
                                               const GraphArgument& graph);
/// The same for a verb that searches whatever the parameters: there has to be a budget.
[[nodiscard]] std::optional<int> refuse_search(PolicyArguments& arguments,
                                               const GraphArgument& graph);

}  // namespace tideline::cli
