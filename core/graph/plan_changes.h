// The changes of a plan, validated against its graph and sorted by op.
#pragma once

#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/graph/graph_plan.h"

namespace tideline {

/// The changes to one op. An added op has only control edges and attributes.
struct OpChanges {
  std::span<const Reroute> rerouted;             ///< by slot
  std::span<const ControlEdge> control;          ///< as the plan has them
  std::span<const ControlEdge> removed_control;  ///< by id
  std::span<const DeviceChange> devices;         ///< one at most
  std::span<const AttributeChange> attributes;   ///< by key
  bool is_emptied = false;

  [[nodiscard]] bool has_inputs() const {
    return !rerouted.empty() || !control.empty() || !removed_control.empty();
  }
  [[nodiscard]] bool has_fields() const { return !devices.empty() || !attributes.empty(); }
};

/// Precondition: graph and plan outlive it, unchanged. Thread: not shared, because of `take`.
class PlanChanges {
 public:
  /// Errors (kInvalidArgument, naming the op): those of GraphEdit::commit, except duplicate names
  /// and removed ops that are still read. Cost: O(added ops + changes log changes).
  [[nodiscard]] static Result<PlanChanges> check(const Graph& graph, const GraphPlan& plan);

  /// The changes to `op`. Must be called once for every op, original and added, in order of ids.
  [[nodiscard]] OpChanges take(OpId op);

  [[nodiscard]] bool removes_ops() const { return !removed_.empty(); }
  [[nodiscard]] bool is_removed(OpId op) const {
    return op.index() < removed_.size() && removed_[op.index()];
  }

 private:
  PlanChanges(const Graph& graph, const GraphPlan& plan) : graph_(&graph), plan_(&plan) {}

  [[nodiscard]] bool exists(OpId op) const {
    return op.index() < graph_->op_count() + plan_->added.size();
  }
  [[nodiscard]] bool is_original(OpId op) const { return op.index() < graph_->op_count(); }
  [[nodiscard]] bool is_emptied(OpId op) const {
    return op.index() < emptied_.size() && emptied_[op.index()];
  }
  [[nodiscard]] bool exists(TensorId tensor) const;
  [[nodiscard]] std::string shown(OpId op) const;
  Status check_removed();
  Status check_added() const;
  Status check_op(OpId op, const char* what) const;
  Status check_rerouted() const;
  Status check_control() const;
  Status check_fields() const;
  Status check_emptied();
  Status check_unread() const;

  const Graph* graph_;
  const GraphPlan* plan_;
  // Sorted by op, then as OpChanges says. `at_` counts what `take` has returned of each.
  std::vector<Reroute> rerouted_;
  std::vector<ControlEdge> control_, removed_control_;
  std::vector<DeviceChange> devices_;
  std::vector<AttributeChange> attributes_;
  struct Taken {
    std::size_t rerouted = 0, control = 0, removed_control = 0, devices = 0, attributes = 0;
  } at_;
  std::vector<bool> removed_;  // by op of the graph; empty when none is
  std::vector<bool> emptied_;  // the same
};

}  // namespace tideline
