#include "core/graph/verify.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/graph/consumers.h"

namespace tideline {
namespace {

template <typename Visit>
void for_each_producer(const Graph& graph, const LoopTypes& loops, OpId op, const Visit& visit) {
  for (const TensorId input : graph.inputs(op)) {
    if (!loops.is_back_edge(graph, input.op, op)) visit(input.op);
  }
  for (const OpId input : graph.control_inputs(op)) {
    if (!loops.is_back_edge(graph, input, op)) visit(input);
  }
}

// A file that lists producers before consumers, as TensorFlow writes it, cannot hold a cycle.
bool in_topological_order(const Graph& graph, const LoopTypes& loops) {
  bool ordered = true;
  for (const OpId op : graph.ops()) {
    for_each_producer(graph, loops, op, [&](OpId producer) { ordered = ordered && producer < op; });
    if (!ordered) return false;
  }
  return true;
}

// Ops that can never run because they wait for each other or for such ops. Peels off ready ops.
std::vector<bool> blocked_ops(const Graph& graph, const LoopTypes& loops) {
  const Consumers consumers(graph);
  std::vector<std::uint32_t> waits(graph.op_count());
  std::vector<OpId> ready;
  for (const OpId op : graph.ops()) {
    for_each_producer(graph, loops, op, [&](OpId) { ++waits[op.index()]; });
    if (waits[op.index()] == 0) ready.push_back(op);
  }
  std::vector<bool> blocked(graph.op_count(), true);
  const auto release = [&](OpId from, OpId op) {
    if (!loops.is_back_edge(graph, from, op) && --waits[op.index()] == 0) ready.push_back(op);
  };
  while (!ready.empty()) {
    const OpId op = ready.back();
    ready.pop_back();
    blocked[op.index()] = false;
    for (const Use use : consumers.data(op)) release(op, use.consumer);
    for (const OpId waiter : consumers.control(op)) release(op, waiter);
  }
  return blocked;
}

// Follows blocked producers from a blocked op until an op is visited again: the cycle.
std::string describe_cycle(const Graph& graph, const LoopTypes& loops,
                           const std::vector<bool>& blocked) {
  constexpr std::size_t kNamesShown = 8;
  const auto first = std::find(blocked.begin(), blocked.end(), true);
  OpId op{static_cast<std::uint32_t>(first - blocked.begin())};
  std::vector<OpId> walk;
  std::vector<bool> seen(graph.op_count());
  while (!seen[op.index()]) {
    seen[op.index()] = true;
    walk.push_back(op);
    OpId next;
    for_each_producer(graph, loops, op, [&](OpId producer) {
      if (!next.valid() && blocked[producer.index()]) next = producer;
    });
    op = next;
  }
  walk.erase(walk.begin(), std::find(walk.begin(), walk.end(), op));
  std::reverse(walk.begin(), walk.end());  // from producers to consumers
  std::string text;
  for (std::size_t i = 0; i < walk.size() && i < kNamesShown; ++i) {
    text += fmt::format("'{}' -> ", printable(graph.name(walk[i]), 100));
  }
  if (walk.size() > kNamesShown) text += "... -> ";
  return text + fmt::format("'{}'", printable(graph.name(walk.front()), 100));
}

}  // namespace

bool is_next_iteration(std::string_view type) {
  return type == "NextIteration" || type == "RefNextIteration";
}
bool is_merge(std::string_view type) {
  return type == "Merge" || type == "RefMerge";
}

LoopTypes::LoopTypes(const Graph& graph) {
  for (const std::string_view type : graph.types()) {
    const Role role = is_next_iteration(type) ? Role::kNextIteration
                      : is_merge(type)        ? Role::kMerge
                                              : Role::kOther;
    has_loops_ = has_loops_ || role == Role::kNextIteration;
    roles_.push_back(role);
  }
}

Status verify_acyclic(const Graph& graph) {
  const LoopTypes loops(graph);
  if (in_topological_order(graph, loops)) return {};
  const std::vector<bool> blocked = blocked_ops(graph, loops);
  if (std::find(blocked.begin(), blocked.end(), true) == blocked.end()) return {};
  return fail(Code::kCorrupt, "the graph has a cycle: {}; expected none but through NextIteration",
              describe_cycle(graph, loops, blocked));
}

}  // namespace tideline
