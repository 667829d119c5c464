// Plans as text for other programs: schema tideline.plan/1.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.h"
#include "core/rewrite/graph_plan_json.h"
#include "core/rewrite/rewrite_plan.h"
#include "core/rewrite/rewriter.h"

namespace tideline {

/// Deterministic JSON with a final newline: changes (graph_plan_json.h) and report (of LMS, or
/// PlanReport). Lists are sorted by name.
/// `used` are the values that the plan was made with.
[[nodiscard]] std::string plan_json(const Graph& graph, const RewritePlan& plan,
                                    const Rewriter& rewriter, const Values& used,
                                    const PlanHead& head);

}  // namespace tideline
