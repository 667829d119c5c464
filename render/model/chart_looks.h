// How the charts of levels and memory are looked at in a state of the view: what any front draws,
// and where it finds what is under a point.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "render/model/axis_range.h"
#include "render/model/ui_model.h"
#include "render/model/view_cache.h"
#include "render/model/view_state.h"
#include "render/view/level_stretch.h"
#include "render/view/levels_view.h"
#include "render/view/memory_view.h"

namespace tideline::ui {

/// The level view in `area`. Preconditions: there is a graph, and `cache` is up to date. The look
/// points into `model` and `cache`. Cost: O(1). Thread: the UI's.
[[nodiscard]] render::LevelsLook levels_look(const UiModel& model, const ViewState& view,
                                             ViewCache& cache, render::Rect area);

/// Makes the rows `factor` times as high, keeping the row at `y_px` of `area` where it is.
void zoom_rows(ViewState& view, render::Rect area, double factor, double y_px);
/// Limits zoom and scroll of the rows in `view` to what there is to see in `look`, and gives both
/// to it. Thread: the UI's.
void limit_rows(ViewState& view, render::LevelsLook& look);

/// The axis of the memory view: below the levels it is always theirs, and without a traced step
/// there is no time.
[[nodiscard]] render::MemoryAxis memory_axis_of(const ViewState& view, const render::Scene& scene);
/// The visible part of that axis.
[[nodiscard]] AxisRange& memory_range(ViewState& view, render::MemoryAxis axis);
[[nodiscard]] const AxisRange& memory_range(const ViewState& view, render::MemoryAxis axis);

/// The memory view in `area`; with bands when it has the centre for itself. Preconditions and
/// thread as levels_look; lays the device out over the axis if that is new.
[[nodiscard]] render::MemoryLook memory_look(const UiModel& model, const ViewState& view,
                                             ViewCache& cache, render::Rect area);

/// The part of a view that is seen in `tab`, for pictures of it.
[[nodiscard]] render::ViewPart shown_part(const ViewState& view, const render::Scene& scene,
                                          Tab tab);

/// What draw_levels or draw_memory draws, as tideline.picture/1 (draw_list.h). `revision` is that
/// of the model. Cost: a few milliseconds at most, whatever the graph. Thread: pure.
/// `stretch` is drawn over it.
[[nodiscard]] std::string picture_json(
    const render::LevelsLook& look, std::uint64_t revision,
    const std::optional<render::LevelStretchLook>& stretch = std::nullopt);
[[nodiscard]] std::string picture_json(
    const render::MemoryLook& look, std::uint64_t revision,
    const std::optional<render::LevelStretchLook>& stretch = std::nullopt);

}  // namespace tideline::ui
