// Everything that can be set in a policy, by name: the parameters of all rewriters, and those of
// the memory budget and its search.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/rewrite/policy.h"

namespace tideline {

/// Each name once: the parameters of the rewriters in the order of the table, then those of the
/// budget.
[[nodiscard]] std::vector<const Parameter*> policy_parameters();
/// Those of the budget alone: device-memory, host-memory, memory-ratio, model.
[[nodiscard]] std::span<const Parameter> budget_parameters();
[[nodiscard]] bool is_budget_parameter(std::string_view name);
/// Null when there is none of that name.
[[nodiscard]] const Parameter* find_policy_parameter(std::string_view name);

/// Whether the value makes a difference for the chosen rewriter.
[[nodiscard]] bool has_effect(const Policy& policy, const Parameter& parameter);

/// The value in the form of the command line.
[[nodiscard]] std::string parameter_text(const Policy& policy, const Parameter& parameter);
[[nodiscard]] bool is_default(const Policy& policy, const Parameter& parameter);

/// Sets one from the form of the command line. Errors: kInvalidArgument for an unknown name and for
/// a value of the wrong kind, the policy is then as before; the message names both and what was
/// expected.
[[nodiscard]] Status set_parameter(Policy& policy, const std::string& name,
                                   const std::string& text);

}  // namespace tideline
