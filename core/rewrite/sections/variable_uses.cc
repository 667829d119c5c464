// Tested by unit/rewrite/sections_test.cc.
#include "core/rewrite/sections/variable_uses.h"

#include <algorithm>
#include <tuple>

namespace tideline::sections {
namespace {

bool hands_buffer_on(OpKind kind) {
  return kind == OpKind::kView || kind == OpKind::kSwitch || kind == OpKind::kMerge ||
         kind == OpKind::kEnter || kind == OpKind::kExit || kind == OpKind::kNextIteration;
}

}  // namespace

VariableUses::VariableUses(const StepFacts& facts) : facts_(&facts) {
  std::vector<VariableAccess> found;
  for (const OpId op : facts.graph().ops()) {
    if (!facts.in_step(op) || !facts.is_variable(op)) continue;
    found.clear();
    follow(op, found);
    if (std::none_of(found.begin(), found.end(), [](const auto& use) { return use.writes; })) {
      continue;
    }
    std::sort(found.begin(), found.end(), [](const VariableAccess& a, const VariableAccess& b) {
      return std::tuple(a.op, !a.writes) < std::tuple(b.op, !b.writes);
    });
    found.erase(std::unique(found.begin(), found.end(),
                            [](const auto& a, const auto& b) { return a.op == b.op; }),
                found.end());
    written_.insert(written_.end(), found.begin(), found.end());
  }
}

void VariableUses::follow(OpId variable, std::vector<VariableAccess>& found) const {
  const Graph& graph = facts_->graph();
  std::vector<OpId> seen = {variable};
  for (std::size_t i = 0; i < seen.size(); ++i) {
    for (const Use use : facts_->consumers().data(seen[i])) {
      const OpId op = use.consumer;
      if (!facts_->in_step(op)) continue;
      const OpFacts& about = facts_->of(op);
      bool goes_on = hands_buffer_on(about.kind);
      if (!goes_on) {
        const bool takes_reference = graph.reads_reference(op, use.slot);
        bool writes = takes_reference;
        if (about.kind == OpKind::kAssign || about.kind == OpKind::kUpdate) {
          Arguments written = about.slots;
          if (about.variable) written.push_back(*about.variable);
          facts_->table().for_each_slot(
              graph, op, written, [&](std::uint32_t slot) { writes = writes || slot == use.slot; });
          goes_on = takes_reference;  // its output is the variable
        } else if (about.kind != OpKind::kRead && facts_->runs_once(op)) {
          writes = true;  // a function with effects, and what is not known
        }
        found.push_back({variable, op, writes});
      }
      if (goes_on && std::find(seen.begin(), seen.end(), op) == seen.end()) seen.push_back(op);
    }
  }
}

bool VariableUses::comes_after(OpId op, OpId before) const {
  std::vector<bool> seen(facts_->graph().op_count());
  std::vector<OpId> todo = {before};
  seen[before.index()] = true;
  while (!todo.empty()) {
    const OpId next = todo.back();
    todo.pop_back();
    const auto visit = [&](OpId reader) {
      if (seen[reader.index()] || !facts_->in_step(reader)) return;
      seen[reader.index()] = true;
      todo.push_back(reader);
    };
    for (const Use use : facts_->consumers().data(next)) visit(use.consumer);
    for (const OpId waiter : facts_->consumers().control(next)) visit(waiter);
    if (seen[op.index()]) return true;
  }
  return false;
}

}  // namespace tideline::sections
