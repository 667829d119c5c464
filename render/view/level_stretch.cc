// Tested by unit/view/level_stretch_test.cc and gui/level_stretch_test.cc.
#include "render/view/level_stretch.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/view/swap_layout.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr double kStretchAlpha = 0.15, kLimitAlpha = 0.22;

struct Range {
  Bytes least = 0, most = 0;
  bool any = false;
  void add(Bytes bytes) {
    least = any ? std::min(least, bytes) : bytes;
    most = any ? std::max(most, bytes) : bytes;
    any = true;
  }
  [[nodiscard]] std::string text() const {
    return least == most ? format_bytes(most)
                         : fmt::format("{} to {}", format_bytes(least), format_bytes(most));
  }
};

void add_memory(const DeviceCurves& curves, std::int32_t from, std::int32_t to,
                std::vector<std::string>& lines) {
  const MemoryTimeline* timeline = curves.after != nullptr      ? curves.after
                                   : curves.of_graph != nullptr ? curves.of_graph
                                                                : curves.before;
  if (timeline == nullptr) return;
  Range device;
  Range host;
  for (std::size_t step = 0; step < timeline->level.size(); ++step) {
    if (timeline->level[step] < from || timeline->level[step] > to) continue;
    device.add(timeline->device[step]);
    host.add(timeline->host[step]);
  }
  if (!device.any) {
    lines.emplace_back("no op of the step runs here");
    return;
  }
  lines.push_back("device " + device.text());
  if (host.most > 0) lines.push_back("host " + host.text());
}

void add_swaps(const Scene& scene, std::int32_t from, std::int32_t to,
               std::vector<std::string>& lines) {
  const auto is_in = [&](std::int32_t level) { return level >= from && level <= to; };
  std::int64_t outs = 0;
  std::int64_t ins = 0;
  Bytes out_bytes = 0;
  Bytes in_bytes = 0;
  const std::vector<SwapSpan> spans = swap_spans(scene);
  for (const SwapSpan& span : spans) {
    if (span.swap_in == 0 && is_in(span.out_level)) {
      ++outs;
      out_bytes = saturating_add(out_bytes, span.bytes);
    }
    if (!is_in(span.in_level)) continue;
    ++ins;
    in_bytes = saturating_add(in_bytes, span.bytes);
  }
  if (spans.empty()) return;
  lines.push_back(fmt::format("out {}, {}; in {}, {}", outs, format_bytes(out_bytes), ins,
                              format_bytes(in_bytes)));
}

}  // namespace

std::vector<std::string> level_stretch_lines(const Scene& scene, std::size_t device,
                                             std::int32_t from, std::int32_t to) {
  std::vector<std::string> lines = {
      from == to ? fmt::format("level {}", from)
                 : fmt::format("levels {} to {}: {}", from, to, to - from + 1)};
  if (!scene.devices.empty()) {
    add_memory(scene.devices[std::min(device, scene.devices.size() - 1)], from, to, lines);
  }
  add_swaps(scene, from, to, lines);
  return lines;
}

void draw_stretch_lines(Canvas& canvas, const Palette& colors, float font_px, Rect area, float x,
                        std::span<const std::string> lines) {
  if (lines.empty()) return;
  const float size = font_px;
  const float pad = size * 0.4F;
  float widest = 0;
  std::vector<std::string> shown;
  for (const std::string& line : lines) {
    shown.push_back(fit_text(canvas, line, size, area.width() - 2 * pad));
    widest = std::max(widest, canvas.text_width(shown.back(), size));
  }
  const float width = widest + 2 * pad;
  const float left = std::clamp(x, area.x0, std::max(area.x0, area.x1 - width));
  const float top = area.y0 + pad;
  const float line_px = size * 1.25F;
  const Rect ground = {left, top, left + width,
                       top + pad + line_px * static_cast<float>(shown.size())};
  canvas.fill(ground, colors.background);
  canvas.frame(ground, colors.accent, 1);
  float y = top + pad / 2;
  for (const std::string& line : shown) {
    canvas.text({left + pad, y}, line, colors.text, size);
    y += line_px;
  }
}

void draw_level_stretch(Canvas& canvas, const LevelStretchLook& look) {
  const Palette& colors = *look.palette;
  const auto x_of = [&](double level) {
    return std::clamp(look.axis.x(level), look.area.x0, look.area.x1);
  };
  const float x0 = x_of(look.from);
  const float x1 = std::max(x_of(look.to + 1.0), x0 + 1);
  const double alpha = look.is_limit ? kLimitAlpha : kStretchAlpha;
  // Within two clips: so fronts know what moves with the axis.
  canvas.push_clip(look.area);
  canvas.push_clip(look.area);
  canvas.fill({x0, look.area.y0, x1, look.area.y1}, colors.accent.with_alpha(alpha));
  for (const float x : {x0, x1}) {
    canvas.line({x, look.area.y0}, {x, look.area.y1}, colors.accent, 1);
  }
  canvas.pop_clip();
  canvas.pop_clip();
  draw_stretch_lines(canvas, colors, look.font_px, look.area, x0, look.lines);
}

}  // namespace tideline::render
