#include "core/graph/verify.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/graph/consumers.h"
#include "core/graph/walks.h"

namespace tideline {
namespace {

// Ops that can never run because they wait for each other or for such ops.
std::vector<bool> blocked_ops(const Graph& graph, const LoopTypes& loops) {
  std::vector<bool> blocked(graph.op_count(), true);
  for (const OpId op : ready_order(graph, Consumers(graph), loops, Edges::kDataAndControl)) {
    blocked[op.index()] = false;
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
    for_each_producer(graph, loops, Edges::kDataAndControl, op, [&](OpId producer) {
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

Status verify_acyclic(const Graph& graph) {
  const LoopTypes loops(graph);
  if (is_in_topological_order(graph, loops, Edges::kDataAndControl)) return {};
  const std::vector<bool> blocked = blocked_ops(graph, loops);
  if (std::find(blocked.begin(), blocked.end(), true) == blocked.end()) return {};
  return fail(Code::kCorrupt, "the graph has a cycle: {}; expected none but through NextIteration",
              describe_cycle(graph, loops, blocked));
}

}  // namespace tideline
