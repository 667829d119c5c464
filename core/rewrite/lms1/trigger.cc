// Problem: a swap-in must not copy its tensor back too early. It waits for a backward op that runs
// shortly before the consumer. The reference has two ways to find one:
//   chain rule: search forward from the source. If the forward ops k steps away are read by
//   backward ops that run before the consumer, those are triggers. For f1 -> f2 -> f3, g3 -> g2 ->
//   g1 and consumer g1 of f1: step 1 is f2, read by g2, so g2 triggers; with lb = 2 it is g3.
//   direct order: search the orders below the consumer's, highest first, for an op that leads to
//   the consumer.
// Idea: the first is a search by steps in the draft, in which a swapped edge is two steps longer.
// As in the reference, an op is done once its consumers were examined: one that reads an op of its
// own step, and follows it there, is visited again in the next step. The search can be long and
// fruitless; so for every forward op the lowest and the highest order of the possible triggers
// reachable from it are computed once (edits lengthen paths but create none), and ops with none in
// range are not visited. The second is a backward search from the consumer that always continues
// with the op of the highest layer: between ops on a path layers rise along every edge, so once an
// order has a trigger and its layer is done, no better one follows.
// A candidate that the consumer leads to would close a cycle and is rejected. (The NoOps that group
// gradients create such paths, which orders do not show.)
// Cost: as in the header. Source: IBM TFLMS v1, lms.py (rules only). Tested by
// unit/rewrite/lms1_test.cc, property/lms1_property.cc and the oracles of the reference.
#include "core/rewrite/lms1/trigger.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

#include "core/rewrite/lms/fusions.h"

