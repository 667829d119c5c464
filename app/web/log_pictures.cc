// Tested by unit/web/routes_log_test.cc.
#include "app/web/log_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/engine/chart_csv.h"
#include "app/web/state_json.h"
#include "core/base/text.h"
#include "render/model/log_page.h"
#include "render/view/draw_list.h"
#include "render/view/svg_canvas.h"

namespace tideline::web {
namespace {

using events::SeriesKind;
using nlohmann::ordered_json;
using render::Point;

constexpr std::size_t kMostHits = 20;

tl::unexpected<Error> no_chart(const LogChartWish& wish) {
  return fail(Code::kNotFound, "there is no chart '{}' to see in this log", printable(wish.tag));
}

// One chart with all that drawing it needs.
class LogChart {
 public:
  static Result<LogChart> make(Served& served, const PictureWish& wish) {
    const ui::UiModel& model = update_model(served);
    if (model.log == nullptr || model.log->events == nullptr) {
      return fail(Code::kInvalidArgument, "there is no chart, because no log is open");
    }
    LogChart chart(served, *model.log, wish);
    const LogChartWish& asked = *wish.log;
    const bool is_scalar = asked.kind == ui::LogPage::kScalars;
    const auto tag =
        ui::shown_tag(served.cache.log_charts(), *model.log,
                      is_scalar ? SeriesKind::kScalar : SeriesKind::kHistogram, asked.tag);
    if (!tag) return no_chart(asked);
    chart.shown_.tag = *tag;
    if (is_scalar) return chart;
    for (const auto& shown : served.cache.log_charts().series_of(SeriesKind::kHistogram)) {
      const events::Series& series = model.log->events->series()[shown.series];
      if (shown.tag != *tag || model.log->events->runs()[series.run] != asked.run) continue;
      chart.shown_ = shown;
      return chart;
    }
    return no_chart(asked);
  }

  /// Draws it, and gives its frame.
  render::ChartFrame draw(render::Canvas& canvas) const {
    if (const render::ScalarChart* chart = scalars()) {
      render::draw_scalars(canvas, colors_, *chart, {}, title());
      return *chart;
    }
    if (const render::RidgeChart* chart = ridges()) {
      render::draw_ridges(canvas, colors_, *chart, {}, title(), color());
      return *chart;
    }
    if (const render::BandChart* chart = bands()) {
      render::draw_bands(canvas, colors_, *chart, {}, title(), color());
      return *chart;
    }
    return {};
  }

  /// What is at `at` in words, one line a curve with its colour, and marked on `canvas`.
  void find(Point at, render::Canvas& canvas, std::vector<std::string>& lines,
            std::vector<render::Color>& colors) const {
    if (const render::ScalarChart* chart = scalars()) {
      find_scalars(*chart, at, canvas, lines, colors);
    } else if (const render::RidgeChart* ridge_chart = ridges()) {
      const auto hit = render::hit_ridges(*ridge_chart, at);
      if (!hit) return;
      render::draw_ridge_hit(canvas, colors_, *ridge_chart, {}, *hit);
      lines.push_back(render::ridge_hit_text(*ridge_chart, *hit));
    } else if (const render::BandChart* band_chart = bands()) {
      const auto column = render::hit_bands(*band_chart, at.x);
      if (!column) return;
      render::draw_band_hit(canvas, colors_, *band_chart, {}, *column);
      lines = render::band_hit_text(*band_chart, *column);
    }
  }

  [[nodiscard]] std::vector<render::RunCurve> curves() const { return charts().curves(shown_.tag); }
  [[nodiscard]] const render::Palette& colors() const { return colors_; }
  [[nodiscard]] const render::ScalarLook& look() const { return served_->viewer.view.log.look; }
  [[nodiscard]] float font_px() const { return font_px_; }

 private:
  LogChart(Served& served, const ui::LogContents& log, const PictureWish& wish)
      : served_(&served),
        log_(&log),
        wish_(&wish),
        colors_(render::palette(wish.theme.value_or(served.viewer.view.theme))),
        font_px_(static_cast<float>(wish.font_px.value_or(served.viewer.view.font_px))) {}

  [[nodiscard]] ui::LogCharts& charts() const { return served_->cache.log_charts(); }
  [[nodiscard]] bool is(ui::LogPage kind) const { return wish_->log->kind == kind; }
  [[nodiscard]] render::Color color() const { return render::run_color(colors_, shown_.number); }

  [[nodiscard]] std::string title() const {
    if (is(ui::LogPage::kScalars)) return printable(wish_->log->tag, 400);
    return fmt::format("{} {}  {}", shown_.number, printable(wish_->log->run, 200),
                       printable(wish_->log->tag, 400));
  }

