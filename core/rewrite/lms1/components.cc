// Problem: counting reachable ops needs an order in which everything follows its predecessors,
// which the back edges of loops prevent. Idea: Tarjan's algorithm with an explicit stack: in a
// depth-first search each op remembers the earliest op on the path that it leads back to; an op
// that leads back no further than to itself completes a component. Components are completed sinks
// first.
// Cost: O(ops + edges). Source: Tarjan, "Depth-first search and linear graph algorithms", 1972.
// Tested by unit/rewrite/lms1_test.cc (starting ops of a graph with a loop).
#include "core/rewrite/lms1/components.h"

#include <algorithm>

namespace tideline::lms1 {
namespace {

constexpr std::uint32_t kNone = 0xffffffffU;

}  // namespace

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

}  // namespace tideline::lms1
