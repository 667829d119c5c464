#include "core/rewrite/lms2/swaps.h"

#include <algorithm>

#include "core/rewrite/lms/fusions.h"

namespace tideline::lms2 {
namespace {

int distance(const Context& context, OpId from, OpId to) {
  return context.levels.level(to) - context.levels.level(from);
}

// Distinct consumers of one tensor, in file order.
std::vector<OpId> consumers_of(const Context& context, TensorId tensor) {
  std::vector<OpId> consumers;
  for (const Use use : context.consumers.data(tensor.op)) {
    if (context.graph.inputs(use.consumer)[use.slot].slot != tensor.slot) continue;
    if (consumers.empty() || consumers.back() != use.consumer) consumers.push_back(use.consumer);
  }
  return consumers;
}

// The shortest path through the host: swap-out, swap-in, consumer.
constexpr int kNearestSwap = 2;

// A list of a loop is one value; its own rank says nothing.
bool is_swapped_list(const Context& context, TensorId tensor) {
  return context.options.swap_lists && context.list(tensor) != nullptr;
}

// Of a list, the loops and calls that are the gradient of what made it.
bool may_read_copy(const Context& context, TensorId tensor, OpId consumer) {
  if (!is_swapped_list(context, tensor)) return true;
  const std::vector<OpId>& readers = context.list(tensor)->readers;
  return std::find(readers.begin(), readers.end(), consumer) != readers.end();
}

// A copy needs to know the element type; v2 swaps nothing below rank 2.
bool can_be_swapped(const Context& context, TensorId tensor) {
  if (is_swapped_list(context, tensor)) return true;
  return context.tensors.shape(tensor).rank() >= 2 &&
         base_type(context.tensors.type(tensor)) != DataType::kInvalid;
}

constexpr const char* kReadThroughOthers =
    "the loops of the gradient read the list through other ops";

// Why a tensor of --swap-tensors is not swapped.
std::string why_not_swapped(const Context& context, TensorId tensor) {
  const Shape& shape = context.tensors.shape(tensor);
  if (const LoopList* list = context.list(tensor)) {
    if (!context.options.swap_lists) {
      return fmt::format("listed in swap-tensors, but it is {}; swap-lists is off",
                         list_text(*list));
    }
    const std::vector<OpId> consumers = consumers_of(context, tensor);
    const bool is_read = std::any_of(consumers.begin(), consumers.end(), [&](OpId consumer) {
      return may_read_copy(context, tensor, consumer);
    });
    if (!is_read) return fmt::format("listed in swap-tensors, but {}", kReadThroughOthers);
  }
  std::string reason = "no active device op more than one level away reads it";
  if (!shape.has_rank) {
    reason = "its rank is unknown";
  } else if (shape.rank() < 2) {
    reason = fmt::format("it has rank {}", shape.rank());
  } else if (is_reference(context.tensors.type(tensor))) {
    reason = "a copy of a variable would miss its updates";
  } else if (base_type(context.tensors.type(tensor)) == DataType::kInvalid) {
    reason = "its type is unknown";
  } else if (!context.is_active_device_op(tensor.op)) {
    reason = context.is_inactive(tensor.op) ? "its producer is inactive"
                                            : "its producer is not on the device";
  }
  return "listed in swap-tensors, but " + reason;
}

}  // namespace

bool may_lead_over_host(const Context& context, const Candidates& candidates, TensorId tensor,
                        Use use) {
  if (context.graph.reads_reference(use.consumer, use.slot)) return false;
  switch (candidates.overrides.of(tensor)) {
    case Override::kKeep: return false;
    case Override::kSwap:
      // A copy of a variable would miss its updates.
      return !is_reference(context.tensors.type(tensor)) &&
             context.is_active_device_op(tensor.op) && context.is_active_device_op(use.consumer) &&
             distance(context, tensor.op, use.consumer) >= kNearestSwap;
    case Override::kNone: break;
  }
  if (context.options.keep_fusion && may_be_merged(context.graph, tensor.op, use.consumer)) {
    return false;
  }
  return candidates.is_source(tensor.op) && candidates.is_consumer(use.consumer);
}

std::vector<ConsumerGroup> group_consumers(const LevelMap& levels, std::vector<OpId> consumers,
                                           int groupby) {
  std::stable_sort(consumers.begin(), consumers.end(),
                   [&](OpId a, OpId b) { return levels.level(a) < levels.level(b); });
  std::vector<ConsumerGroup> groups;
  std::int32_t last_level = 0;
  for (const OpId consumer : consumers) {
    const std::int32_t level = levels.level(consumer);
    if (groups.empty() || groupby <= 0 || level - last_level > groupby) groups.emplace_back();
    groups.back().push_back(consumer);
    last_level = level;
  }
  return groups;
}

std::vector<SwapChoice> choose_swaps(const Context& context, const Candidates& candidates) {
  std::vector<SwapChoice> choices;
  std::vector<std::pair<std::uint32_t, OpId>> far;  // slot and consumer of the op at hand
  for (const OpId op : context.graph.ops()) {
    if (!candidates.is_source(op) && !candidates.overrides.swaps_output_of(op)) continue;
    far.clear();
    for (const Use use : context.consumers.data(op)) {
      const TensorId tensor = context.graph.inputs(use.consumer)[use.slot];
      const bool is_far = distance(context, op, use.consumer) > context.options.swapout_threshold ||
                          candidates.overrides.of(tensor) == Override::kSwap;
      if (!may_read_copy(context, tensor, use.consumer)) continue;
      if (is_far && may_lead_over_host(context, candidates, tensor, use)) {
        far.emplace_back(tensor.slot, use.consumer);
      }
    }
    std::sort(far.begin(), far.end());
    far.erase(std::unique(far.begin(), far.end()), far.end());
    for (auto at = far.begin(); at != far.end();) {
      const TensorId tensor{op, at->first};
      std::vector<OpId> consumers;
      for (; at != far.end() && at->first == tensor.slot; ++at) consumers.push_back(at->second);
      if (!can_be_swapped(context, tensor)) continue;
      choices.push_back(
          {tensor,
           group_consumers(context.levels, std::move(consumers), context.options.swapin_groupby),
           candidates.overrides.of(tensor) == Override::kSwap,
           candidates.overrides.ahead_of(tensor)});
    }
  }
  return choices;
}

std::string why_swapped(const Context& context, const SwapChoice& choice) {
  std::string why = "listed in swap-tensors";
  if (!choice.is_forced) {
    why = fmt::format("distance {} > threshold {}",
                      distance(context, choice.tensor.op, choice.groups.front().front()),
                      context.options.swapout_threshold);
  }
  if (const LoopList* list = context.list(choice.tensor)) why += "; " + list_text(*list);
  if (choice.own_ahead > 0 && !context.options.syncs_swap_ins()) {
    why += fmt::format("; swap-in by its own: {} levels ahead", choice.own_ahead);
  }
  return why;
}

std::string why_no_level(const Context& context, OpId op) {
  const bool is_in_loop = context.while_names.in_loop(op);
  return fmt::format("{} has no level, because it {}; distances are counted in levels",
                     context.graph.name(op),
                     is_in_loop ? "belongs to a loop" : "depends on a loop");
}

std::string why_kept(const Context& context, const Candidates& candidates, TensorId tensor) {
  const OpId producer = tensor.op;
  const Override override = candidates.overrides.of(tensor);
  if (override == Override::kKeep) {
    return candidates.overrides.was_found(tensor) ? "it fits without being swapped"
                                                  : "listed in keep-tensors";
  }
  if (override == Override::kSwap) return why_not_swapped(context, tensor);
  if (!candidates.is_source(producer)) {
    return "producer: " + explain(context, candidates.source[producer.index()], producer,
                                  context.options.excl_output);
  }
  const LoopList* list = context.list(tensor);
  if (list != nullptr && !context.options.swap_lists) {
    return fmt::format("{}; a loop keeps it for its gradient, and swap-lists is off",
                       list_text(*list));
  }
  const Shape& shape = context.tensors.shape(tensor);
  if (list == nullptr && !shape.has_rank) return "unknown rank";
  if (list == nullptr && shape.rank() < 2) return fmt::format("rank {}", shape.rank());
  const std::vector<OpId> consumers = consumers_of(context, tensor);
  if (consumers.empty()) return "no consumer";
  const auto has_level = [&](OpId op) { return context.levels.level(op) != kNoLevel; };
  // Finds the consumer that came nearest to being swapped.
  OpId furthest;
  OpId blocked;
  for (const OpId consumer : consumers) {
    if (!may_read_copy(context, tensor, consumer)) continue;
    const bool is_far = distance(context, producer, consumer) > context.options.swapout_threshold;
    if (is_far && !blocked.valid()) blocked = consumer;
    if (!furthest.valid() ||
        distance(context, producer, consumer) > distance(context, producer, furthest)) {
      furthest = consumer;
    }
  }
  if (!furthest.valid()) return std::string(kReadThroughOthers);
  if (!blocked.valid() && !has_level(producer)) return why_no_level(context, producer);
  if (!blocked.valid() && !has_level(furthest)) return why_no_level(context, furthest);
  if (!blocked.valid()) {
    return fmt::format("distance {} <= threshold {}", distance(context, producer, furthest),
                       context.options.swapout_threshold);
  }
  if (!can_be_swapped(context, tensor)) return "unknown type";
  if (candidates.is_consumer(blocked)) {
    return fmt::format("consumer {}: TensorFlow's graph optimizer merges it with what it reads",
                       context.graph.name(blocked));
  }
  return fmt::format(
      "consumer {}: {}", context.graph.name(blocked),
      explain(context, candidates.consumer[blocked.index()], blocked, context.options.excl_input));
}

}  // namespace tideline::lms2
