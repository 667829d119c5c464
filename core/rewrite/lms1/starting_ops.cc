// Problem: unless the user says otherwise, the forward pass begins at the ops from which most of
// what the backward pass reads can be reached. The reference searches forward from every op that a
// backward op reads and counts, which is quadratic.
// Idea: an op reached by another such op has a strictly lower count than that one: so only ops that
// no other one reaches can win (the roots). The counts are computed for 512 roots at a time: each
// op gets a set of 512 bits, the roots that lead to it, and one sweep in topological order
// propagates them. Bits are summed by column as in long addition, with one word for each binary
// digit of 64 counts.
// Loops make the forward graph cyclic; ops on a common cycle reach the same ops, and are merged
// into components first (Tarjan 1972), which are found in reverse topological order.
// Cost: O((ops + edges) x (1 + roots / 512)). Source: IBM TFLMS v1, lms.py (rules only).
// Tested by unit/rewrite/lms1_test.cc and by property/lms1_property.cc against plain searches.
#include "core/rewrite/lms1/starting_ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/structure/phases.h"
#include "core/analysis/structure/scopes.h"
#include "core/base/text.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/nearest_names.h"

namespace tideline::lms1 {
namespace {

// Strongly connected components of the forward ops; loops form components of several ops.
// Problem: counting reachable ops needs an order in which everything follows its predecessors,
// which the back edges of loops prevent. Idea: Tarjan's algorithm with an explicit stack: in a
// depth-first search each op remembers the earliest op on the path that it leads back to; an op
// that leads back no further than to itself completes a component. Components are completed sinks
// first.
// Cost: O(ops + edges). Source: Tarjan, "Depth-first search and linear graph algorithms", 1972.
// Tested by unit/rewrite/lms1_test.cc (starting ops of a graph with a loop).

// The strongly connected components of the forward ops under data edges, numbered so that every
// edge leads to a smaller number. Without loops each op is its own component.
// Cost: O(ops + edges). Thread: immutable once built.
class Components {
 public:
  /// Ops marked in `is_backward` are left out.
  Components(const Graph& graph, const Consumers& consumers, const std::vector<bool>& is_backward);

  [[nodiscard]] std::uint32_t count() const { return count_; }
  /// Precondition: `op` is a forward op.
  [[nodiscard]] std::uint32_t of(OpId op) const { return component_[op.index()]; }
  /// Components that ops of `component` feed, possibly with duplicates.
  [[nodiscard]] std::span<const std::uint32_t> successors(std::uint32_t component) const {
    return {successors_.data() + first_[component], first_[component + 1] - first_[component]};
  }

