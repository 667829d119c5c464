// The map in the corner of the scopes view, and what is said under the mouse. Tested by
// unit/view/scopes_view_test.cc.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "render/view/scopes_frame.h"
#include "render/view/scopes_loop.h"

namespace tideline::render {
namespace {

constexpr float kMapShare = 0.2F;  // of the plot, at most, each way
constexpr std::size_t kMostOnMap = 600;
constexpr std::size_t kLongestHit = 400;

std::string_view kind_of(const ScopeBox& box) {
  switch (box.kind) {
    case BoxKind::kSeries: return "numbered siblings of equal structure";
    case BoxKind::kGroup: return "a group of many";
    case BoxKind::kScope:
    case BoxKind::kOp: break;
  }
  return "scope";
}

}  // namespace

void draw_scopes_map(Canvas& canvas, const ScopesFrame& frame) {
  const ScopesLook& look = frame.look;
  if (look.camera.zoom <= 1) return;
  const ScopeLayout& layout = *look.layout;
  const float scale = std::min(frame.plot.width() * kMapShare / layout.width,
                               frame.plot.height() * kMapShare / layout.height);
  const float margin = look.font_px * 0.5F;
  const Rect map = {frame.plot.x1 - margin - layout.width * scale, frame.plot.y0 + margin,
                    frame.plot.x1 - margin, frame.plot.y0 + margin + layout.height * scale};
  const Palette& colors = *look.palette;
  canvas.fill(map, colors.panel.with_alpha(0.92), 3);
  canvas.push_clip(map);
  std::size_t drawn = 0;
  for (std::uint32_t i = 1; i < layout.placed.size() && drawn < kMostOnMap; ++i, ++drawn) {
    const Rect& rect = layout.placed[i].rect;
    const double alpha = layout.placed[i].is_open ? 0.25 : 0.9;
    canvas.fill({map.x0 + rect.x0 * scale, map.y0 + rect.y0 * scale, map.x0 + rect.x1 * scale,
                 map.y0 + rect.y1 * scale},
                look.paint->fill[i].with_alpha(alpha));
  }
  const float by = scale / frame.em_px;
  const auto x = [&](float px) { return map.x0 + (px - frame.origin.x) * by; };
  const auto y = [&](float px) { return map.y0 + (px - frame.origin.y) * by; };
  canvas.frame({x(frame.plot.x0), y(frame.plot.y0), x(frame.plot.x1), y(frame.plot.y1)},
               colors.selection, 1.5F);
  canvas.pop_clip();
  canvas.frame(map, colors.outline, 1, 3);
}

std::vector<std::string> hit_lines(const ScopesLook& look, const ScopesHit& hit) {
  const Scene& scene = *look.scene;
  const auto path_of = [&](std::uint32_t placed) {
    const ScopeBox& box = look.boxes->boxes[look.layout->placed[placed].box];
    return printable(look.boxes->path(scene, box), kLongestHit);
  };
  if (hit.edge) {
    const ScopeEdge& edge = look.layout->edges[*hit.edge];
    std::vector<std::string> lines = {path_of(edge.from) + " -> " + path_of(edge.to)};
    if (edge.tensors > 0) {
      lines.push_back(fmt::format("{} tensor{}, {}{}", edge.tensors, edge.tensors == 1 ? "" : "s",
                                  edge.is_unknown ? "at least " : "", format_bytes(edge.bytes)));
    }
    if (edge.references > 0) lines.push_back(fmt::format("{} as references", edge.references));
    if (edge.controls > 0)
      lines.push_back(
          fmt::format("{} control edge{}", edge.controls, edge.controls == 1 ? "" : "s"));
    return lines;
  }
  if (hit.placed == 0) return {};
  const ScopeBox& box = look.boxes->boxes[look.layout->placed[hit.placed].box];
  std::vector<std::string> lines = {path_of(hit.placed)}, inner;
  if (box.kind == BoxKind::kOp) {
    const OpId op{box.name};
    const SourceLine* line = scene.lines == nullptr ? nullptr : scene.lines->of(op);
    if (line != nullptr) lines.push_back("made at " + line_in_function(*line));
    for (const CalledFunction& called : functions_to_enter(scene, op)) {
      inner.push_back(fmt::format(
          "calls {}{}", called.attribute.empty() ? "" : called.attribute + " ", called.name));
    }
    if (is_loop_op(scene, op)) {
      const WhileFrames& loops = *scene.loops;
      inner.push_back("of the loop " + loop_name(*scene.graph, loops, loops.frame_of[op.index()]));
    }
    lines.push_back(fmt::format("{}, {}, level {}", printable(scene.graph->type(op)),
                                phase_name(scene.phases->of(op)), scene.levels->level(op)));
  } else {
    lines.push_back(fmt::format("{}, {} op{}, levels {} to {}", kind_of(box), box.op_count,
                                box.op_count == 1 ? "" : "s", box.first_level, box.last_level));
  }
  lines.push_back(
      fmt::format("outputs: {}{}", box.is_unknown ? "at least " : "", format_bytes(box.bytes)));
  if (look.paint->swapped[hit.placed] > 0)
    lines.push_back(fmt::format("tensors swapped: {}", look.paint->swapped[hit.placed]));
  for (const std::string& line : inner) lines.push_back(printable(line, kLongestHit));
  if (look.layout->placed[hit.placed].is_aside)
    lines.emplace_back("aside: its edges are drawn while it is selected or under the mouse");
  return lines;
}

}  // namespace tideline::render
