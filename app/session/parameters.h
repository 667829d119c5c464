// Every value of a policy under the name that the command line gives it: for actions, for undo
// titles, and for writing a policy down again.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/rewrite/policy.h"

namespace tideline::session {

enum class ParameterKind : std::uint8_t { kNumber, kRatio, kFlag, kSize, kText, kList };

/// One value. All texts are as on the command line: lists parted by commas, sizes as in "4GiB",
/// flags "on" and "off".
struct Parameter {
  std::string_view name;  ///< "swapout-threshold": the option without its dashes
  ParameterKind kind = ParameterKind::kNumber;
  bool is_lms1 = false;  ///< has an effect in this mode
  bool is_lms2 = false;
  std::string_view expected;  ///< "a whole number from 1 on, or -1 for none"
  std::string (*get)(const Policy& policy) = nullptr;
  /// Errors: kInvalidArgument; the policy is then as before.
  Status (*set)(Policy& policy, const std::string& text) = nullptr;

  [[nodiscard]] bool has_effect(PolicyMode mode) const {
    return (mode == PolicyMode::kLms1 && is_lms1) || (mode == PolicyMode::kLms2 && is_lms2);
  }
};

/// All of them, in the order in which the command line's help lists them.
[[nodiscard]] std::span<const Parameter> parameters();
/// Null when there is none of that name.
[[nodiscard]] const Parameter* find_parameter(std::string_view name);
/// Sets one. Errors: kInvalidArgument for an unknown name and for a value of the wrong kind; the
/// message names both and what was expected.
[[nodiscard]] Status set_parameter(Policy& policy, const std::string& name,
                                   const std::string& text);

/// "4GiB", "1000": a SIZE that parse_size takes for exactly `bytes`.
[[nodiscard]] std::string exact_size(Bytes bytes);
/// A whole number as the command line takes it: decimal, at most nine digits, not below `least`.
/// Errors: kInvalidArgument.
[[nodiscard]] Result<int> parse_number(const std::string& text, int least);
/// "on", "off". Errors: kInvalidArgument.
[[nodiscard]] Result<bool> parse_switch(const std::string& text);

}  // namespace tideline::session
