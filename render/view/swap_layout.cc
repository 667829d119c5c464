// A bar for each swapped tensor, from the first level with its host copy to the level at which its
// last swap-in may begin; what its readers wait for it comes from the clock of the step.
// Cost: O(swaps x log swaps). Tested by tests/unit/view/swap_layout_test.cc.
#include "render/view/swap_layout.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tideline::render {
namespace {

bool comes_first(const SwapBar& a, const SwapBar& b) {
  return std::tuple(a.out_level, -a.end_level, a.tensor) <
         std::tuple(b.out_level, -b.end_level, b.tensor);
}

bool is_idle(const Scene& scene, const SwapSpan& span) {
  const std::vector<SwapEffect>* effects = scene.devices.front().swap_effects;
  return effects != nullptr && !span.in_file && span.swap < effects->size() &&
         (*effects)[span.swap].is_idle;
}

bool is_same_swap(const SwapSpan& a, const SwapSpan& b) {
  return a.in_file == b.in_file && a.swap == b.swap;
}

// How long readers wait for copies, by the op that copies.
std::map<OpId, std::int64_t> find_waits(const Scene& scene) {
  std::map<OpId, std::int64_t> waits;
  const TimeReport* timing = scene.devices.empty() ? nullptr : scene.devices.front().timing;
  if (timing == nullptr) return waits;
  for (const LateSwapIn& late : timing->after.late) {
    std::int64_t& wait = waits[late.tensor.op];
    wait = std::max(wait, late.wait_ns);
  }
  return waits;
}

OpId copy_of(const Scene& scene, const SwapSpan& span) {
  return span.in_file ? scene.copies->swaps[span.swap].swap_ins[span.swap_in].copy
                      : scene.plan->swaps()[span.swap].swap_ins[span.swap_in].copy;
}

void add_times(const Scene& scene, std::int32_t level_count, SwapLayout& layout) {
  const std::map<OpId, std::int64_t> waits = find_waits(scene);
  layout.late_ns.reserve(layout.spans.size());
  for (const SwapSpan& span : layout.spans) {
    const auto wait = waits.find(copy_of(scene, span));
    layout.late_ns.push_back(wait == waits.end() ? 0 : wait->second);
  }
  const TimeReport* timing = scene.devices.empty() ? nullptr : scene.devices.front().timing;
  if (timing == nullptr || level_count == 0) return;
  layout.ns_a_level = static_cast<double>(timing->after.step_ns()) / level_count;
}

void add_bars(const Scene& scene, SwapLayout& layout) {
  for (std::size_t i = 0; i < layout.spans.size(); ++i) {
    const SwapSpan& span = layout.spans[i];
    if (i == 0 || !is_same_swap(layout.spans[i - 1], span)) {
      layout.bars.push_back({.tensor = span.tensor,
                             .bytes = span.bytes,
                             .producer_level = span.producer_level,
                             .out_level = span.out_level,
                             .end_level = span.in_level,
                             .reader_level = span.consumer_level,
                             .first_span = static_cast<std::uint32_t>(i),
                             .is_idle = is_idle(scene, span)});
      layout.bytes = saturating_add(layout.bytes, span.bytes);
      layout.swapped.push_back(span.tensor);
    }
    SwapBar& bar = layout.bars.back();
    bar.end_level = std::max(bar.end_level, span.in_level);
    bar.reader_level = std::max(bar.reader_level, span.consumer_level);
    bar.late_ns = std::max(bar.late_ns, layout.late_ns[i]);
    ++bar.span_count;
  }
  std::sort(layout.bars.begin(), layout.bars.end(), comes_first);
  std::sort(layout.swapped.begin(), layout.swapped.end());
}

// Edges of the file; those of swaps that it holds go through their copies already.
void add_rerouted(const Scene& scene, SwapLayout& layout) {
  if (scene.plan == nullptr) return;
  for (const PlannedSwap& swap : scene.plan->swaps()) {
    for (const PlannedSwapIn& swap_in : swap.swap_ins) {
      for (const OpId consumer : swap_in.consumers) {
        layout.rerouted.push_back({swap.tensor, consumer});
      }
    }
  }
  std::sort(layout.rerouted.begin(), layout.rerouted.end());
}

}  // namespace

std::vector<SwapSpan> swap_spans(const Scene& scene) {
  std::vector<SwapSpan> spans;
  if (scene.plan != nullptr) {
    spans = tideline::swap_spans(*scene.graph, *scene.levels, *scene.tensors, *scene.plan);
  }
  if (scene.copies != nullptr) {
    const auto held = tideline::swap_spans(*scene.levels, *scene.tensors, *scene.copies);
    spans.insert(spans.end(), held.begin(), held.end());
  }
  for (SwapSpan& span : spans) {
    span.consumer_level = std::max(span.consumer_level, span.out_level);
    span.in_level = std::min(span.in_level, span.consumer_level);
  }
  return spans;
}

bool SwapLayout::is_swapped(TensorId tensor) const {
  return std::binary_search(swapped.begin(), swapped.end(), tensor);
}

bool SwapLayout::is_rerouted(TensorId tensor, OpId consumer) const {
  return std::binary_search(rerouted.begin(), rerouted.end(), Rerouted{tensor, consumer});
}

SwapLayout layout_swaps(const Scene& scene, const OpLayout& ops) {
  SwapLayout layout;
  layout.has_policy = scene.plan != nullptr;
  layout.spans = swap_spans(scene);
  add_times(scene, ops.level_count, layout);
  add_bars(scene, layout);
  add_rerouted(scene, layout);
  layout.link = layout_link(scene);
  for (const LongLived& tensor : ops.long_lived) {
    if (!layout.is_swapped(tensor.tensor)) layout.candidates.push_back(tensor);
  }
  return layout;
}

}  // namespace tideline::render
