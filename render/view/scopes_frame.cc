// Tested by unit/view/scopes_view_test.cc.
#include "render/view/scopes_frame.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tideline::render {
namespace {

using Mark = LegendEntry::Mark;

constexpr float kMostEms = 1.5F;  // of the size of text, of an em of a small graph
constexpr float kFarFromPlotPx = 1e6F;
constexpr std::uint8_t kInput = 1, kOutput = 2;  // marks of an edge

// What is drawn of edges, after what the colours of boxes mean.
std::vector<LegendEntry> legend_of(const ScopesLook& look) {
  std::vector<LegendEntry> entries = look.paint->legend;
  const Palette& colors = *look.palette;
  const auto is_any = [&](auto has) {
    return std::any_of(look.layout->edges.begin(), look.layout->edges.end(), has);
  };
  if (!look.paint->is_idle.empty()) {
    entries.push_back(
        {Mark::kPatch, colors.candidate.with_alpha(0.3), "faded: did not run in the traced step"});
  }
  entries.push_back({Mark::kLine, colors.dim_text, "tensors, the wider the more bytes"});
  if (is_any([](const ScopeEdge& edge) { return edge.is_reference() && !edge.is_aside; }))
    entries.push_back({Mark::kLine, colors.host, "references"});
  if (is_any([](const ScopeEdge& edge) { return edge.tensors == 0 && !edge.is_aside; }))
    entries.push_back({Mark::kDotted, colors.dim_text, "waits for"});
  if (look.selected != 0) {
    entries.push_back({Mark::kLine, colors.accent, "its inputs"});
    entries.push_back({Mark::kLine, colors.measured, "what reads it"});
  }
  return entries;
}

// The middle of the side of a box where edges leave or arrive, a little towards the other end.
float toward(float middle, float other, float reach) {
  return middle + std::clamp((other - middle) * 0.12F, -reach, reach);
}

// Marks what flows into a box, or out of it, through so many boxes.
void mark_flow(const ScopesFrame& frame, std::uint32_t around, int depth, bool is_inward,
               std::vector<std::uint8_t>& marks) {
  const ScopeLayout& layout = *frame.look.layout;
  std::vector<bool> reached(layout.placed.size());
  const std::uint32_t end = layout.placed[around].end;
  std::fill(reached.begin() + around, reached.begin() + end, true);
  for (int step = 0; step < depth; ++step) {
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < layout.edges.size(); ++i) {
      const ScopeEdge& edge = layout.edges[i];
      const std::uint32_t near = is_inward ? edge.to : edge.from;
      const std::uint32_t far = is_inward ? edge.from : edge.to;
      const bool is_within = far >= around && far < end;
      if (!reached[near] || is_within) continue;
      if (marks[i] == 0) marks[i] = is_inward ? kInput : kOutput;
      if (!reached[far]) found.push_back(far);
    }
    for (const std::uint32_t box : found) reached[box] = true;
    if (found.empty()) break;
  }
}

// By edge; 0: none.
std::vector<std::uint8_t> find_marks(const ScopesFrame& frame) {
  std::vector<std::uint8_t> marks(frame.look.layout->edges.size());
  const auto mark = [&](std::uint32_t box, int depth) {
    if (box == 0) return;
    mark_flow(frame, box, depth, true, marks);
    mark_flow(frame, box, depth, false, marks);
  };
  mark(frame.look.selected, frame.look.trace);
  // Under the mouse is often what holds everything.
  const PlacedScope& hovered = frame.look.layout->placed[frame.look.hovered];
  if (!hovered.is_open) mark(frame.look.hovered, 1);
  return marks;
}

}  // namespace

Point ScopeCurve::at(float share) const {
  const float left = 1 - share;
  const float a = left * left * left, b = 3 * left * left * share, c = 3 * left * share * share,
              d = share * share * share;
  return {a * from.x + b * control_a.x + c * control_b.x + d * to.x,
          a * from.y + b * control_a.y + c * control_b.y + d * to.y};
}

Rect ScopesFrame::rect_of(std::uint32_t placed) const {
  const Rect& rect = look.layout->placed[placed].rect;
  const auto limit = [](float px) { return std::clamp(px, -kFarFromPlotPx, kFarFromPlotPx); };
  return {limit(origin.x + rect.x0 * em_px), limit(origin.y + rect.y0 * em_px),
          limit(origin.x + rect.x1 * em_px), limit(origin.y + rect.y1 * em_px)};
}

bool ScopesFrame::is_seen(const Rect& rect) const {
  return rect.x1 > plot.x0 && rect.x0 < plot.x1 && rect.y1 > plot.y0 && rect.y0 < plot.y1;
}

