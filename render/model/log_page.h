// What a page of an open log shows, for every front: its words, the chart of a tag, the row of an
// image or text, and the enlarged chart as a picture.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/events/event_log.h"
#include "render/model/log_charts.h"
#include "render/model/view_state.h"
#include "render/view/canvas.h"
#include "render/view/palette.h"

namespace tideline::ui {

/// What actions and pages call them, by LogPage.
inline constexpr std::array<std::string_view, 7> kLogPageWords = {
    "scalars", "histograms", "distributions", "images", "text", "hparams", "graphs"};
static_assert(kLogPageWords.size() == static_cast<std::size_t>(LogPage::kGraphs) + 1);
/// What actions and pages call them, by render::LogAxis.
inline constexpr std::array<std::string_view, 3> kLogAxisWords = {"step", "relative", "wall"};

/// The tag of this kind and name, as an index of LogContents::tags; nullopt if the filters or the
/// chosen runs leave nothing of it. Precondition: `charts` is of `log`. Cost: O(tags).
[[nodiscard]] std::optional<std::uint32_t> shown_tag(const LogCharts& charts,
                                                     const LogContents& log,
                                                     events::SeriesKind kind,
                                                     std::string_view name);

/// The row of a series of images or texts that is shown. Precondition: the series has rows.
/// Cost: O(rows).
[[nodiscard]] std::size_t shown_row(const LogContents& log, const LogView& view,
                                    std::uint32_t series);

/// A chart of scalars for itself in `area`, with the names of its runs below it, as it is written.
/// Cost: O(points).
void draw_enlarged_chart(render::Canvas& canvas, const render::Palette& palette,
                         const std::vector<render::RunCurve>& curves, std::string_view title,
                         const render::ScalarLook& look, render::Rect area, float font_px);

}  // namespace tideline::ui
