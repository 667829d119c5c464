// Inlining as JSON: the plan by which it is applied, and what became of the calls.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/graph/graph.h"
#include "core/rewrite/inline/inlining.h"
#include "core/rewrite/plan/graph_plan_json.h"

namespace tideline {

/// The plan of kind `inline` for `graph`, the original, with `inlined` and `kept`.
[[nodiscard]] std::string inlining_plan_json(const Graph& graph, const Inlining& inlining,
                                             const PlanHead& head);

/// An object with the number of `calls` and of their `ops`, and `kept`: op, function and reason.
[[nodiscard]] nlohmann::ordered_json inlining_json(const Inlining& inlining);

}  // namespace tideline
