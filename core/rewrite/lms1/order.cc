// Problem: LMS v1 needs to know the order of ops in the forward and the backward pass, counted from
// the ops at which the user says that the model begins; and it must not rely on ops whose time is
// not determined: backward ops that depend only on forward ops, and the updates of variables.
// Idea, in the reference's steps: (1) every op that the starting ops reach gets an entry, sorted
// into layers; only ops between a starting and a backward op are waited for. (2) A layer with a
// forward op loses its backward ops: they could run as soon as those forward ops. (3) Forward ops
// after backward ops belong to the update and are dropped. (4) Layers are renumbered without gaps.
//   x -> f1 -> f2 -> g2 -> g1 -> update, f1 -> g0 -> g1; backward: g*
//   layers f1 0, f2 1, g0 1, g2 2, g1 3, update 4; orders f1 0, f2 1, g2 2, g1 3; g0 and update -1
// Cost: O(ops + edges). Source: IBM TFLMS v1, topos.py (rules only). Tested by
// unit/rewrite/lms1_test.cc, by property/lms1_property.cc and by the oracles of the reference.
#include "core/rewrite/lms1/order.h"

#include <algorithm>

#include "core/graph/walks.h"

namespace tideline::lms1 {
namespace {

std::vector<bool> reached_from(const Graph& graph, const Consumers& consumers,
                               const std::vector<OpId>& starting) {
  OpWalk reached(graph);
  for (const OpId op : starting) reached.add(op);
  while (const auto op = reached.next()) reached.add_readers(consumers, *op, Edges::kData);
  return reached.take();
}

// Ops that lead to a backward op over data edges, and these themselves.
std::vector<bool> leading_to_backward(const Graph& graph, const std::vector<bool>& is_backward) {
  OpWalk leads(graph, is_backward);
  while (const auto op = leads.next()) leads.add_inputs(*op, Edges::kData);
  return leads.take();
}

// Step 1. Going through all levels of the graph, inputs come first.
std::vector<std::int32_t> find_layers(const Graph& graph, const std::vector<OpId>& starting,
                                      const Order& order) {
  std::vector<std::int32_t> layer(graph.op_count(), kNoLevel);
  // A starting op without data inputs waits for all its control inputs, which become entries with
  // it: an oddity of the reference.
  std::vector<bool> waits_for_all(graph.op_count());
  for (const OpId op : starting) {
    if (!graph.inputs(op).empty()) continue;
    waits_for_all[op.index()] = true;
    for (const OpId input : graph.control_inputs(op)) layer[input.index()] = 0;
  }
  const LoopTypes loops(graph);
  const LevelMap levels = complete_levels(graph);
  for (std::int32_t level = 0; level < levels.count(); ++level) {
    for (const OpId op : levels.ops(level)) {
      if (!order.is_reachable[op.index()]) continue;
      std::int32_t highest = kNoLevel;
      const auto wait_for = [&](OpId input) {
        if (!order.is_on_path[input.index()] && !waits_for_all[op.index()]) return;
        if (loops.is_back_edge(graph, input, op)) return;
        highest = std::max(highest, layer[input.index()]);
      };
      for (const TensorId input : graph.inputs(op)) wait_for(input.op);
      for (const OpId input : graph.control_inputs(op)) wait_for(input);
      layer[op.index()] = highest + 1;
    }
  }
  return layer;
}

}  // namespace

Order find_order(const Graph& graph, const Consumers& consumers,
                 const std::vector<bool>& is_backward, const std::vector<OpId>& starting) {
  Order order{LevelMap({}), -1, reached_from(graph, consumers, starting), {}, {}};
  order.is_on_path = leading_to_backward(graph, is_backward);
  for (const OpId op : graph.ops()) {
    if (!order.is_reachable[op.index()]) order.is_on_path[op.index()] = false;
  }
  order.layer = find_layers(graph, starting, order);

  std::int32_t layers = 0;
  for (const std::int32_t layer : order.layer) layers = std::max(layers, layer + 1);
  const auto count = static_cast<std::size_t>(layers);
  std::vector<bool> has_forward(count);  // steps 2 and 3
  std::vector<OpId> all_backward;
  for (const OpId op : graph.ops()) {
    const std::int32_t layer = order.layer[op.index()];
    if (is_backward[op.index()]) {
      all_backward.push_back(op);
    } else if (layer != kNoLevel) {
      has_forward[static_cast<std::size_t>(layer)] = true;
    }
  }
  const std::vector<bool> behind_backward = reached_from(graph, consumers, all_backward);
  const auto keeps = [&](OpId op) {
    const std::int32_t layer = order.layer[op.index()];
    if (layer == kNoLevel) return false;
    return is_backward[op.index()] ? !has_forward[static_cast<std::size_t>(layer)]
                                   : !behind_backward[op.index()];
  };
  std::vector<std::int32_t> number(count, kNoLevel);  // step 4
  for (const OpId op : graph.ops()) {
    if (keeps(op)) number[static_cast<std::size_t>(order.layer[op.index()])] = 0;
  }
  std::int32_t next = 0;
  for (std::int32_t& n : number) {
    if (n != kNoLevel) n = next++;
  }
  std::vector<std::int32_t> order_of(graph.op_count(), kNoLevel);
  for (const OpId op : graph.ops()) {
    if (!keeps(op)) continue;
    const std::int32_t at = number[static_cast<std::size_t>(order.layer[op.index()])];
    order_of[op.index()] = at;
    if (is_backward[op.index()] && (order.backward_start < 0 || at < order.backward_start)) {
      order.backward_start = at;
    }
  }
  order.orders = LevelMap(std::move(order_of));
  return order;
}

}  // namespace tideline::lms1
