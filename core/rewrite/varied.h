// Parameters of a policy that are varied: their values as a user writes them, and all combinations.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/rewrite/rewriter.h"

namespace tideline {

/// The most plans of one sweep.
inline constexpr std::size_t kMostPlans = 10000;

/// A parameter and the values that it gets. Invariant: there is at least one, and they ascend.
struct Varied {
  const Parameter* parameter = nullptr;
  std::vector<Value> values = {};
};

/// What can be varied with `rewriter`: its numbers, the batch size and the device memory, each name
/// once. Cost: O(parameters).
[[nodiscard]] std::vector<const Parameter*> variable_parameters(const Rewriter& rewriter);

/// The name in "NAME=FIRST:LAST": all of a text without '='.
[[nodiscard]] std::string_view varied_name(std::string_view text);

/// Parses "NAME=FIRST:LAST", "NAME=FIRST:LAST:STEP" or "NAME=A,B,C", each value as on the command
/// line. A range ends at or before LAST; without STEP it counts by one, which sizes and shares
/// cannot. A list may be in any order. Errors: kInvalidArgument, with what was expected: no
/// parameter of the rewriter, a value that it cannot have, a range that is reversed, a step that is
/// not above 0, a value that stands twice, more than kMostPlans values.
[[nodiscard]] Result<Varied> parse_varied(const Rewriter& rewriter, const std::string& text);

/// The number of combinations. Errors: kInvalidArgument for a parameter that is varied twice, and
/// for more than kMostPlans.
[[nodiscard]] Result<std::size_t> count_combinations(std::span<const Varied> varied);
/// The values of combination `index`, by `varied`; the last parameter changes first. Precondition:
/// `index` is less than their number.
[[nodiscard]] std::vector<Value> combination(std::span<const Varied> varied, std::size_t index);

}  // namespace tideline