 private:
  void find(const Graph& graph, const Consumers& consumers, const std::vector<bool>& is_backward);
  void link(const Graph& graph, const Consumers& consumers, const std::vector<bool>& is_backward);

  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> component_;  // by op
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> successors_;
};

constexpr std::uint32_t kNone = 0xffffffffU;

Components::Components(const Graph& graph, const Consumers& consumers,
                       const std::vector<bool>& is_backward)
    : component_(graph.op_count(), kNone) {
  find(graph, consumers, is_backward);
  link(graph, consumers, is_backward);
}

void Components::find(const Graph& graph, const Consumers& consumers,
                      const std::vector<bool>& is_backward) {
  struct Visit {
    OpId op;
    std::size_t next = 0;  // use to look at
  };
  std::vector<std::uint32_t> number(graph.op_count(), kNone);
  std::vector<std::uint32_t> earliest(graph.op_count());
  std::vector<OpId> open;  // visited, component not closed yet
  std::vector<Visit> path;
  std::uint32_t visited = 0;
  const auto enter = [&](OpId op) {
    number[op.index()] = earliest[op.index()] = visited++;
    open.push_back(op);
    path.push_back({op});
  };
  const auto close = [&](OpId op) {
    while (true) {
      const OpId member = open.back();
      open.pop_back();
      component_[member.index()] = count_;
      if (member == op) break;
    }
    ++count_;
  };
  for (const OpId root : graph.ops()) {
    if (is_backward[root.index()] || number[root.index()] != kNone) continue;
    enter(root);
    while (!path.empty()) {
      const OpId op = path.back().op;
      const auto uses = consumers.data(op);
      if (path.back().next < uses.size()) {
        const OpId next = uses[path.back().next++].consumer;
        if (is_backward[next.index()]) continue;
        if (number[next.index()] == kNone) {
          enter(next);
        } else if (component_[next.index()] == kNone) {
          earliest[op.index()] = std::min(earliest[op.index()], number[next.index()]);
        }
        continue;
      }
      path.pop_back();
      if (earliest[op.index()] == number[op.index()]) close(op);
      if (path.empty()) continue;
      const std::size_t parent = path.back().op.index();
      earliest[parent] = std::min(earliest[parent], earliest[op.index()]);
    }
  }
}

void Components::link(const Graph& graph, const Consumers& consumers,
                      const std::vector<bool>& is_backward) {
  const auto for_each_edge = [&](const auto& visit) {
    for (const OpId op : graph.ops()) {
      if (is_backward[op.index()]) continue;
      std::uint32_t last = kNone;  // readers of two outputs are neighbours in the list
      for (const Use use : consumers.data(op)) {
        if (is_backward[use.consumer.index()]) continue;
        const std::uint32_t to = of(use.consumer);
        if (to == of(op) || to == last) continue;
        last = to;
        visit(of(op), to);
      }
    }
  };
  first_.assign(count_ + 2, 0);
  for_each_edge([&](std::uint32_t from, std::uint32_t) { ++first_[from + 2]; });
  for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
  successors_.resize(first_.back());
  for_each_edge(
      [&](std::uint32_t from, std::uint32_t to) { successors_[first_[from + 1]++] = to; });
}

// The scopes of a graph that --optimizer-scopes is meant for.
// Tested by unit/rewrite/lms1_options_test.cc.

constexpr std::size_t kMostListed = 5;

struct Found {
  std::int64_t backward = 0;
  std::string_view path;
};

Phases phases_of(const Graph& graph) {
  const OpFactsTable facts = OpFactsTable::for_graph(graph);
  const Consumers consumers(graph);
  const StackLinks stacks(graph, facts);
  return find_phases(graph, consumers, facts, stacks, find_gradient_flow(graph, facts, stacks),
                     CalledHandles(nullptr));
}

// Scopes that hold ops of the backward pass or updates, and no op of the forward pass; of nested
// ones the outermost. Those with the most ops of the backward pass come first. Cost: that of
// find_phases. Thread: pure.
std::vector<std::string> find_optimizer_scopes(const Graph& graph) {
  const Phases phases = phases_of(graph);
  const ScopeTree tree = find_scopes(graph);
  std::vector<Found> found;
  std::vector<std::uint32_t> todo = {0};
  while (!todo.empty()) {
    const Scope& scope = tree.scopes[todo.back()];
    todo.pop_back();
    std::array<std::int64_t, kPhaseCount> count = {};
    for (const OpId op : tree.all_ops(scope)) ++count[static_cast<std::size_t>(phases.of(op))];
    const auto of = [&](Phase phase) { return count[static_cast<std::size_t>(phase)]; };
    if (of(Phase::kBackward) + of(Phase::kUpdate) == 0) continue;
    if (of(Phase::kForward) == 0 && !scope.path.empty()) {
      found.push_back({of(Phase::kBackward), scope.path});
      continue;
    }
    for (const std::uint32_t child : tree.child_scopes(scope)) todo.push_back(child);
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return a.backward != b.backward ? a.backward > b.backward : a.path < b.path;
  });
  std::vector<std::string> paths;
  for (const Found& entry : found) paths.emplace_back(entry.path);
  return paths;
}

// The same as the end of a message: " The backward phase is in the scopes: 'gradients', 'Adam'."
// Empty when there are none.
std::string optimizer_scopes_text(const Graph& graph) {
  const std::vector<std::string> scopes = find_optimizer_scopes(graph);
  if (scopes.empty()) return "";
  std::string list;
  for (std::size_t i = 0; i < std::min(kMostListed, scopes.size()); ++i) {
    list += fmt::format("{}'{}'", list.empty() ? "" : ", ", printable(scopes[i]));
  }
  if (scopes.size() > kMostListed) list += fmt::format(" and {} more", scopes.size() - kMostListed);
  return fmt::format(" The backward phase is in {}: {}.",
                     scopes.size() == 1 ? "the scope" : "the scopes", list);
}

constexpr std::size_t kWords = 8;
using Bits = std::array<std::uint64_t, kWords>;

bool any(const Bits& bits) {
  std::uint64_t all = 0;
  for (const std::uint64_t word : bits) all |= word;
  return all != 0;
}

// 512 counters, stored by binary digit.
class Counters {
 public:
  // Adds 2^digit to the counter of every set bit.
  void add(Bits bits, std::size_t digit) {
    for (; digit < digits_.size() && any(bits); ++digit) {
      for (std::size_t i = 0; i < kWords; ++i) {
        const std::uint64_t carry = digits_[digit][i] & bits[i];
        digits_[digit][i] ^= bits[i];
        bits[i] = carry;
      }
    }
  }
  [[nodiscard]] std::uint32_t count(std::size_t bit) const {
    std::uint32_t value = 0;
    for (std::size_t digit = 0; digit < digits_.size(); ++digit) {
      const std::uint64_t word = digits_[digit][bit / 64];
      value |= static_cast<std::uint32_t>(word >> (bit % 64) & 1U) << digit;
    }
    return value;
  }

 private:
  std::array<Bits, 32> digits_ = {};
};

// Counts for every root how many candidates it leads to, its own component's included.
class RootCounts {
 public:
  RootCounts(const Components& components, const std::vector<std::uint32_t>& candidates)
      : components_(components), candidates_(candidates), masks_(components.count()) {}

