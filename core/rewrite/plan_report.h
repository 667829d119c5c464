// What a rewriter other than LMS says of its plan: sections, towers.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/graph_plan.h"
#include "core/rewrite/step_parts.h"

namespace tideline {

/// Ids are those of the plan that the report belongs to; `graph` is the graph that the plan is for.
/// Thread: immutable.
class PlanReport {
 public:
  PlanReport() = default;
  virtual ~PlanReport() = default;
  PlanReport(const PlanReport&) = delete;
  PlanReport& operator=(const PlanReport&) = delete;

  /// The kind of the plan in plan JSON: "sections".
  [[nodiscard]] virtual std::string_view kind() const = 0;
  /// Adds the members of this kind to an object that has the head, the options and the changes.
  virtual void add_json(const Graph& graph, const GraphPlan& plan,
                        nlohmann::ordered_json& json) const = 0;
  /// For people: a sentence or a row of a table each, with names as they are in the graph.
  [[nodiscard]] virtual std::vector<std::string> lines(const Graph& graph,
                                                       const GraphPlan& plan) const = 0;
  /// Whether views show the graph that the plan gives: towers are not in the original.
  [[nodiscard]] virtual bool shows_result() const { return false; }
  /// Of the ops of `graph` or, if views show the result, of these and the added ones by their ids
  /// in the plan. May be empty. Precondition for the latter: the plan removes nothing.
  [[nodiscard]] virtual StepParts parts(const Graph& graph, const GraphPlan& plan) const {
    static_cast<void>(graph);
    static_cast<void>(plan);
    return {};
  }
};

}  // namespace tideline
