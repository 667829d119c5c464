// Tested by unit/graph/graph_edit_test.cc.
#include "core/graph/plan_changes.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/graph/graph_builder.h"

namespace tideline {
namespace {

template <typename Change>
std::vector<Change> sorted_by_op(const std::vector<Change>& changes) {
  std::vector<Change> sorted = changes;
  const auto by_op = [](const Change& a, const Change& b) { return a.op < b.op; };
  // Mostly they are in order already.
  if (!std::is_sorted(sorted.begin(), sorted.end(), by_op)) {
    std::stable_sort(sorted.begin(), sorted.end(), by_op);
  }
  return sorted;
}

// What is left of `sorted` for `op`, which is taken.
template <typename Change>
std::span<const Change> take_of(const std::vector<Change>& sorted, OpId op, std::size_t& at) {
  const std::size_t first = at;
  while (at < sorted.size() && sorted[at].op == op) ++at;
  return {sorted.data() + first, at - first};
}

}  // namespace

Result<PlanChanges> PlanChanges::check(const Graph& graph, const GraphPlan& plan) {
  PlanChanges changes(graph, plan);
  if (plan.added.size() >= OpId::kNone - graph.op_count()) {
    return fail(Code::kInvalidArgument, "{} added ops are too many", plan.added.size());
  }
  changes.rerouted_ = plan.rerouted;
  std::stable_sort(changes.rerouted_.begin(), changes.rerouted_.end(),
                   [](const Reroute& a, const Reroute& b) {
                     return std::pair(a.op, a.slot) < std::pair(b.op, b.slot);
                   });
  changes.control_ = sorted_by_op(plan.control);
  changes.devices_ = sorted_by_op(plan.devices);
  changes.removed_control_ = plan.removed_control;
  std::sort(changes.removed_control_.begin(), changes.removed_control_.end(),
            [](const ControlEdge& a, const ControlEdge& b) {
              return std::pair(a.op, a.after) < std::pair(b.op, b.after);
            });
  changes.attributes_ = plan.attributes;
  std::stable_sort(changes.attributes_.begin(), changes.attributes_.end(),
                   [](const AttributeChange& a, const AttributeChange& b) {
                     return std::pair(a.op, a.key) < std::pair(b.op, b.key);
                   });
  TIDELINE_RETURN_IF_ERROR(changes.check_removed());
  TIDELINE_RETURN_IF_ERROR(changes.check_added());
  TIDELINE_RETURN_IF_ERROR(changes.check_rerouted());
  TIDELINE_RETURN_IF_ERROR(changes.check_control());
  TIDELINE_RETURN_IF_ERROR(changes.check_fields());
  TIDELINE_RETURN_IF_ERROR(changes.check_emptied());
  return changes;
}

OpChanges PlanChanges::take(OpId op) {
  return {take_of(rerouted_, op, at_.rerouted),
          take_of(control_, op, at_.control),
          take_of(removed_control_, op, at_.removed_control),
          take_of(devices_, op, at_.devices),
          take_of(attributes_, op, at_.attributes),
          is_emptied(op)};
}

bool PlanChanges::exists(TensorId tensor) const {
  return exists(tensor.op) && tensor.slot <= kMaxSlot;
}

std::string PlanChanges::shown(OpId op) const {
  if (!exists(op)) return fmt::format("number {}", op.value);
  return fmt::format("'{}'", printable(plan_->name(*graph_, op)));
}

Status PlanChanges::check_removed() {
  if (plan_->removed.empty()) return {};
  removed_.resize(graph_->op_count());
  for (const OpId op : plan_->removed) {
    if (!is_original(op)) {
      return fail(Code::kInvalidArgument, "op {} cannot be removed; expected an op of the graph",
                  shown(op));
    }
    if (removed_[op.index()]) {
      return fail(Code::kInvalidArgument, "op {} is removed twice", shown(op));
    }
    const std::string_view type = graph_->type(op);
    if (graph_->is_function_body() && (type == "_Arg" || type == "_Retval")) {
      return fail(Code::kInvalidArgument,
                  "op {} cannot be removed: it stands for an argument or result of the function",
                  shown(op));
    }
    removed_[op.index()] = true;
  }
  return {};
}

Status PlanChanges::check_added() const {
  for (const AddedOp& op : plan_->added) {
    const auto refuse = [&](const std::string& why) {
      return fail(Code::kInvalidArgument, "added op '{}' {}", printable(op.name), why);
    };
    if (const char* problem = op_name_problem(op.name)) return refuse(problem);
    if (op.copy_of.valid() ? !is_original(op.copy_of) : op.type.empty()) {
      return refuse("has no type; expected one, or an op of the graph to copy");
    }
    for (const TensorId input : plan_->inputs(op)) {
      if (!exists(input)) return refuse("reads an op that does not exist");
    }
    for (const OpId after : plan_->control_inputs(op)) {
      if (!exists(after)) return refuse("waits for an op that does not exist");
    }
  }
  return {};
}

// Whether `op`, of the graph, can be changed.
Status PlanChanges::check_op(OpId op, const char* what) const {
  if (!is_original(op)) {
    return fail(Code::kInvalidArgument, "op {}: {}, but it is no op of the graph", shown(op), what);
  }
  if (is_removed(op)) {
    return fail(Code::kInvalidArgument, "op {}: {}, but it is removed", shown(op), what);
  }
  return {};
}

Status PlanChanges::check_rerouted() const {
  const Reroute* last = nullptr;
  for (const Reroute& change : rerouted_) {
    TIDELINE_RETURN_IF_ERROR(check_op(change.op, "an input is rerouted"));
    const auto inputs = graph_->inputs(change.op);
    if (change.slot >= inputs.size()) {
      return fail(Code::kInvalidArgument, "op {}: input {} cannot be rerouted; it has {} inputs",
                  shown(change.op), change.slot, inputs.size());
    }
    if (inputs[change.slot] != change.from) {
      return fail(Code::kInvalidArgument,
                  "op {}: input {} reads '{}', not what the plan says; the plan is for another "
                  "graph",
                  shown(change.op), change.slot, graph_->tensor_name(inputs[change.slot]));
    }
    if (!exists(change.to)) {
      return fail(Code::kInvalidArgument, "op {}: input {} is to read an op that does not exist",
                  shown(change.op), change.slot);
    }
    if (last != nullptr && last->op == change.op && last->slot == change.slot) {
      return fail(Code::kInvalidArgument, "op {}: input {} is rerouted twice", shown(change.op),
                  change.slot);
    }
    last = &change;
  }
  return {};
}

Status PlanChanges::check_control() const {
  for (const ControlEdge& edge : control_) {
    if (!exists(edge.op) || !exists(edge.after)) {
      return fail(Code::kInvalidArgument, "op {} cannot wait for op {}; expected ops that exist",
                  shown(edge.op), shown(edge.after));
    }
    if (is_removed(edge.op)) {
      return fail(Code::kInvalidArgument, "op {}: a control input is added, but it is removed",
                  shown(edge.op));
    }
  }
  std::vector<OpId> listed;
  for (std::size_t i = 0; i < removed_control_.size(); ++i) {
    const ControlEdge& edge = removed_control_[i];
    const bool is_first = i == 0 || removed_control_[i - 1].op != edge.op;
    if (is_first) {
      TIDELINE_RETURN_IF_ERROR(check_op(edge.op, "a control input is removed"));
      const auto controls = graph_->control_inputs(edge.op);
      listed.assign(controls.begin(), controls.end());
      std::sort(listed.begin(), listed.end());
    } else if (removed_control_[i - 1].after == edge.after) {
      return fail(Code::kInvalidArgument, "op {}: the control input {} is removed twice",
                  shown(edge.op), shown(edge.after));
    }
    if (!std::binary_search(listed.begin(), listed.end(), edge.after)) {
      return fail(Code::kInvalidArgument,
                  "op {} does not wait for op {}; expected one of its control inputs to remove",
                  shown(edge.op), shown(edge.after));
    }
  }
  return {};
}

Status PlanChanges::check_fields() const {
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    TIDELINE_RETURN_IF_ERROR(check_op(devices_[i].op, "the device changes"));
    if (i > 0 && devices_[i - 1].op == devices_[i].op) {
      return fail(Code::kInvalidArgument, "op {}: the device is changed twice",
                  shown(devices_[i].op));
    }
  }
  for (std::size_t i = 0; i < attributes_.size(); ++i) {
    const AttributeChange& change = attributes_[i];
    const bool is_copy = exists(change.op) && !is_original(change.op) &&
                         plan_->at(*graph_, change.op).copy_of.valid();
    if (!is_copy) TIDELINE_RETURN_IF_ERROR(check_op(change.op, "an attribute changes"));
    if (i > 0 && attributes_[i - 1].op == change.op && attributes_[i - 1].key == change.key) {
      return fail(Code::kInvalidArgument, "op {}: attribute '{}' is changed twice",
                  shown(change.op), printable(change.key));
    }
  }
  return {};
}