  void count(std::span<const std::uint32_t> roots, std::vector<std::uint32_t>& counts) {
    std::fill(masks_.begin(), masks_.end(), Bits{});
    std::uint32_t highest = 0;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      masks_[roots[i]][i / 64] |= std::uint64_t{1} << (i % 64);
      highest = std::max(highest, roots[i]);
    }
    Counters counters;
    // Successors have smaller numbers.
    for (std::uint32_t at = highest + 1; at-- > 0;) {
      const Bits& mask = masks_[at];
      if (!any(mask)) continue;
      for (std::uint32_t rest = candidates_[at]; rest != 0; rest &= rest - 1) {
        counters.add(mask, static_cast<std::size_t>(std::countr_zero(rest)));
      }
      for (const std::uint32_t next : components_.successors(at)) {
        for (std::size_t i = 0; i < kWords; ++i) masks_[next][i] |= mask[i];
      }
    }
    for (std::size_t i = 0; i < roots.size(); ++i) counts.push_back(counters.count(i));
  }

 private:
  const Components& components_;
  const std::vector<std::uint32_t>& candidates_;
  std::vector<Bits> masks_;
};

std::vector<OpId> widest_reaching(const Graph& graph, const Consumers& consumers,
                                  const std::vector<bool>& is_backward) {
  const Components components(graph, consumers, is_backward);
  std::vector<bool> is_candidate(graph.op_count());
  std::vector<std::uint32_t> candidates(components.count());
  for (const OpId op : graph.ops()) {
    if (is_backward[op.index()]) continue;
    const auto uses = consumers.data(op);
    is_candidate[op.index()] = std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
      return is_backward[use.consumer.index()];
    });
    if (is_candidate[op.index()]) ++candidates[components.of(op)];
  }
  std::vector<bool> is_reached(components.count());
  std::vector<std::uint32_t> roots;
  for (std::uint32_t at = components.count(); at-- > 0;) {
    if (candidates[at] > 0 && !is_reached[at]) roots.push_back(at);
    if (candidates[at] == 0 && !is_reached[at]) continue;
    for (const std::uint32_t next : components.successors(at)) is_reached[next] = true;
  }
  std::vector<std::uint32_t> counts;
  RootCounts counter(components, candidates);
  constexpr std::size_t kAtOnce = kWords * 64;
  for (std::size_t first = 0; first < roots.size(); first += kAtOnce) {
    const std::size_t size = std::min(kAtOnce, roots.size() - first);
    counter.count({roots.data() + first, size}, counts);
  }
  // An op does not count itself; one that reaches no other candidate is not a starting op.
  std::uint32_t most = 1;
  for (const std::uint32_t count : counts) most = std::max(most, count);
  std::vector<bool> is_widest(components.count());
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (counts[i] == most && most > 1) is_widest[roots[i]] = true;
  }
  std::vector<OpId> starting;
  for (const OpId op : graph.ops()) {
    if (is_candidate[op.index()] && is_widest[components.of(op)]) starting.push_back(op);
  }
  return starting;
}

}  // namespace

Result<std::vector<bool>> backward_ops(const Graph& graph, const Lms1Options& options,
                                       std::vector<std::string>& log) {
  std::vector<bool> is_backward(graph.op_count());
  bool any_found = false;
  for (const std::string& scope : options.optimizer_scopes) {
    bool found = false;
    for (const OpId op : graph.ops()) {
      if (!graph.name(op).starts_with(scope)) continue;
      is_backward[op.index()] = true;
      found = true;
    }
    any_found = any_found || found;
    if (!found) log.push_back(fmt::format("No op lies in the optimizer scope {}.", scope));
  }
  if (!any_found) {
    std::vector<std::string> quoted;
    for (const std::string& scope : options.optimizer_scopes) quoted.push_back("'" + scope + "'");
    return fail(Code::kNotFound, "No operations were found with optimizer scopes {{{}}}.{}",
                fmt::join(quoted, ", "), optimizer_scopes_text(graph));
  }
  return is_backward;
}

Result<std::vector<OpId>> starting_ops(const Graph& graph, const Consumers& consumers,
                                       const std::vector<bool>& is_backward,
                                       const Lms1Options& options) {
  if (options.starting_scope.empty() && options.starting_op_names.empty()) {
    return widest_reaching(graph, consumers, is_backward);
  }
  std::vector<OpId> starting;
  if (!options.starting_scope.empty()) {
    for (const OpId op : graph.ops()) {
      if (graph.name(op).starts_with(options.starting_scope)) starting.push_back(op);
    }
    if (starting.empty()) {
      return fail(Code::kNotFound, "No operations were found in starting scope {}.{}",
                  options.starting_scope, nearest_scopes(graph, options.starting_scope));
    }
  }
  for (const std::string& name : options.starting_op_names) {
    const OpId op = graph.find(name);
    if (!op.valid()) {
      return fail(Code::kNotFound, "No starting operation was found with name {}.{}", name,
                  nearest_ops(graph, name));
    }
    starting.push_back(op);
  }
  std::sort(starting.begin(), starting.end());
  starting.erase(std::unique(starting.begin(), starting.end()), starting.end());
  return starting;
}

}  // namespace tideline::lms1
