// Which bookmarks have a place on the axis of a chart.
#pragma once

#include <vector>

#include "render/model/view_state.h"
#include "render/view/bookmark_marks.h"
#include "render/view/scene.h"

namespace tideline::ui {

/// Of the bookmarks that show this axis, the timeline's for Tab::kTimeline, else that of memory
/// over `axis`; levels have one axis in both views. A bookmark stands at the level of its op or, of
/// other axes and without an op, in the middle of what it shows; one that shows all of an axis has
/// no place on it, and other views have no marks. Cost: O(1); of axes of time with bookmarks that
/// of shown_axis. Thread: the UI's.
[[nodiscard]] std::vector<render::BookmarkMark> shown_marks(const render::Scene& scene,
                                                            const ViewState& view, Tab tab,
                                                            AxisKind axis);

}  // namespace tideline::ui
