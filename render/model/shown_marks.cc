// Tested by unit/model/chart_looks_test.cc.
#include "render/model/shown_marks.h"

#include <optional>

#include "render/model/shown_axis.h"

namespace tideline::ui {
namespace {

// Levels are the axis of their own view, and one of those of memory.
bool is_of_levels(Tab tab, AxisKind axis) {
  return tab == Tab::kLevels || (tab == Tab::kMemory && axis == AxisKind::kLevel);
}

bool is_on(const Bookmark& place, Tab tab, AxisKind axis) {
  if (is_of_levels(tab, axis)) return is_of_levels(place.tab, place.memory_axis);
  return place.tab == tab && (tab != Tab::kMemory || place.memory_axis == axis);
}

std::optional<double> level_of(const render::Scene& scene, const Bookmark& place) {
  if (place.op.empty()) return std::nullopt;
  const auto tensor = scene.graph->find_tensor(place.op);
  if (!tensor) return std::nullopt;
  return scene.levels->level(tensor->op) + 0.5;
}

}  // namespace

std::vector<render::BookmarkMark> shown_marks(const render::Scene& scene, const ViewState& view,
                                              Tab tab, AxisKind axis) {
  std::vector<render::BookmarkMark> marks;
  if (tab != Tab::kLevels && tab != Tab::kMemory && tab != Tab::kTimeline) return marks;
  std::optional<ShownAxis> shown;  // known once it is needed
  ViewState looked = view;
  for (std::size_t i = 0; i < view.bookmarks.size(); ++i) {
    const auto& place = view.bookmarks[i];
    if (!place || !is_on(*place, tab, axis)) continue;
    std::optional<double> at;
    if (is_of_levels(tab, axis)) at = level_of(scene, *place);
    if (!at && place->range.span > 0) {
      if (!shown) {
        looked.tab = tab;
        looked.memory_axis = axis;
        shown = shown_axis(scene, looked);
      }
      at = shown->positions(place->range.first + place->range.span / 2);
    }
    if (at) marks.push_back({static_cast<int>(i) + 1, *at});
  }
  return marks;
}

}  // namespace tideline::ui