ScopeCurve ScopesFrame::curve_of(const ScopeEdge& edge) const {
  const bool is_turned = look.layout->is_vertical;
  const auto turned = [&](Point p) { return is_turned ? Point{p.y, p.x} : p; };
  const auto turned_rect = [&](Rect r) { return is_turned ? Rect{r.y0, r.x0, r.y1, r.x1} : r; };
  const Rect a = turned_rect(rect_of(edge.from));
  const Rect b = turned_rect(rect_of(edge.to));
  const float ax = (a.x0 + a.x1) / 2, bx = (b.x0 + b.x1) / 2;
  const float ay = (a.y0 + a.y1) / 2, by = (b.y0 + b.y1) / 2;
  ScopeCurve way;
  if (b.x0 > a.x0) {  // with the flow
    way.from = {a.x1, toward(ay, by, a.height() * 0.3F)};
    way.to = {b.x0, toward(by, ay, b.height() * 0.3F)};
    const float bend = std::max(std::abs(way.to.x - way.from.x) * 0.5F, em_px * 1.5F);
    way.control_a = {way.from.x + bend, way.from.y};
    way.control_b = {way.to.x - bend, way.to.y};
  } else {  // to the next line, or back
    const bool is_below = b.y0 >= a.y1, is_above = b.y1 <= a.y0;
    way.from = {toward(ax, bx, a.width() * 0.3F), is_above ? a.y0 : a.y1};
    way.to = {toward(bx, ax, b.width() * 0.3F), is_below ? b.y0 : b.y1};
    const float reach = std::max(std::abs(way.to.y - way.from.y) * 0.5F, em_px * 1.5F);
    way.control_a = {way.from.x, way.from.y + (is_above ? -reach : reach)};
    way.control_b = {way.to.x, way.to.y + (is_below ? -reach : reach)};
  }
  return {turned(way.from), turned(way.control_a), turned(way.control_b), turned(way.to)};
}

float ScopesFrame::width_of(const ScopeEdge& edge) const {
  constexpr double kThinBytes = 4096;
  const float scale = std::clamp(em_px / 14, 0.25F, 1.6F);
  if (edge.tensors == 0 || edge.is_reference()) return std::max(0.75F, scale);
  const double doublings = std::log2(1 + static_cast<double>(edge.bytes) / kThinBytes);
  return std::max(0.5F, (1 + 0.4F * static_cast<float>(std::min(doublings, 18.0))) * scale);
}

ScopesFrame measure_scopes(const ScopesLook& look) {
  ScopesFrame frame{.look = look};
  const float margin = look.font_px * 0.5F;
  frame.words = place_legend(legend_of(look), look.area.x0 + margin, look.area.x1 - margin,
                             look.font_px * 0.8F, look.area.height() * 0.12F);
  frame.legend_y = look.area.y1 - frame.words.height_px - margin * 0.5F;
  frame.plot = {look.area.x0, look.area.y0, look.area.x1,
                std::max(look.area.y0 + 1, frame.legend_y - margin * 0.5F)};
  const ScopeLayout& layout = *look.layout;
  const float fit = std::min({frame.plot.width() / layout.width,
                              frame.plot.height() / layout.height, look.font_px * kMostEms});
  const double zoom = std::isfinite(look.camera.zoom) ? std::max(1.0, look.camera.zoom) : 1;
  frame.em_px = fit * static_cast<float>(zoom);
  const auto middle = [&](double share) {
    return zoom == 1 || !std::isfinite(share) ? 0.5F : static_cast<float>(share);
  };
  frame.origin = {
      (frame.plot.x0 + frame.plot.x1) / 2 - middle(look.camera.x_0_1) * layout.width * frame.em_px,
      (frame.plot.y0 + frame.plot.y1) / 2 -
          middle(look.camera.y_0_1) * layout.height * frame.em_px};
  return frame;
}

SeenEdges find_seen_edges(const ScopesFrame& frame) {
  const std::vector<std::uint8_t> marks = find_marks(frame);
  const auto& edges = frame.look.layout->edges;
  SeenEdges seen;
  for (std::uint32_t i = 0; i < edges.size(); ++i) {
    if (marks[i] == 0 && edges[i].is_aside) continue;
    const ScopeCurve curve = frame.curve_of(edges[i]);
    const auto [x0, x1] =
        std::minmax({curve.from.x, curve.control_a.x, curve.control_b.x, curve.to.x});
    const auto [y0, y1] =
        std::minmax({curve.from.y, curve.control_a.y, curve.control_b.y, curve.to.y});
    const Rect box = {x0, y0, x1 + 1, y1 + 1};
    if (!frame.is_seen(box)) continue;
    (marks[i] == kInput    ? seen.inputs
     : marks[i] == kOutput ? seen.outputs
                           : seen.plain)
        .push_back(i);
  }
  const auto keep_largest = [&](std::vector<std::uint32_t>& some) {
    if (some.size() <= kMostScopeEdges) return;
    seen.left_out += some.size() - kMostScopeEdges;
    const auto rank = [&](std::uint32_t i) { return std::tuple(-edges[i].bytes, i); };
    std::nth_element(some.begin(), some.begin() + kMostScopeEdges, some.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
    some.resize(kMostScopeEdges);
    std::sort(some.begin(), some.end());
  };
  keep_largest(seen.plain);
  keep_largest(seen.inputs);
  keep_largest(seen.outputs);
  return seen;
}

}  // namespace tideline::render
