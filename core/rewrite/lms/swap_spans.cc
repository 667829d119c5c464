// Tested by unit/rewrite/swap_spans_test.cc.
#include "core/rewrite/lms/swap_spans.h"

#include <algorithm>

namespace tideline {
namespace {

class SpanFinder {
 public:
  SpanFinder(const Graph& graph, const LevelMap& levels, const TensorTable& tensors,
             const RewritePlan& plan)
      : graph_(graph),
        levels_(levels),
        tensors_(tensors),
        waits_for_(plan.edit.added.size(), kNoLevel) {
    for (const ControlEdge& edge : plan.edit.control) {
      if (is_original(edge.op) || !edge.op.valid()) continue;
      const std::size_t copy = edge.op.index() - graph.op_count();
      if (copy >= waits_for_.size() || !is_original(edge.after)) continue;
      waits_for_[copy] = std::max(waits_for_[copy], levels.level(edge.after));
    }
  }

  [[nodiscard]] SwapSpan find(const PlannedSwap& swap, const PlannedSwapIn& swap_in) const {
    SwapSpan span;
    span.tensor = swap.tensor;
    span.bytes = tensors_.bytes(swap.tensor);
    span.producer_level = levels_.level(swap.tensor.op);
    span.out_level = span.producer_level + 1;
    span.consumer_level = span.out_level;
    for (const OpId consumer : swap_in.consumers) {
      if (!is_original(consumer)) continue;
      const std::int32_t at = levels_.level(consumer);
      if (span.consumer.valid() && at >= span.consumer_level) continue;
      span.consumer = consumer;
      span.consumer_level = at;
    }
    // Without anything to wait for, a swap-in runs as soon as there is a copy.
    const std::size_t copy = swap_in.copy.index() - graph_.op_count();
    span.in_level = std::max(span.out_level, waits_for_[copy] + 1);
    return span;
  }

 private:
  [[nodiscard]] bool is_original(OpId op) const { return op.index() < graph_.op_count(); }

  const Graph& graph_;
  const LevelMap& levels_;
  const TensorTable& tensors_;
  std::vector<std::int32_t> waits_for_;  // by added op: the highest level of what it waits for
};

}  // namespace

std::vector<SwapSpan> swap_spans(const Graph& graph, const LevelMap& levels,
                                 const TensorTable& tensors, const RewritePlan& plan) {
  std::vector<SwapSpan> spans;
  const SpanFinder finder(graph, levels, tensors, plan);
  const std::span<const PlannedSwap> swaps = plan.swaps();
  for (std::size_t i = 0; i < swaps.size(); ++i) {
    const PlannedSwap& swap = swaps[i];
    for (std::size_t k = 0; k < swap.swap_ins.size(); ++k) {
      spans.push_back(finder.find(swap, swap.swap_ins[k]));
      spans.back().swap = static_cast<std::uint32_t>(i);
      spans.back().swap_in = static_cast<std::uint32_t>(k);
    }
  }
  return spans;
}

std::vector<SwapSpan> swap_spans(const LevelMap& levels, const TensorTable& tensors,
                                 const SwapCopies& copies) {
  std::vector<SwapSpan> spans;
  for (std::size_t i = 0; i < copies.swaps.size(); ++i) {
    const FileSwap& swap = copies.swaps[i];
    SwapSpan span;
    span.swap = static_cast<std::uint32_t>(i);
    span.in_file = true;
    span.tensor = swap.tensor;
    span.bytes = tensors.bytes(swap.tensor);
    span.producer_level = levels.level(swap.tensor.op);
    span.out_level = span.producer_level + 1;
    for (const FileSwapIn& swap_in : swap.swap_ins) {
      const auto by_level = [&](OpId a, OpId b) { return levels.level(a) < levels.level(b); };
      span.consumer =
          *std::min_element(swap_in.consumers.begin(), swap_in.consumers.end(), by_level);
      span.consumer_level = levels.level(span.consumer);
      span.in_level = span.out_level;
      for (const OpId after : swap_in.waits_for) {
        span.in_level = std::max(span.in_level, levels.level(after) + 1);
      }
      spans.push_back(span);
      ++span.swap_in;
    }
  }
  return spans;
}

}  // namespace tideline
