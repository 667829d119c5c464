// Access to everything in a policy by name: the parameters of all rewriters, of the memory budget
// and of its search.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/rewrite/policy.h"

namespace tideline {

/// All parameters, each name once: first the rewriters' in the order of the table, then the
/// budget's.
[[nodiscard]] std::vector<const Parameter*> policy_parameters();
/// The budget's alone: device-memory, host-memory, memory-ratio, model.
[[nodiscard]] std::span<const Parameter> budget_parameters();
[[nodiscard]] bool is_budget_parameter(std::string_view name);
/// The parameter called `name`, or null.
[[nodiscard]] const Parameter* find_policy_parameter(std::string_view name);

/// Whether the value has an effect on the chosen rewriter.
[[nodiscard]] bool has_effect(const Policy& policy, const Parameter& parameter);

/// Leaves to a search whatever it can find. Precondition: the chosen rewriter has a search.
void leave_to_search(Policy& policy);

/// The value as written on the command line.
[[nodiscard]] std::string parameter_text(const Policy& policy, const Parameter& parameter);
/// Whether the parameter has its default value.
[[nodiscard]] bool is_default(const Policy& policy, const Parameter& parameter);

/// Sets a parameter from its form on the command line. Errors: kInvalidArgument for an unknown name
/// or a value of the wrong kind, naming both and what was expected; the policy is then unchanged.
[[nodiscard]] Status set_parameter(Policy& policy, const std::string& name,
                                   const std::string& text);

}  // namespace tideline