Status PlanChanges::check_emptied() {
  if (plan_->emptied.empty()) return {};
  emptied_.resize(graph_->op_count());
  for (const OpId op : plan_->emptied) {
    TIDELINE_RETURN_IF_ERROR(check_op(op, "it is emptied"));
    const std::string_view type = graph_->type(op);
    if (graph_->is_function_body() && (type == "_Arg" || type == "_Retval")) {
      return fail(Code::kInvalidArgument,
                  "op {} cannot be emptied: it stands for an argument or result of the function",
                  shown(op));
    }
    if (emptied_[op.index()]) {
      return fail(Code::kInvalidArgument, "op {} is emptied twice", shown(op));
    }
    emptied_[op.index()] = true;
  }
  const auto refuse = [&](OpId op, const char* what) {
    return fail(Code::kInvalidArgument, "op {}: {}, but it is emptied", shown(op), what);
  };
  for (const Reroute& change : rerouted_) {
    if (is_emptied(change.op)) return refuse(change.op, "an input is rerouted");
  }
  for (const AttributeChange& change : attributes_) {
    if (is_emptied(change.op)) return refuse(change.op, "an attribute changes");
  }
  for (const AddedOp& op : plan_->added) {
    if (op.copy_of.valid() && is_emptied(op.copy_of)) return refuse(op.copy_of, "it is copied");
  }
  return check_unread();
}

// Whether no op reads an emptied one, after all changes.
Status PlanChanges::check_unread() const {
  const auto refuse = [&](std::string_view reader, OpId read) {
    return fail(Code::kInvalidArgument, "op '{}' reads op {}, which is emptied", printable(reader),
                shown(read));
  };
  std::size_t at = 0;
  for (const OpId op : graph_->ops()) {
    const auto inputs = graph_->inputs(op);
    for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
      OpId read = inputs[slot].op;
      while (at < rerouted_.size() && rerouted_[at].op < op) ++at;
      if (at < rerouted_.size() && rerouted_[at].op == op && rerouted_[at].slot == slot) {
        read = rerouted_[at++].to.op;
      }
      if (is_emptied(read) && !is_removed(op) && !is_emptied(op)) {
        return refuse(graph_->name(op), read);
      }
    }
  }
  for (const AddedOp& op : plan_->added) {
    for (const TensorId input : plan_->inputs(op)) {
      if (is_emptied(input.op)) return refuse(op.name, input.op);
    }
  }
  return {};
}

}  // namespace tideline
