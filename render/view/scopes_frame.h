// The geometry of one frame of the scopes view. Drawing and hit tests share it and therefore agree.
#pragma once

#include <cstdint>
#include <vector>

#include "render/view/legend.h"
#include "render/view/scopes_view.h"

namespace tideline::render {

/// The way of an edge.
struct ScopeCurve {
  Point from, control_a, control_b, to;
  /// 0 at its beginning, 1 at its end.
  [[nodiscard]] Point at(float share) const;
};

struct ScopesFrame {
  const ScopesLook& look;
  Rect plot = {};     ///< of the boxes
  Legend words = {};  ///< of the legend below
  float legend_y = 0;
  float em_px = 1;    ///< pixels of an em of the layout
  Point origin = {};  ///< where its left upper corner is

  [[nodiscard]] Rect rect_of(std::uint32_t placed) const;
  [[nodiscard]] bool is_seen(const Rect& rect) const;
  [[nodiscard]] ScopeCurve curve_of(const ScopeEdge& edge) const;
  [[nodiscard]] float width_of(const ScopeEdge& edge) const;
};

[[nodiscard]] ScopesFrame measure_scopes(const ScopesLook& look);

/// The edges that are drawn, by index: those of the selected and the hovered box, and of the others
/// those of no box aside, at most kMostScopeEdges, the ones with the most bytes.
struct SeenEdges {
  std::vector<std::uint32_t> plain;
  std::vector<std::uint32_t> inputs, outputs;  ///< of the selected box, or the hovered one
  std::size_t left_out = 0;
};
[[nodiscard]] SeenEdges find_seen_edges(const ScopesFrame& frame);

void draw_scope_edges(Canvas& canvas, const ScopesFrame& frame, const SeenEdges& edges);
/// On top of the others.
void draw_marked_edges(Canvas& canvas, const ScopesFrame& frame, const SeenEdges& edges);
/// Where a part of the layout is seen: all of it in a corner, and the part as a frame.
void draw_scopes_map(Canvas& canvas, const ScopesFrame& frame);

}  // namespace tideline::render
