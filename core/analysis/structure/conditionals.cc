#include "core/analysis/structure/conditionals.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_set>

namespace tideline {
namespace {

// What tf.cond adds to its scope.
constexpr std::array<std::string_view, 2> kOfCond = {"/pred_id", "/switch_t"};

std::string_view scope_of(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? name : name.substr(0, slash);
}

bool is_made_by_cond(const Graph& graph, std::string_view scope) {
  return std::any_of(kOfCond.begin(), kOfCond.end(), [&](std::string_view op) {
    return graph.find(std::string(scope) + std::string(op)).valid();
  });
}

// The ops by whose scopes a conditional can be called.
std::vector<OpId> naming_ops(const Graph& graph, const Conditional& conditional) {
  const std::vector<OpId>& all =
      conditional.merges.empty() ? conditional.switches : conditional.merges;
  std::vector<OpId> made;
  std::copy_if(all.begin(), all.end(), std::back_inserter(made),
               [&](OpId op) { return is_made_by_cond(graph, scope_of(graph.name(op))); });
  return made.empty() ? all : made;
}

void add_names(const Graph& graph, std::vector<Conditional>& found) {
  std::vector<std::vector<OpId>> ops;
  std::map<std::string_view, std::size_t> first_with;  // by scope
  std::unordered_set<std::string_view> shared;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ops.push_back(naming_ops(graph, found[i]));
    for (const OpId op : ops.back()) {
      const std::string_view scope = scope_of(graph.name(op));
      if (first_with.emplace(scope, i).first->second != i) shared.insert(scope);
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::unordered_set<std::string_view> has;
    const auto add = [&](std::string_view name) {
      if (has.insert(name).second) found[i].names.emplace_back(name);
    };
    for (const OpId op : ops[i]) {
      const std::string_view scope = scope_of(graph.name(op));
      add(shared.contains(scope) ? graph.name(op) : scope);
    }
    add(graph.name(found[i].predicate.op));
  }
}

}  // namespace

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
  add_names(graph, found);
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