  // Null for charts of another kind. The model was just updated, so there is time for one chart.
  [[nodiscard]] const render::ScalarChart* scalars() const {
    if (!is(ui::LogPage::kScalars)) return nullptr;
    return charts().chart(shown_.tag, look(), wish_->width_px, wish_->height_px, font_px_);
  }
  [[nodiscard]] const render::RidgeChart* ridges() const {
    if (!is(ui::LogPage::kHistograms)) return nullptr;
    return served_->cache.log_histograms().ridges(shown_.series,
                                                  served_->viewer.view.log.histograms,
                                                  wish_->width_px, wish_->height_px, font_px_);
  }
  [[nodiscard]] const render::BandChart* bands() const {
    if (!is(ui::LogPage::kDistributions)) return nullptr;
    return served_->cache.log_histograms().bands(shown_.series, look(), wish_->width_px,
                                                 wish_->height_px, font_px_);
  }

  void find_scalars(const render::ScalarChart& chart, Point at, render::Canvas& canvas,
                    std::vector<std::string>& lines, std::vector<render::Color>& colors) const {
    const std::vector<render::RunCurve> all = curves();
    const auto hits = render::hit_scalars(all, chart, at.x);
    if (hits.empty()) return;
    render::draw_scalar_hits(canvas, colors_, chart, {}, hits);
    for (std::size_t i = 0; i < std::min(hits.size(), kMostHits); ++i) {
      const auto own = std::find_if(all.begin(), all.end(), [&](const render::RunCurve& run) {
        return run.number == hits[i].number;
      });
      lines.push_back(render::hit_text(hits[i], chart.look, own->curve.begin_s));
      colors.push_back(render::run_color(colors_, hits[i].number));
    }
    if (hits.size() > kMostHits) {
      lines.push_back(fmt::format("and {} more runs", hits.size() - kMostHits));
    }
  }

  Served* served_;
  const ui::LogContents* log_;
  const PictureWish* wish_;
  render::Palette colors_;
  float font_px_;
  ui::LogCharts::Shown shown_;
};

}  // namespace

Result<std::string> log_picture_json(Served& served, const PictureWish& wish) {
  TIDELINE_TRY(const LogChart chart, LogChart::make(served, wish));
  render::DrawList list;
  const render::ChartFrame frame = chart.draw(list);
  std::string text = list.json({served.revision, {0, 1, 0, wish.width_px}, 0});
  text.pop_back();
  const render::Rect& plot = frame.plot;
  return text + fmt::format(R"(,"plot":[{},{},{},{}],"x":[{},{},{}]}})", plot.x0, plot.y0, plot.x1,
                            plot.y1, frame.x.first, frame.x.last, frame.x.is_log);
}

Result<ScalarsFile> scalars_file(Served& served, const PictureWish& wish) {
  TIDELINE_TRY(const LogChart chart, LogChart::make(served, wish));
  return ScalarsFile{update_model(served).log, chart.curves(), wish,
                     chart.colors(),           chart.look(),   chart.font_px()};
}

std::string ScalarsFile::svg() const {
  render::SvgCanvas canvas(wish.width_px, wish.height_px, 1, colors.background);
  ui::draw_enlarged_chart(canvas, colors, curves, wish.log->tag, look,
                          {0, 0, wish.width_px, wish.height_px}, font_px);
  return canvas.finish();
}

std::string ScalarsFile::csv() const {
  return app::chart_csv(curves);
}

Result<std::string> log_picture_svg(Served& served, const PictureWish& wish) {
  if (wish.log->kind == ui::LogPage::kScalars) {
    TIDELINE_TRY(const ScalarsFile file, scalars_file(served, wish));
    return file.svg();
  }
  TIDELINE_TRY(const LogChart chart, LogChart::make(served, wish));
  render::SvgCanvas canvas(wish.width_px, wish.height_px, 1, chart.colors().background);
  (void)chart.draw(canvas);
  return canvas.finish();
}

Result<ordered_json> log_hit_json(Served& served, const PictureWish& wish) {
  if (!wish.at) return fail(Code::kInvalidArgument, "x, y: expected the place of the mouse");
  TIDELINE_TRY(const LogChart chart, LogChart::make(served, wish));
  render::DrawList marks;
  std::vector<std::string> lines;
  std::vector<render::Color> colors;
  chart.find(*wish.at, marks, lines, colors);
  ordered_json answer = {{"lines", lines}, {"colors", ordered_json::array()}};
  for (const render::Color color : colors) {
    answer["colors"].push_back(fmt::format("#{:02x}{:02x}{:02x}", color.r, color.g, color.b));
  }
  answer["marks"] = ordered_json::parse(marks.json({served.revision, {0, 1, 0, wish.width_px}, 0}));
  return answer;
}

}  // namespace tideline::web
