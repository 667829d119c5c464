// Problem: who only wants to know which variables are trainable waits for the passes of the graph,
// which cost more than all else that `inspect` finds out.
// Idea: a variable with an optimizer op is trainable, whatever feeds that op. Any other variable is
// only if a write to it depends on the seed of a backward pass. Seeds are among the ops that lead
// to gradients; so where nothing behind the other writes is among these, no such variable is.
//   ApplyMomentum(w, m, lr, grad)    w is trainable
//   Assign(w, zeros)                 zeros lead to no gradient: an initializer
//   AssignSub(average, moved)        leads to the gradients, too, by the loss: ask the passes
// Limits: functions and loops hand values on in other ways than edges: ask the passes. Source: own.
// Tested by unit/analysis/structure/applied_variables_test.cc, also against the roles of the
// corpus.
#include "core/analysis/structure/applied_variables.h"

#include <algorithm>

#include "core/analysis/structure/graph_facts.h"
#include "core/analysis/structure/variable_behind.h"
#include "core/graph/walks.h"

namespace tideline {
namespace {

class AppliedSearch {
 public:
  explicit AppliedSearch(const GraphFacts& known)
      : graph_(known.graph()),
        consumers_(known.consumers()),
        facts_(known.ops()),
        behind_writes_(graph_) {}

  std::optional<std::vector<OpId>> run() {
    std::vector<OpId> applied;
    std::vector<OpId> slots;
    for (const OpId op : graph_.ops()) {
      const OpFacts& facts = facts_.of(graph_, op);
      if (hides_edges(facts) || is_passed_handle(op)) return std::nullopt;
      if (facts.kind == OpKind::kAssign) add_write(op);
      if (facts.kind != OpKind::kUpdate || !facts.variable) continue;
      const OpId variable = variable_behind(graph_, facts_, op, *facts.variable);
      if (!variable.valid()) continue;
      if (facts_.of(graph_, variable).kind != OpKind::kVariable) return std::nullopt;
      applied.push_back(variable);
      facts_.for_each_slot(graph_, op, facts.slots, [&](std::uint32_t slot) {
        const OpId own = variable_behind(graph_, facts_, op, slot);
        if (own.valid() && own != variable) slots.push_back(own);
      });
    }
    if (!follow_writes()) return std::nullopt;
    std::sort(applied.begin(), applied.end());
    applied.erase(std::unique(applied.begin(), applied.end()), applied.end());
    // A slot that is itself trained is a slot, or is not: the order of the ops decides.
    for (const OpId slot : slots) {
      if (std::binary_search(applied.begin(), applied.end(), slot)) return std::nullopt;
    }
    return applied;
  }

 private:
  [[nodiscard]] static bool hides_edges(const OpFacts& facts) {
    return facts.kind == OpKind::kCall || facts.kind == OpKind::kContainer ||
           facts.kind == OpKind::kEnter || facts.popped.has_value();
  }

  // Its role may be one of those that a SavedModel tells.
  [[nodiscard]] bool is_passed_handle(OpId op) const {
    if (facts_.of(graph_, op).kind != OpKind::kPlaceholder) return false;
    const auto uses = consumers_.data(op);
    return std::any_of(uses.begin(), uses.end(), [&](Use use) {
      return !facts_.of(graph_, use.consumer).resource_inputs.empty();
    });
  }

  void add_write(OpId op) {
    const std::string_view type = graph_.type(op);
    combines_ = combines_ || (type != "Assign" && type != "AssignVariableOp");
    has_writes_ = true;
    behind_writes_.add_inputs(op, Edges::kData);
  }

  // A read that waits for a write gets what was written.
  void add_behind(OpWalk& walk, OpId op) const {
    const OpKind kind = facts_.of(graph_, op).kind;
    const bool reads = kind == OpKind::kRead || kind == OpKind::kView;
    walk.add_inputs(op, reads ? Edges::kDataAndControl : Edges::kData);
  }

  // False: a write other than the optimizer's may depend on a seed.
  [[nodiscard]] bool follow_writes() {
    while (const auto op = behind_writes_.next()) {
      const OpFacts& facts = facts_.of(graph_, *op);
      // Gradient ops begin a backward pass where no seed is found, and what is generated may be the
      // seed of a step that ends in plain subtractions.
      const bool may_begin = facts.kind == OpKind::kGradient || facts.kind == OpKind::kUpdate ||
                             (combines_ && facts.is_source);
      if (may_begin) return false;
      add_behind(behind_writes_, *op);
    }
    return !has_writes_ || !meets_gradients();
  }

  [[nodiscard]] bool meets_gradients() const {
    OpWalk behind_gradients(graph_);
    for (const OpId op : graph_.ops()) {
      const OpFacts& facts = facts_.of(graph_, op);
      if (facts.kind != OpKind::kGradient && facts.kind != OpKind::kUpdate) continue;
      facts_.for_each_slot(graph_, op, facts.gradients, [&](std::uint32_t slot) {
        behind_gradients.add(graph_.inputs(op)[slot].op);
      });
    }
    while (const auto op = behind_gradients.next()) {
      const bool is_variable = facts_.of(graph_, *op).kind == OpKind::kVariable;
      if (behind_writes_.has(*op) && !is_variable) return true;
      add_behind(behind_gradients, *op);
    }
    return false;
  }

  const Graph& graph_;
  const Consumers& consumers_;
  const OpFactsTable& facts_;
  OpWalk behind_writes_;  // the variables themselves included
  bool has_writes_ = false;
  bool combines_ = false;  // whether a write adds to what is there, or changes a part of it
};

}  // namespace

std::optional<std::vector<OpId>> find_applied_variables(const GraphFacts& facts) {
  return AppliedSearch(facts).run();
}

}  // namespace tideline
