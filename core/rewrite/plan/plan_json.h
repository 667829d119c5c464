// Plans as text for other programs: schema tideline.plan/1.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/rewrite/plan/graph_plan_json.h"
#include "core/rewrite/rewrite_plan.h"
#include "core/rewrite/rewriter.h"

namespace tideline {

/// Deterministic JSON with a final newline: changes (graph_plan_json.h), report, prediction and
/// warnings. `used` are the values that the plan was made with; `predicted` may be null.
[[nodiscard]] std::string plan_json(const Graph& graph, const RewritePlan& plan,
                                    const Rewriter& rewriter, const Values& used,
                                    const PlanHead& head,
                                    const PlanPrediction* predicted = nullptr);

/// A list of objects with kind, text, remedy, count and places.
[[nodiscard]] nlohmann::ordered_json warnings_json(const std::vector<Warning>& warnings);

}  // namespace tideline
