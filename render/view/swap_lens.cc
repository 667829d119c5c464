// Tested by tests/unit/view/swap_lens_test.cc.
#include "render/view/swap_lens.h"

#include <fmt/format.h>

#include <algorithm>

namespace tideline::render {
namespace {

const StepTime* clock_of(const Scene& scene) {
  const TimeReport* timing = scene.devices.empty() ? nullptr : scene.devices.front().timing;
  return timing == nullptr ? nullptr : &timing->after;
}

LensOp lens_op(const Scene& scene, OpId op) {
  LensOp seen;
  seen.op = op;
  if (op.valid() && op.index() < scene.graph->op_count()) seen.level = scene.levels->level(op);
  const StepTime* time = clock_of(scene);
  if (time != nullptr && op.valid() && op.index() < time->ops.size()) {
    seen.time = time->ops[op.index()];
  }
  return seen;
}

// What a way back is made of.
struct WayBack {
  OpId copy;
  std::vector<OpId> waits_for;
  std::vector<OpId> readers;
};

WayBack way_of(const Scene& scene, const SwapSpan& span) {
  if (span.in_file) {
    const FileSwapIn& in = scene.copies->swaps[span.swap].swap_ins[span.swap_in];
    return {in.copy, in.waits_for, in.consumers};
  }
  const PlannedSwapIn& in = scene.plan->swaps()[span.swap].swap_ins[span.swap_in];
  WayBack way = {in.copy, {}, in.consumers};
  for (const ControlEdge& edge : scene.plan->edit.control) {
    if (edge.op == in.copy) way.waits_for.push_back(edge.after);
  }
  if (way.waits_for.empty() && in.trigger.valid()) way.waits_for.push_back(in.trigger);
  return way;
}

// The bar of the tensor; of an op whose tensor is not swapped itself, of its first that is.
const SwapBar* bar_of(const SwapLayout& swaps, TensorId tensor) {
  const SwapBar* found = nullptr;
  for (const SwapBar& bar : swaps.bars) {
    if (bar.tensor == tensor) return &bar;
    if (found == nullptr && bar.tensor.op == tensor.op) found = &bar;
  }
  return found;
}

// The index of the span that is seen.
std::uint32_t span_in_sight(const SwapLayout& swaps, const SwapBar& bar, VisibleRange visible) {
  std::uint32_t last = bar.first_span;
  for (std::uint32_t i = bar.first_span; i < bar.first_span + bar.span_count; ++i) {
    if (swaps.spans[i].consumer_level >= swaps.spans[last].consumer_level) last = i;
  }
  if (!(visible.span > 0)) return last;
  std::optional<std::uint32_t> seen;
  for (std::uint32_t i = bar.first_span; i < bar.first_span + bar.span_count; ++i) {
    const SwapSpan& span = swaps.spans[i];
    if (span.consumer_level < visible.first || span.in_level > visible.first + visible.span) {
      continue;
    }
    if (!seen || span.consumer_level >= swaps.spans[*seen].consumer_level) seen = i;
  }
  return seen.value_or(last);
}

std::optional<CopyTime> copy_time(const StepTime* time, TensorId tensor, bool to_host) {
  if (time == nullptr) return std::nullopt;
  for (const CopyTime& copy : time->copies) {
    const bool is_it = to_host ? copy.tensor == tensor : copy.tensor.op == tensor.op;
    if (copy.to_host == to_host && is_it) return copy;
  }
  return std::nullopt;
}

}  // namespace

std::optional<SwapLens> find_lens(const Scene& scene, const SwapLayout& swaps, TensorId tensor,
                                  VisibleRange visible) {
  const SwapBar* bar = bar_of(swaps, tensor);
  if (bar == nullptr) return std::nullopt;
  const StepTime* time = clock_of(scene);
  const std::uint32_t at = span_in_sight(swaps, *bar, visible);
  const SwapSpan& span = swaps.spans[at];
  const WayBack way = way_of(scene, span);
  SwapLens lens;
  lens.tensor = bar->tensor;
  lens.bytes = bar->bytes;
  lens.bar = static_cast<std::int32_t>(bar - swaps.bars.data());
  lens.producer = lens_op(scene, bar->tensor.op);
  lens.out = copy_time(time, bar->tensor, /*to_host=*/true);
  lens.way = static_cast<std::int32_t>(at - bar->first_span);
  lens.ways = static_cast<std::int32_t>(bar->span_count);
  for (const OpId op : way.waits_for) {
    const LensOp waited = lens_op(scene, op);
    if (!lens.trigger.op.valid() || waited.time.end_ns > lens.trigger.time.end_ns) {
      lens.trigger = waited;
    }
  }
  lens.in = copy_time(time, {way.copy, 0}, /*to_host=*/false);
  for (const OpId op : way.readers) lens.readers.push_back(lens_op(scene, op));
  std::stable_sort(lens.readers.begin(), lens.readers.end(),
                   [](const LensOp& a, const LensOp& b) { return a.level < b.level; });
  lens.wait_ns = swaps.late_ns[at];
  lens.out_level = span.out_level;
  lens.in_level = span.in_level;
  return lens;
}

std::optional<SwapEnds> swap_ends(const Scene& scene, TensorId tensor) {
  std::optional<SwapEnds> ends;
  for (const SwapSpan& span : swap_spans(scene)) {
    if (span.tensor.op != tensor.op) continue;
    if (!ends) {
      ends.emplace();
      ends->out_first = span.producer_level;
      ends->out_last = span.out_level;
      ends->in_first = ends->in_last = -1;
    }
    const double begins = span.in_level;
    double ends_at = span.consumer_level;
    for (const OpId reader : way_of(scene, span).readers) {
      ends_at = std::max(ends_at, static_cast<double>(lens_op(scene, reader).level));
    }
    if (ends_at < ends->in_last) continue;
    ends->in_first = begins;
    ends->in_last = ends_at;
  }
  if (!ends) return ends;
  for (const LinkSlice& slice : layout_link(scene).to_host) {
    if (slice.tensor.op == tensor.op) ends->out_last = std::max(ends->out_last, slice.end_level);
  }
  return ends;
}

std::string moment_text(double ns) {
  return fmt::format("{:.3f} ms", ns / 1e6);
}

}  // namespace tideline::render
