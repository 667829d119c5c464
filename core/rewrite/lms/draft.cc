// Problem: synchronisation asks many times "does a lead to b?" in a graph that gains edges
// meanwhile. A plain search visits everything downstream of a each time.
// Idea: maintain a rank with rank(a) < rank(b) for every edge a -> b. Then a cannot lead to b
// unless rank(a) < rank(b), and a search need not visit ops with rank >= rank(b). Original ops get
// the rank 4 x level, which leaves room for a swap-out (+1) and a swap-in (+2) between a producer
// and consumers on the next level; an edge that contradicts the ranks raises its target and the ops
// downstream.
// Limits: with loops there is no such rank over back edges, which count for "leads to"; the search
// is then unrestricted.
// Cost: the typical query is answered by the ranks alone. Source: the affected-region idea of
// incremental topological ordering (Pearce and Kelly, 2006). Tested by unit/rewrite/draft_test.cc
// against a plain search on random graphs.
#include "core/rewrite/lms/draft.h"

#include <algorithm>

#include "core/analysis/levels.h"

namespace tideline {
namespace {

constexpr std::int64_t kRanksPerLevel = 4;

std::vector<OpId> sorted_unique(std::vector<OpId> ops) {
  std::sort(ops.begin(), ops.end());
  ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
  return ops;
}

std::span<const OpId> find(const std::unordered_map<std::uint32_t, std::vector<OpId>>& edges,
                           OpId op) {
  const auto found = edges.find(op.value);
  if (found == edges.end()) return {};
  return found->second;
}

}  // namespace

Draft::Draft(const Graph& graph, const Consumers& consumers)
    : graph_(&graph),
      consumers_(&consumers),
      has_loops_(LoopTypes(graph).has_loops()),
      frames_(graph) {
  inputs_.reserve(graph.input_slot_count());
  const LevelMap levels = complete_levels(graph);
  rank_.reserve(graph.op_count());
  for (const OpId op : graph.ops()) {
    const auto inputs = graph.inputs(op);
    inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
    rank_.push_back(kRanksPerLevel * levels.level(op));
  }
}

OpId Draft::add_copy(TensorId input) {
  const OpId copy{op_count()};
  copy_inputs_.push_back(input);
  copy_readers_[input.op.value].push_back(copy);
  rank_.push_back(rank_[input.op.index()] + 1);
  return copy;
}

void Draft::reroute(OpId op, std::uint32_t slot, TensorId to) {
  inputs_[graph_->first_input_index(op) + slot] = to;
  copy_readers_[to.op.value].push_back(op);
  raise(op, rank_[to.op.index()] + 1);
}

bool Draft::add_control(OpId op, OpId after) {
  if (has_control(op, after)) return false;
  added_awaited_[op.value].push_back(after);
  added_waiters_[after.value].push_back(op);
  raise(op, rank_[after.index()] + 1);
  return true;
}

// The op of the graph whose output a copy carries; `op` itself if it is no copy.
OpId Draft::copied(OpId op) const {
  while (is_copy(op)) op = copy_inputs_[op.index() - graph_->op_count()].op;
  return op;
}

bool Draft::crosses_frames(OpId op, OpId after) const {
  const std::uint32_t frame =
      is_copy(op) ? frames_.output_frame(copied(op)) : frames_.input_frame(op);
  return frame != frames_.output_frame(copied(after));
}

void Draft::raise(OpId op, std::int64_t rank) {
  if (has_loops_) return;  // the ranks are not used
  std::vector<std::pair<OpId, std::int64_t>> todo = {{op, rank}};
  while (!todo.empty()) {
    const auto [at, least] = todo.back();
    todo.pop_back();
    if (rank_[at.index()] >= least) continue;
    rank_[at.index()] = least;
    for (const OpId next : readers(at)) todo.emplace_back(next, least + 1);
    for (const OpId next : waiters(at)) todo.emplace_back(next, least + 1);
  }
}

std::span<const TensorId> Draft::inputs(OpId op) const {
  if (is_copy(op)) return {&copy_inputs_[op.index() - graph_->op_count()], 1};
  return {inputs_.data() + graph_->first_input_index(op), graph_->inputs(op).size()};
}

bool Draft::has_control(OpId op, OpId after) const {
  const auto among = [after](std::span<const OpId> ops) {
    return std::find(ops.begin(), ops.end(), after) != ops.end();
  };
  return (!is_copy(op) && among(graph_->control_inputs(op))) || among(find(added_awaited_, op));
}

std::vector<OpId> Draft::producers(OpId op) const {
  std::vector<OpId> ops;
  for (const TensorId input : inputs(op)) ops.push_back(input.op);
  return sorted_unique(std::move(ops));
}

std::vector<OpId> Draft::awaited(OpId op) const {
  const auto added = find(added_awaited_, op);
  std::vector<OpId> ops(added.begin(), added.end());
  if (!is_copy(op)) {
    const auto listed = graph_->control_inputs(op);
    ops.insert(ops.end(), listed.begin(), listed.end());
  }
  return sorted_unique(std::move(ops));
}

std::vector<OpId> Draft::readers(OpId op) const {
  const auto added = find(copy_readers_, op);
  std::vector<OpId> ops(added.begin(), added.end());
  if (!is_copy(op)) {
    for (const Use use : consumers_->data(op)) {
      const TensorId reads = inputs_[graph_->first_input_index(use.consumer) + use.slot];
      if (reads.op == op) ops.push_back(use.consumer);
    }
  }
  return sorted_unique(std::move(ops));
}

std::vector<OpId> Draft::waiters(OpId op) const {
  const auto added = find(added_waiters_, op);
  std::vector<OpId> ops(added.begin(), added.end());
  if (!is_copy(op)) {
    const auto listed = consumers_->control(op);
    ops.insert(ops.end(), listed.begin(), listed.end());
  }
  return sorted_unique(std::move(ops));
}

bool Draft::leads_to(OpId from, OpId to) {
  const auto hopeless = [&](OpId op) {
    return !has_loops_ && rank_[op.index()] >= rank_[to.index()];
  };
  if (hopeless(from)) return false;
  visited_.resize(op_count());
  ++visit_;
  std::vector<OpId> todo = {from};
  while (!todo.empty()) {
    const OpId op = todo.back();
    todo.pop_back();
    for (const std::vector<OpId>& nexts : {readers(op), waiters(op)}) {
      for (const OpId next : nexts) {
        if (next == to) return true;
        if (visited_[next.index()] == visit_ || hopeless(next)) continue;
        visited_[next.index()] = visit_;
        todo.push_back(next);
      }
    }
  }
  return false;
}

}  // namespace tideline
