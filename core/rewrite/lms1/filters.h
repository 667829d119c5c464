// Rule 3 of LMS v1: the ops whose tensors may be swapped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/graph/graph.h"
#include "core/rewrite/lms1/options.h"

namespace tideline::lms1 {

/// Op types whose outputs are never swapped.
[[nodiscard]] bool is_fixed_type(std::string_view type);

enum class Verdict : std::uint8_t {
  kSource,
  kNotReachable,
  kExcludedByScope,
  kExcludedByType,
  kFixedType,
  kNotIncluded,
};

/// Verdicts by op. Scopes match whole path components, among the reachable ops; exclusion takes
/// precedence over inclusion. Errors: kNotFound, with the reference's message, for a scope or a
/// user-given type that matches no reachable op. Cost: O(ops x filters). Thread: pure.
[[nodiscard]] Result<std::vector<Verdict>> filter_sources(const Graph& graph,
                                                          const std::vector<bool>& is_reachable,
                                                          const Lms1Options& options);

/// The verdict on `op` as a phrase: "excluded by scope loss".
[[nodiscard]] std::string explain(const Graph& graph, const Lms1Options& options, Verdict verdict,
                                  OpId op);

}  // namespace tideline::lms1
