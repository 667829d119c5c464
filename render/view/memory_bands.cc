// Problem: show which tensors fill device memory during a step, of which there are thousands.
// Idea: the largest ones get bands of their own, the others one for each kind of memory. A column
// of pixels shows the step in it with the highest total, with the buffers alive at that step, so
// that the bands add up to the curve exactly. Kinds are stacked from the most permanent to the most
// short-lived; within a kind, earlier buffers are lower.
// Cost: O(columns x bands) for each frame.
// Source: PyTorch's memory_viz draws such a picture (idea only). Tested by
// tests/unit/view/memory_view_test.cc.
#include <algorithm>
#include <cmath>

#include "render/view/memory_frame.h"

namespace tideline::render {
namespace {

const FaithfulStep* shown_step(const MemoryFrame& frame) {
  const DeviceCurves& curves = frame.look.scene->devices[frame.look.memory->device];
  return frame.look.memory->has_after ? curves.after_step : curves.before_step;
}

// Buffers with a band of their own, by kind, then by when they come.
std::vector<std::uint32_t> own_bands(const MemoryFrame& frame, const FaithfulStep& step) {
  std::vector<std::uint32_t> own = frame.look.memory->large_buffers;
  const double detail =
      std::isfinite(frame.look.detail_0_1) ? std::clamp(frame.look.detail_0_1, 0.0, 1.0) : 0.5;
  own.resize(static_cast<std::size_t>(std::lround(detail * static_cast<double>(own.size()))));
  std::sort(own.begin(), own.end(), [&](std::uint32_t a, std::uint32_t b) {
    const StepBuffer& x = step.buffers[a];
    const StepBuffer& y = step.buffers[b];
    if (x.kind != y.kind) return x.kind < y.kind;
    return x.from_step != y.from_step ? x.from_step < y.from_step : a < b;
  });
  return own;
}

}  // namespace

std::vector<MemoryBand> stack_bands(const MemoryFrame& frame) {
  std::vector<MemoryBand> bands;
  const FaithfulStep* step = frame.look.memory->count > 0 ? shown_step(frame) : nullptr;
  if (step == nullptr || frame.look.memory->kinds.empty()) return bands;
  const std::vector<std::uint32_t> own = own_bands(frame, *step);
  std::vector<std::int32_t> steps;  // by column
  for (const Column& column : frame.columns) {
    const std::int32_t at = frame.shown().largest(column.begin, column.end);
    steps.push_back(at < 0 ? -1 : frame.look.memory->step_at[static_cast<std::size_t>(at)]);
  }
  std::size_t next = 0;
  for (std::size_t kind = 0; kind < kMemoryKinds; ++kind) {
    const std::size_t rest = bands.size();
    bands.push_back({static_cast<MemoryKind>(kind), -1, {}});
    for (const std::int32_t at : steps) {
      bands[rest].bytes.push_back(
          at < 0 ? 0 : frame.look.memory->kinds[static_cast<std::size_t>(at)][kind]);
    }
    for (; next < own.size() && step->buffers[own[next]].kind == static_cast<MemoryKind>(kind);
         ++next) {
      const StepBuffer& buffer = step->buffers[own[next]];
      MemoryBand band{buffer.kind, static_cast<std::int32_t>(own[next]), {}};
      for (std::size_t i = 0; i < steps.size(); ++i) {
        const bool alive = steps[i] >= buffer.from_step && steps[i] <= buffer.to_step;
        band.bytes.push_back(alive ? buffer.bytes : 0);
        if (alive) bands[rest].bytes[i] -= buffer.bytes;
      }
      bands.push_back(std::move(band));
    }
  }
  return bands;
}

MemoryHit hit_memory(const MemoryLook& look, Point point) {
  MemoryHit hit;
  if (!look.area.contains(point)) return hit;
  const MemoryFrame frame = measure_memory(look);
  const double position = frame.axis.position(point.x);
  if (position < 0 || position >= look.memory->count) return hit;
  hit.position = position;
  if (frame.link.contains(point)) {
    hit.item = hit_link_track(link_track(frame), point);
    hit.tensor = hit.item.tensor;
    hit.rect = hit.item.rect;
  } else if (frame.ticks.contains(point) && frame.words.is_folded) {
    hit.item.kind = HitKind::kLegend;
    hit.item.lines = legend_lines(legend_entries(frame));
  }
  if (hit.item.kind != HitKind::kNothing) return hit;
  const auto at = static_cast<std::int32_t>(position);
  hit.before = look.memory->before.at(at);
  hit.after = look.memory->after.at(at);
  hit.host = look.memory->host.at(at);
  if (!look.show_bands || !frame.chart.contains(point)) return hit;
  const auto column = std::find_if(frame.columns.begin(), frame.columns.end(),
                                   [&](const Column& c) { return point.x < c.x1; });
  if (column == frame.columns.end()) return hit;
  const auto index = static_cast<std::size_t>(column - frame.columns.begin());
  Bytes below = 0;
  for (const MemoryBand& band : stack_bands(frame)) {
    const Bytes above = below + band.bytes[index];
    const Rect piece = {column->x0, frame.y(static_cast<double>(above)), column->x1,
                        frame.y(static_cast<double>(below))};
    const bool inside = point.y <= piece.y1 && point.y > piece.y0;
    if (inside && band.buffer >= 0) {
      hit.rect = piece;
      hit.tensor = shown_step(frame)->buffers[static_cast<std::size_t>(band.buffer)].tensor;
    }
    below = above;
  }
  return hit;
}

}  // namespace tideline::render
