#include "core/analysis/structure/variable_roles.h"

#include <algorithm>
#include <optional>

#include "core/analysis/structure/body_roles.h"
#include "core/analysis/structure/graph_facts.h"
#include "core/analysis/structure/variable_behind.h"
#include "core/graph/handle_attributes.h"

namespace tideline {
namespace {

class RoleSearch {
 public:
  RoleSearch(const GraphFacts& known, BodyRoles& bodies)
      : graph_(known.graph()),
        consumers_(known.consumers()),
        facts_(known.ops()),
        phases_(known.passes().phases()),
        calls_(known, bodies),
        number_of_(graph_.op_count(), kNone) {}

  std::vector<VariableUse> run() {
    for (const OpId op : graph_.ops()) {
      if (kind(op) == OpKind::kVariable || is_fed_handle(op)) {
        number_of_[op.index()] = static_cast<std::uint32_t>(found_.size());
        found_.push_back({});
        found_.back().variable = op;
      }
    }
    for (const OpId op : graph_.ops()) note(op);
    for (VariableUse& use : found_) use.role = own_role(use);
    for (VariableUse& use : found_) use.role = calls_.role_of(use.variable, use.role);
    if (phases_.updates.empty()) take_saved_roles();
    for (const OpId op : phases_.updates) {
      if (kind(op) == OpKind::kUpdate) {
        note_slots(op);
      } else {
        search_slots(op);
      }
    }
    return std::move(found_);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  [[nodiscard]] OpKind kind(OpId op) const { return facts_.of(graph_, op).kind; }

  // An argument of a function that ops read and write as a variable.
  [[nodiscard]] bool is_fed_handle(OpId op) const {
    if (kind(op) != OpKind::kPlaceholder) return false;
    const auto uses = consumers_.data(op);
    return std::any_of(uses.begin(), uses.end(), [&](Use use) {
      if (calls_.reads(use) || calls_.writes(use)) return true;
      const OpFacts& facts = facts_.of(graph_, use.consumer);
      const auto& handles = facts.resource_inputs;
      return facts.variable && std::find(handles.begin(), handles.end(), use.slot) != handles.end();
    });
  }

  // The variable behind input `slot` of `op`; null when there is none.
  VariableUse* behind(OpId op, std::uint32_t slot) {
    const OpId from = variable_behind(graph_, facts_, op, slot);
    if (!from.valid()) return nullptr;
    const std::uint32_t number = number_of_[from.index()];
    return number == kNone ? nullptr : &found_[number];
  }

  void note_call(OpId call) {
    const std::vector<std::uint32_t>& updated = calls_.updated(call);
    for (std::uint32_t slot = 0; slot < graph_.inputs(call).size(); ++slot) {
      VariableUse* use = behind(call, slot);
      if (use == nullptr) continue;
      if (calls_.reads({call, slot})) use->reads.push_back(call);
      if (!calls_.writes({call, slot})) continue;
      const bool is_update = std::binary_search(updated.begin(), updated.end(), slot);
      (is_update ? use->updates : use->assigns).push_back(call);
    }
  }

  void note(OpId op) {
    if (calls_.is_known(op)) return note_call(op);
    const OpFacts& facts = facts_.of(graph_, op);
    if (facts.kind == OpKind::kRead || facts.kind == OpKind::kView) {
      if (graph_.inputs(op).empty()) return;
      const std::uint32_t number = number_of_[graph_.inputs(op)[0].op.index()];
      if (number != kNone) found_[number].reads.push_back(op);
    } else if ((facts.kind == OpKind::kAssign || facts.kind == OpKind::kUpdate) && facts.variable) {
      VariableUse* use = behind(op, *facts.variable);
      if (use == nullptr) return;
      const bool is_update = std::binary_search(phases_.updates.begin(), phases_.updates.end(), op);
      (is_update ? use->updates : use->assigns).push_back(op);
    }
  }

  [[nodiscard]] bool forward_reads(const VariableUse& use) const {
    const auto is_forward = [&](OpId op) { return phases_.of(op) == Phase::kForward; };
    if (std::any_of(use.reads.begin(), use.reads.end(), [&](OpId read) {
          return is_forward(read) && !consumers_.data(read).empty();
        })) {
      return true;
    }
    const auto uses = consumers_.data(use.variable);
    return std::any_of(uses.begin(), uses.end(), [&](Use one) {
      const OpKind is = kind(one.consumer);
      if (calls_.is_known(one.consumer) && !calls_.reads(one)) return false;
      return is != OpKind::kRead && is != OpKind::kView && is_forward(one.consumer);
    });
  }

  [[nodiscard]] VariableRole own_role(const VariableUse& use) const {
    const bool has_step = std::any_of(use.updates.begin(), use.updates.end(),
                                      [&](OpId op) { return kind(op) == OpKind::kUpdate; });
    if (has_step || (!use.updates.empty() && forward_reads(use))) return VariableRole::kTrainable;
    if (!use.updates.empty()) return VariableRole::kSlot;
    if (forward_reads(use)) return VariableRole::kModel;
    // Counts steps: written after the update, with nothing of a gradient.
    const bool moves = std::any_of(use.assigns.begin(), use.assigns.end(),
                                   [&](OpId op) { return phases_.of(op) == Phase::kUpdate; });
    return moves ? VariableRole::kShared : VariableRole::kOther;
  }

  // In a function that trains nothing, what the SavedModel says of its variables counts.
  void take_saved_roles() {
    for (VariableUse& use : found_) {
      if (use.role != VariableRole::kModel || kind(use.variable) != OpKind::kPlaceholder) continue;
      const auto trainable = graph_.attribute(use.variable, kSavedTrainable);
      if (trainable && *trainable && (*trainable)->boolean) use.role = VariableRole::kTrainable;
    }
  }

  void note_slots(OpId op) {
    const OpFacts& facts = facts_.of(graph_, op);
    VariableUse* variable = facts.variable ? behind(op, *facts.variable) : nullptr;
    facts_.for_each_slot(graph_, op, facts.shared, [&](std::uint32_t slot) {
      VariableUse* shared = behind(op, slot);
      if (shared != nullptr && shared->role == VariableRole::kOther) {
        shared->role = VariableRole::kShared;
      }
    });
    if (variable == nullptr) return;
    facts_.for_each_slot(graph_, op, facts.slots, [&](std::uint32_t slot) {
      if (VariableUse* own = behind(op, slot)) attach(*variable, *own);
    });
  }

  static void attach(VariableUse& variable, VariableUse& slot) {
    if (&variable == &slot) return;
    slot.role = VariableRole::kSlot;
    if (slot.slot_of.valid()) return;
    slot.slot_of = variable.variable;
    variable.slots.push_back(slot.variable);
  }

  // A step in single ops: what goes into the write, back through the update.
  void search_slots(OpId write) {
    constexpr std::size_t kMostOps = 64;  // steps are short computations
    const OpFacts& facts = facts_.of(graph_, write);
    if (!facts.variable || !facts.value) return;
    VariableUse* variable = behind(write, *facts.variable);
    if (variable == nullptr || variable->role != VariableRole::kTrainable) return;
    std::vector<OpId> seen;
    const auto add = [&](OpId op) {
      if (phases_.of(op) == Phase::kUpdate && seen.size() < kMostOps &&
          std::find(seen.begin(), seen.end(), op) == seen.end()) {
        seen.push_back(op);
      }
    };
    for (const TensorId input : graph_.inputs(write)) add(input.op);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const OpKind is = kind(seen[i]);
      const bool touches_variable = is == OpKind::kRead || is == OpKind::kAssign ||
                                    is == OpKind::kUpdate ||
                                    (is == OpKind::kView && !graph_.inputs(seen[i]).empty() &&
                                     number_of_[graph_.inputs(seen[i])[0].op.index()] != kNone);
      if (touches_variable) {
        VariableUse* slot = behind(seen[i], 0);
        if (slot != nullptr && slot->role == VariableRole::kSlot) attach(*variable, *slot);
        if (slot != nullptr && slot->role == VariableRole::kOther && !slot->assigns.empty()) {
          slot->role = VariableRole::kShared;
        }
        continue;
      }
      for (const TensorId input : graph_.inputs(seen[i])) add(input.op);
    }
  }

  const Graph& graph_;
  const Consumers& consumers_;
  const OpFactsTable& facts_;
  const Phases& phases_;
  const CallsOfGraph calls_;
  std::vector<std::uint32_t> number_of_;  // by op; of variables
  std::vector<VariableUse> found_;
};

}  // namespace

const char* role_name(VariableRole role) {
  switch (role) {
    case VariableRole::kTrainable: return "trainable";
    case VariableRole::kSlot: return "slot";
    case VariableRole::kShared: return "shared";
    case VariableRole::kModel: return "model";
    case VariableRole::kOther: break;
  }
  return "other";
}

std::vector<VariableUse> find_variable_roles(const GraphFacts& facts) {
  BodyRoles bodies(
      [](const GraphFacts& body, BodyRoles& inner) { return RoleSearch(body, inner).run(); });
  return RoleSearch(facts, bodies).run();
}

}  // namespace tideline
