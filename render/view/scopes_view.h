// The scopes view: the graph as boxes that open in place, and what flows between them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "render/view/axis.h"
#include "render/view/canvas.h"
#include "render/view/palette.h"
#include "render/view/scope_layout.h"
#include "render/view/scope_paint.h"

namespace tideline::render {

/// Where one looks. The same zoom holds for both directions; 1: all of it is seen.
struct ScopesCamera {
  double zoom = 1;
  double x_0_1 = 0.5, y_0_1 = 0.5;  ///< what is in the middle, as shares of the layout
};
[[nodiscard]] ScopesCamera camera_of(VisibleRange range, double y_0_1);
[[nodiscard]] VisibleRange range_of(const ScopesCamera& camera);

/// The options of one frame. Pointers are not null and must outlive this.
struct ScopesLook {
  const Scene* scene = nullptr;
  const ScopeBoxes* boxes = nullptr;
  const ScopeLayout* layout = nullptr;
  const ScopePaint* paint = nullptr;
  const Palette* palette = nullptr;
  Rect area = {};
  ScopesCamera camera = {};
  std::uint32_t selected = 0;     ///< index of ScopeLayout::placed; 0: none
  std::uint32_t hovered = 0;      ///< the same
  int trace = 1;                  ///< so many boxes away from it what flows is marked
  std::optional<Rect> band = {};  ///< a rectangle that is being drawn; what it touches is marked
  std::vector<std::string> lines = {};  ///< of the levels that were chosen, in the top corner
  float font_px = 15;
};

/// Draws a frame: what is within the area, edges by their bytes, at most kMostScopeEdges of them.
/// Cost: O(what is seen of the layout). Thread: pure.
void draw_scopes(Canvas& canvas, const ScopesLook& look);
inline constexpr std::size_t kMostScopeEdges = 1200;

/// What is under a point: a box, the topmost one, or an edge where there is none.
struct ScopesHit {
  std::uint32_t placed = 0;                ///< 0: none
  std::optional<std::uint32_t> edge = {};  ///< index of ScopeLayout::edges
  Rect rect = {};                          ///< of the box, as far as it is seen
};
[[nodiscard]] ScopesHit hit_scopes(const ScopesLook& look, Point point);
/// What is said of it.
[[nodiscard]] std::vector<std::string> hit_lines(const ScopesLook& look, const ScopesHit& hit);

/// Where the boxes are drawn, seen or not, as ScopeLayout::placed. Cost: O(boxes).
[[nodiscard]] std::vector<Rect> box_rects(const ScopesLook& look);

/// The closed boxes that a rectangle touches, where they are seen, as indices of
/// ScopeLayout::placed. Cost: O(boxes).
[[nodiscard]] std::vector<std::uint32_t> boxes_in(const ScopesLook& look, Rect band);
/// From the first to the last level of all ops in these boxes; nullopt where there are none. Cost:
/// O(boxes + their ops).
struct BandLevels {
  std::int32_t from = 0, to = 0;
};
[[nodiscard]] std::optional<BandLevels> levels_in(const ScopesLook& look, Rect band);
/// Draws `band` and `lines`, the last of all.
void draw_scopes_band(Canvas& canvas, const ScopesLook& look);

/// The camera after zooming by `factor` while what is under `at` stays there, or after moving what
/// is seen by some pixels.
[[nodiscard]] ScopesCamera zoomed_at(const ScopesLook& look, double factor, Point at);
[[nodiscard]] ScopesCamera moved_by(const ScopesLook& look, float x_px, float y_px);
/// The camera that shows a box and what is around it.
[[nodiscard]] ScopesCamera camera_on(const ScopeLayout& layout, std::uint32_t placed);

}  // namespace tideline::render
