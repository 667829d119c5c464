// How a traced step is looked at in a state of the view: what any front draws of the timeline, and
// what it says of the stretch that was chosen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/memory/measured/trace_lanes.h"
#include "render/model/ui_model.h"
#include "render/model/view_cache.h"
#include "render/model/view_state.h"
#include "render/view/timeline_view.h"

namespace tideline::ui {

/// The timeline in `area`, with its stretch and the selected op. Preconditions: there is a traced
/// step, and `cache` is up to date. The look points into `model` and `cache`. Cost: O(1); O(rows
/// log rows) for a step that was not laid out yet. Thread: the UI's.
[[nodiscard]] render::TimelineLook timeline_look(const UiModel& model, const ViewState& view,
                                                 ViewCache& cache, render::Rect area);

/// Limits the scroll of the bands in `view` to what there is to see in `look`, and gives it to it.
void limit_bands(ViewState& view, render::TimelineLook& look);

/// The part of the axis that shows an execution with a little around it.
[[nodiscard]] AxisRange range_around(const render::TimelineLayout& timeline, ZonePlace zone);

/// Where the execution is drawn, clipped to what is seen; nullopt without one.
[[nodiscard]] std::optional<render::Rect> rect_of(const render::TimelineLook& look,
                                                  const render::TimelineHit& hit);

/// What the statistics are of: the chosen stretch, else the whole step.
[[nodiscard]] TimeStretch measured_stretch(const ViewState& view,
                                           const render::TimelineLayout& timeline);
/// "Stretch: 1.2 ms from 3 ms to 4.2 ms, waiting for late swap-ins 0 us".
[[nodiscard]] std::string stretch_title(const ViewState& view, const TimeStretch& stretch,
                                        const RangeStatistics& statistics);

/// What draw_timeline draws, as tideline.picture/1 (draw_list.h).
[[nodiscard]] std::string picture_json(const render::TimelineLook& look, std::uint64_t revision);

}  // namespace tideline::ui
