#include "core/analysis/structure/conditionals.h"

#include <algorithm>
#include <map>

namespace tideline {

std::vector<Conditional> find_conditionals(const Graph& graph, const OpFactsTable& facts,
                                           const Conditions& conditions) {
  std::vector<Conditional> found;
  if (!conditions.any()) return found;
  std::map<TensorId, std::size_t> numbers;
  const auto of = [&](TensorId predicate) -> Conditional& {
    const auto [entry, added] = numbers.emplace(predicate, found.size());
    if (added) {
      found.emplace_back();
      found.back().predicate = predicate;
    }
    return found[entry->second];
  };
  for (const OpId op : graph.ops()) {
    if (const auto predicate = conditions.predicate_of(op)) of(*predicate).switches.push_back(op);
  }
  for (const OpId op : graph.ops()) {
    const auto branches = conditions.branches(conditions.of(op));
    for (const Conditions::Branch& branch : branches) {
      of(branch.predicate).branches.at(branch.side).push_back(op);
    }
    if (facts.of(graph, op).kind != OpKind::kMerge) continue;
    // Predicates that its inputs depend on but it does not: those that it merges.
    std::vector<TensorId> decided;
    for (const TensorId input : graph.inputs(op)) {
      for (const Conditions::Branch& branch : conditions.branches(conditions.of(input))) {
        const bool still = std::any_of(branches.begin(), branches.end(), [&](const auto& other) {
          return other.predicate == branch.predicate;
        });
        if (!still && decided.size() < 64 &&
            std::find(decided.begin(), decided.end(), branch.predicate) == decided.end()) {
          decided.push_back(branch.predicate);
        }
      }
    }
    for (const TensorId predicate : decided) of(predicate).merges.push_back(op);
  }
  return found;
}

std::vector<OpId> find_calls(const Graph& graph, const OpFactsTable& facts) {
  std::vector<OpId> calls;
  for (const OpId op : graph.ops()) {
    if (facts.of(graph, op).kind == OpKind::kCall) calls.push_back(op);
  }
  return calls;
}

}  // namespace tideline