namespace tideline::lms1 {
namespace {

bool is_in_conditional(std::string_view name) {
  return name.find("/cond/") != std::string_view::npos;
}

}  // namespace

TriggerSearch::TriggerSearch(const Context& context, Draft& draft, const Guard* guard)
    : context_(context), draft_(draft), guard_(guard) {
  if (context.options.keep_fusion) is_fused_ = fused_types(context.graph);
  if (context.options.ctrld_strategy == ControlStrategy::kChainRule) find_reach();
}

bool TriggerSearch::is_new(OpId op, std::vector<std::uint32_t>& stamps, std::uint32_t stamp) {
  return std::exchange(stamps[op.index()], stamp) != stamp;
}

// Backwards over forward ops from the triggers of each order: the first order to reach an op is its
// value.
void TriggerSearch::find_reach() {
  const Graph& graph = context_.graph;
  const LevelMap& orders = context_.order.orders;
  lowest_.assign(graph.op_count(), std::numeric_limits<std::int32_t>::max());
  highest_.assign(graph.op_count(), -1);
  std::vector<bool> met(graph.op_count());
  std::vector<OpId> todo;
  const auto spread = [&](std::int32_t order, std::vector<std::int32_t>& result) {
    for (const OpId op : orders.ops(order)) {
      if (context_.is_backward(op) && !is_in_conditional(graph.name(op))) todo.push_back(op);
    }
    while (!todo.empty()) {
      const OpId op = todo.back();
      todo.pop_back();
      for (const TensorId input : graph.inputs(op)) {
        if (met[input.op.index()] || context_.is_backward(input.op)) continue;
        met[input.op.index()] = true;
        result[input.op.index()] = order;
        todo.push_back(input.op);
      }
    }
  };
  for (std::int32_t order = 0; order < orders.count(); ++order) spread(order, lowest_);
  met.assign(graph.op_count(), false);
  for (std::int32_t order = orders.count(); order-- > 0;) spread(order, highest_);
}

bool TriggerSearch::reaches_between(OpId op, std::int32_t low, std::int32_t high) const {
  return draft_.is_copy(op) || (lowest_[op.index()] < high && highest_[op.index()] > low);
}

bool TriggerSearch::may_trigger(OpId op, OpId swap_in) {
  if (!is_fused_.empty() && is_fused_[context_.graph.type_id(op)]) return false;
  const OpId source = draft_.inputs(draft_.inputs(swap_in)[0].op)[0].op;
  if (context_.frames.output_frame(op) != context_.frames.output_frame(source)) return false;
  if (guard_ != nullptr && !guard_->keeps_alive(draft_, swap_in, op)) return false;
  return !draft_.leads_to(swap_in, op);
}

OpId TriggerSearch::first_allowed(std::vector<OpId>& candidates, OpId swap_in) {
  std::sort(candidates.begin(), candidates.end());
  for (const OpId op : candidates) {
    if (may_trigger(op, swap_in)) return op;
  }
  return {};
}

Trigger TriggerSearch::find(TensorId tensor, OpId consumer, OpId swap_in) {
  const OpId source = tensor.op;
  visited_.resize(draft_.op_count());
  queued_.resize(draft_.op_count());
  const std::int64_t at = context_.order.of(consumer);
  const int own = context_.overrides.ahead_of(tensor);
  std::int64_t lb = own > 0 ? own : context_.options.lb;
  if (at - lb <= context_.order.of(source)) lb = 1;
  const bool is_direct = context_.options.ctrld_strategy == ControlStrategy::kDirectOrder ||
                         context_.is_backward(source) || at - lb < context_.order.backward_start;
  if (!is_direct) {
    const Trigger found = chain_rule(source, consumer, swap_in, lb);
    if (found.op.valid() || is_fused_.empty()) return found;  // else whatever leads to it
  }
  return direct_order(source, consumer, swap_in, lb);
}

Trigger TriggerSearch::direct_order(OpId source, OpId consumer, OpId swap_in, std::int64_t lb) {
  const Order& order = context_.order;
  const std::int64_t at = order.of(consumer);
  const std::int64_t highest = at - lb - 1;
  const std::int64_t lowest =
      std::max<std::int64_t>(at - context_.options.ub, order.of(source)) + 1;
  if (lowest > highest) return {};
  // Nothing below the layer of the lowest order can lead to anything of interest.
  const OpId first = order.orders.ops(static_cast<std::int32_t>(lowest)).front();
  const std::int32_t bottom = order.layer[first.index()];
  // Ops beside the paths (a branch that no backward op reads) have layers that say nothing about
  // what leads to them: they come first.
  const auto layer = [&](OpId op) {
    return order.is_on_path[op.index()] ? order.layer[op.index()]
                                        : std::numeric_limits<std::int32_t>::max();
  };
  std::priority_queue<std::pair<std::int32_t, OpId>> todo;  // highest layer first
  using Found = std::pair<std::int32_t, OpId>;
  const auto is_worse = [](const Found& a, const Found& b) {
    return a.first != b.first ? a.first < b.first : a.second > b.second;
  };
  std::priority_queue<Found, std::vector<Found>, decltype(is_worse)> found(is_worse);
  ++visit_;
  todo.emplace(layer(consumer), consumer);
  while (!todo.empty() || !found.empty()) {
    if (!found.empty()) {
      const auto [at_order, op] = found.top();
      const OpId peer = order.orders.ops(at_order).front();
      if (todo.empty() || todo.top().first < order.layer[peer.index()]) {  // none better follows
        if (may_trigger(op, swap_in)) return {op, at_order};
        found.pop();
        continue;
      }
    }
    const OpId op = todo.top().second;
    todo.pop();
    for (const TensorId input : context_.graph.inputs(op)) {
      const OpId next = input.op;
      if (!order.is_reachable[next.index()] || layer(next) < bottom) continue;
      if (context_.loops.is_back_edge(context_.graph, next, op) ||
          !is_new(next, visited_, visit_)) {
        continue;
      }
      todo.emplace(layer(next), next);
      const std::int32_t here = order.of(next);
      if (here < lowest || here > highest || is_in_conditional(context_.graph.name(next))) continue;
      found.emplace(here, next);
    }
  }
  return {};
}

Trigger TriggerSearch::chain_rule(OpId source, OpId consumer, OpId swap_in, std::int64_t lb) {
  const Order& order = context_.order;
  const std::int32_t low = order.of(source);
  const std::int32_t high = order.of(consumer);
  std::vector<OpId> step = {source};
  std::vector<OpId> next;
  std::vector<OpId> candidates;
  ++visit_;
  for (std::int64_t k = 0; k < context_.options.ub && !step.empty(); ++k) {
    next.clear();
    candidates.clear();
    ++queue_;
    for (const OpId op : step) {
      draft_.for_each_reader(op, [&](OpId reader) {
        if (draft_.is_copy(reader) || !context_.is_backward(reader)) {
          if (!reaches_between(reader, low, high) || is_visited(reader)) return;
          if (is_new(reader, queued_, queue_)) next.push_back(reader);
          return;
        }
        const std::int32_t at = order.of(reader);
        if (k < lb || at <= low || at >= high) return;
        if (!is_in_conditional(context_.graph.name(reader))) candidates.push_back(reader);
      });
      visited_[op.index()] = visit_;
    }
    if (!candidates.empty()) {
      const OpId found = first_allowed(candidates, swap_in);
      if (found.valid()) return {found, order.of(found)};
    }
    std::swap(step, next);
  }
  return {};
}

}  // namespace tideline::lms1
