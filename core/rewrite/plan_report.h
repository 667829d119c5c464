// What a rewriter says of its plan. User interfaces show a plan entirely through this.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/graph/cycle.h"
#include "core/graph/graph.h"
#include "core/graph/graph_plan.h"
#include "core/rewrite/lms/planned_swap.h"
#include "core/rewrite/step_parts.h"

namespace tideline {

struct PlanPrediction;

/// A number of things that a plan adds: 6 and "swap-out".
struct PlanCount {
  std::int64_t number = 0;
  std::string word;  ///< singular, or plural where it ends in s
};

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
  /// `predicted` is null where nothing was simulated.
  virtual void add_json(const Graph& graph, const GraphPlan& plan, const PlanPrediction* predicted,
                        nlohmann::ordered_json& json) const = 0;

  /// For people: a sentence or a row of a table each, with names as they are in the graph.
  [[nodiscard]] virtual std::vector<std::string> lines(const Graph& graph,
                                                       const GraphPlan& plan) const {
    static_cast<void>(graph);
    static_cast<void>(plan);
    return {};
  }
  /// What the reference logs, in its order.
  [[nodiscard]] virtual std::span<const std::string> log() const { return {}; }
  /// What was decided, op by op, for people; with `everything` also what was left as it is.
  [[nodiscard]] virtual std::vector<std::string> details(const Graph& graph, const GraphPlan& plan,
                                                         bool everything) const {
    static_cast<void>(graph);
    static_cast<void>(plan);
    static_cast<void>(everything);
    return {};
  }
  /// What the plan adds, in few words.
  [[nodiscard]] virtual std::vector<PlanCount> counts(const GraphPlan& plan) const {
    return {{static_cast<std::int64_t>(plan.added.size()), "ops"}};
  }

  /// The swaps; empty if the plan is about something else.
  [[nodiscard]] virtual std::span<const PlannedSwap> swaps() const { return {}; }
  /// Why there are none, for a place where they would be.
  [[nodiscard]] virtual std::string_view why_no_swaps() const {
    return "This plan is not about swaps.";
  }
  /// Tensors that could be swapped and stay, sorted; empty unless asked for.
  [[nodiscard]] virtual std::span<const KeptTensor> kept() const { return {}; }
  /// The rule that decided about `tensor`; empty if none did, or it was not asked for.
  [[nodiscard]] virtual std::string_view rule(TensorId tensor) const {
    static_cast<void>(tensor);
    return {};
  }
  /// What the plan does with `tensor` and why, a line each; empty if nothing is known.
  [[nodiscard]] virtual std::vector<std::string> why(const Graph& graph, const GraphPlan& plan,
                                                     TensorId tensor) const {
    static_cast<void>(graph);
    static_cast<void>(plan);
    static_cast<void>(tensor);
    return {};
  }

  /// Whether plan JSON has the digest of the graph that the plan gives, by which a graph is
  /// recognised when it is run. It costs a writing of the graph.
  [[nodiscard]] virtual bool has_written_digest() const { return true; }
  /// The runs that replace a step; nullopt if the graph is run as a step.
  [[nodiscard]] virtual std::optional<Cycle> cycle(const Graph& graph,
                                                   const GraphPlan& plan) const {
    static_cast<void>(graph);
    static_cast<void>(plan);
    return std::nullopt;
  }
  /// Bytes on the device by run of the cycle and by step of the run; empty where not known.
  [[nodiscard]] virtual std::span<const std::vector<Bytes>> run_memory() const { return {}; }
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
