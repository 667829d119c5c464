// The text of an override of one tensor's swap-in: "conv1/Relu:0=7".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tideline {

inline constexpr std::string_view kAheadTensors = "ahead-tensors";

/// `tensor` is copied back `ahead` levels, in LMS v1 orders, before its first reader.
struct OwnAhead {
  std::string tensor;
  int ahead = 1;
};

/// Errors: kInvalidArgument naming the parameter and what was expected.
[[nodiscard]] Result<OwnAhead> parse_own_ahead(const std::string& text);
/// The inverse.
[[nodiscard]] std::string own_ahead_text(const OwnAhead& own);

/// Checks the values of {ahead-tensors}, as far as possible without a graph. Errors: those of
/// parse_own_ahead.
[[nodiscard]] Status check_aheads(const std::vector<std::string>& texts);

}  // namespace tideline
