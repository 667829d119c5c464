// Tested by unit/analysis/as_run/decided_alike_test.cc.
#include "core/analysis/as_run/decided_alike.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>

#include "core/analysis/structure/graph_facts.h"
#include "core/graph/op_facts.h"

namespace tideline {
namespace {

class Values {
 public:
  Values(const GraphFacts& facts, const std::vector<FoldedOp>& folded)
      : facts_(facts), graph_(facts.graph()) {
    for (const FoldedOp& op : folded) {
      if (op.fold != Fold::kConstant) folded_.emplace(op.op, op);
    }
  }

  // The tensor that the value of `tensor` comes from.
  [[nodiscard]] TensorId origin(TensorId tensor) const {
    // A loop that hands a value around has no end.
    for (std::uint32_t step = 0; step < graph_.op_count(); ++step) {
      const TensorId before = source(tensor);
      if (before == tensor) break;
      tensor = before;
    }
    return tensor;
  }

 private:
  [[nodiscard]] TensorId source(TensorId tensor) const {
    const auto inputs = graph_.inputs(tensor.op);
    const OpFacts& about = facts_.ops().of(graph_, tensor.op);
    if (about.popped) return pushed(tensor);
    const bool hands_on = about.kind == OpKind::kSwitch || about.kind == OpKind::kEnter ||
                          (graph_.type(tensor.op) == "Identity");
    if (hands_on && !inputs.empty()) return inputs.front();
    const auto folded = folded_.find(tensor.op);
    if (folded == folded_.end()) return tensor;
    if (folded->second.fold == Fold::kMerged) return {folded->second.twin, tensor.slot};
    return tensor.slot == 0 && !inputs.empty() ? inputs.front() : tensor;
  }

  [[nodiscard]] TensorId pushed(TensorId tensor) const {
    const std::uint32_t stack = facts_.stacks().stack_of(tensor.op);
    if (stack == StackLinks::kNone || facts_.stacks().pushes(stack).size() != 1) return tensor;
    const OpId push = facts_.stacks().pushes(stack).front();
    const auto value = facts_.ops().of(graph_, push).value;
    const auto slots = value ? argument_slots(graph_, push, *value) : std::nullopt;
    return slots && slots->count == 1 ? graph_.inputs(push)[slots->first] : tensor;
  }

  const GraphFacts& facts_;
  const Graph& graph_;
  std::map<OpId, FoldedOp> folded_;
};

template <typename T>
void append(const std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

void add(const Conditional& from, Conditional& to) {
  append(from.switches, to.switches);
  append(from.merges, to.merges);
  append(from.branches[0], to.branches[0]);
  append(from.branches[1], to.branches[1]);
  append(from.names, to.names);
}

// Each op and each name once, ops in file order.
void tidy(Conditional& conditional) {
  for (auto* ops : {&conditional.switches, &conditional.merges, &conditional.branches[0],
                    &conditional.branches[1]}) {
    std::sort(ops->begin(), ops->end());
    ops->erase(std::unique(ops->begin(), ops->end()), ops->end());
  }
  std::unordered_set<std::string> met;
  std::erase_if(conditional.names,
                [&](const std::string& name) { return !met.insert(name).second; });
}

}  // namespace

std::vector<Conditional> decided_alike(const GraphFacts& facts, const std::vector<FoldedOp>& folded,
                                       std::vector<Conditional> found) {
  if (found.empty()) return found;
  const Values values(facts, folded);
  std::vector<Conditional> alike;
  std::map<TensorId, std::size_t> numbers;
  for (Conditional& conditional : found) {
    const TensorId predicate = values.origin(conditional.predicate);
    const auto [entry, is_first] = numbers.emplace(predicate, alike.size());
    if (is_first) {
      alike.push_back(std::move(conditional));
      alike.back().predicate = predicate;
    } else {
      add(conditional, alike[entry->second]);
    }
  }
  for (Conditional& conditional : alike) {
    conditional.names.emplace_back(facts.graph().name(conditional.predicate.op));
    tidy(conditional);
  }
  return alike;
}

}  // namespace tideline
