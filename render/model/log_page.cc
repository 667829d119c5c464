// Tested by tests/unit/model/log_page_test.cc.
#include "render/model/log_page.h"

#include <algorithm>

#include "core/base/text.h"

namespace tideline::ui {

std::optional<std::uint32_t> shown_tag(const LogCharts& charts, const LogContents& log,
                                       events::SeriesKind kind, std::string_view name) {
  const auto tags = charts.tags_of(kind);
  const auto found = std::find_if(tags.begin(), tags.end(),
                                  [&](std::uint32_t tag) { return log.tags[tag].name == name; });
  return found == tags.end() ? std::nullopt : std::optional(*found);
}

std::size_t shown_row(const LogContents& log, const LogView& view, std::uint32_t series) {
  const auto& rows = log.events->series()[series].rows;
  if (const auto chosen = view.rows.find(series); chosen != view.rows.end()) {
    return std::min<std::size_t>(chosen->second, rows.size() - 1);
  }
  if (!view.step) return rows.size() - 1;
  // The last such row: where training began again, it is from the newest attempt.
  for (std::size_t row = rows.size(); row-- > 0;) {
    if (rows[row].step <= *view.step) return row;
  }
  return 0;
}

void draw_enlarged_chart(render::Canvas& canvas, const render::Palette& palette,
                         const std::vector<render::RunCurve>& curves, std::string_view title,
                         const render::ScalarLook& look, render::Rect area, float font_px) {
  const float chart_px = area.height() - 4 * font_px;
  canvas.fill(area, palette.background);
  const render::ScalarChart chart =
      render::layout_scalars(curves, look, area.width(), chart_px, font_px);
  render::draw_scalars(canvas, palette, chart, {area.x0, area.y0}, printable(title, 400));
  render::draw_run_names(
      canvas, palette, curves,
      {area.x0 + font_px, area.y0 + chart_px + font_px, area.x1 - font_px, area.y1}, font_px);
}

}  // namespace tideline::ui
