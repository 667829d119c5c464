// Tested by unit/web/routes_test.cc.
#include "app/web/pictures.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/actions/arguments.h"
#include "app/web/hits.h"
#include "app/web/log_pictures.h"
#include "app/web/state_json.h"
#include "core/base/text.h"
#include "render/model/chart_looks.h"
#include "render/model/diff_look.h"
#include "render/model/levels_limit.h"
#include "render/model/log_page.h"
#include "render/model/scopes_look.h"
#include "render/model/timeline_look.h"
#include "render/view/draw_list.h"
#include "render/view/fit_chart.h"
#include "render/view/svg_canvas.h"

namespace tideline::web {
namespace {

using nlohmann::ordered_json;

constexpr double kLeastPx = 16;
constexpr double kMostNumber = 1e9;

Status parse_number(const FindParameter& find, const char* name, double least, double most,
                    std::optional<double>& number) {
  const auto text = find(name);
  if (!text) return {};
  const auto value = app::parse_decimal(*text);
  if (!value || *value < least || *value > most) {
    return fail(Code::kInvalidArgument, "{}: invalid value '{}'; expected a number from {} to {}",
                name, printable(*text), least, most);
  }
  number = *value;
  return {};
}

// The chart in the session's view, or as the wish changes it. What the rows may be scrolled to
// depends on the size of the chart, so it is the first to know.
class Chart {
 public:
  Chart(Served& served, const PictureWish& wish)
      : served_(served),
        wish_(wish),
        model_(update_model(served)),
        view_(served.viewer.view),
        area_{0, 0, wish.width_px, wish.height_px} {
    if (wish.font_px) view_.font_px = static_cast<float>(*wish.font_px);
    if (wish.theme) view_.theme = *wish.theme;
    if (wish.row_zoom) view_.y_zoom = *wish.row_zoom;
    if (wish.scroll_px && wish.view == ui::Tab::kTimeline) {
      view_.trace_scroll_px = *wish.scroll_px;
    } else if (wish.scroll_px) {
      view_.y_scroll_px = *wish.scroll_px;
      view_.y_scroll_share.reset();
    }
    if (wish.first || wish.span) set_range();
  }

  /// All of a view of which a page can move nothing.
  void draw_whole(render::Canvas& canvas) const {
    const ui::FitCard* card = model_.fit.card.get();
    ui::view_of(wish_.view)
        .draw(canvas, {&*model_.scene, view_.theme, area_, view_.font_px,
                       card != nullptr ? &card->curve : nullptr,
                       card != nullptr ? card->why_no_curve : std::string_view()});
  }
  /// What the curve of a fit has there.
  [[nodiscard]] std::vector<std::string> fit_lines(render::Point at) const {
    if (model_.fit.card == nullptr) return {};
    const render::DrawList measure;
    const render::FitChart chart = render::layout_fit(model_.fit.card->curve, area_.width(),
                                                      area_.height(), view_.font_px, measure, "");
    const auto hit = render::hit_fit(chart, at);
    return hit ? render::hit_lines(chart, *hit) : std::vector<std::string>();
  }
  [[nodiscard]] render::LevelsLook levels() {
    render::LevelsLook look = ui::levels_look(model_, view_, served_.cache, area_);
    if (model_.lesson && model_.lesson->op) look.hovered = TensorId{*model_.lesson->op, 0};
    ui::limit_rows(view_, look);
    if (!wish_.row_zoom && !wish_.scroll_px) {
      served_.viewer.view.y_zoom = view_.y_zoom;
      served_.viewer.view.y_scroll_px = view_.y_scroll_px;
      served_.viewer.view.y_scroll_share = view_.y_scroll_share;
    }
    return look;
  }
  [[nodiscard]] render::MemoryLook memory() {
    return ui::memory_look(model_, view_, served_.cache, area_);
  }
  [[nodiscard]] render::ScopesLook scopes() {
    return ui::scopes_look(model_, view_, served_.cache, area_);
  }
  [[nodiscard]] render::TimelineLook timeline() {
    render::TimelineLook look = ui::timeline_look(model_, view_, served_.cache, area_);
    ui::limit_bands(view_, look);
    return look;
  }
  // How far lists can be scrolled depends on the size of the picture.
  [[nodiscard]] render::DiffLook diff() {
    render::DiffLook look = ui::diff_look(model_, view_, served_.cache, area_);
    if (look.changes == nullptr) return look;
    const auto limit = [](double& rows, double most) { rows = std::min(rows, most); };
    limit(look.part.scroll_rows, render::most_scroll_rows(look));
    limit(look.part.text_scroll_rows, render::most_text_scroll_rows(look));
    served_.viewer.view.diff = look.part;
    return look;
  }
  /// The levels that were chosen, over one of both.
  [[nodiscard]] std::optional<render::LevelStretchLook> stretch(const render::LevelsLook& look) {
    return ui::stretch_look(model_, view_, nullptr, render::levels_axis(look), area_, true);
  }
  [[nodiscard]] std::optional<render::LevelStretchLook> stretch(const render::MemoryLook& look) {
    return ui::stretch_look(model_, view_, look.memory, render::memory_axis(look), area_,
                            view_.tab == ui::Tab::kMemory);
  }
  [[nodiscard]] const ui::UiModel& model() const { return model_; }
  [[nodiscard]] const ui::ViewState& view() const { return view_; }

 private:
  void set_range() {
    const auto set = [&](ui::AxisRange& range, int count) {
      range.first = wish_.first.value_or(range.first);
      range.span = wish_.span.value_or(range.span);
      range = ui::clamped(range, count);
    };
    const render::Scene& scene = *model_.scene;
    if (wish_.view == ui::Tab::kTimeline) {
      set(view_.trace, served_.cache.timeline(scene).count);
    } else if (wish_.view == ui::Tab::kMemory) {
      const render::MemoryAxis axis = ui::memory_axis_of(view_, scene);
      set(ui::memory_range(view_, axis), served_.cache.memory(scene, view_.device, axis).count);
    } else {
      set(view_.axis, served_.cache.ops()->level_count);
    }
  }

  Served& served_;
  const PictureWish& wish_;
  const ui::UiModel& model_;
  ui::ViewState view_;
  render::Rect area_;
};

Status check_wish(const Served& served, const PictureWish& wish) {
  const auto& snapshot = served.viewer.graph().snapshot();
  if (!snapshot) {
    return fail(Code::kInvalidArgument, "there is no picture, because no graph is open");
  }
  if (ui::view_of(wish.view).needs_trace && !snapshot->shown->measured) {
    return fail(Code::kInvalidArgument, "there is no picture, because there is no traced step");
  }
  return {};
}

// A chart of a log for the view "log", else none.
Result<std::optional<LogChartWish>> parse_log_chart(const FindParameter& find,
                                                    const std::string& view) {
  if (view != "log") return std::nullopt;
  const std::string chart = find("chart").value_or("");
  const auto* const word = std::find(ui::kLogPageWords.begin(), ui::kLogPageWords.end(), chart);
  const auto kind = static_cast<ui::LogPage>(word - ui::kLogPageWords.begin());
  if (word == ui::kLogPageWords.end() || kind > ui::LogPage::kDistributions) {
    return fail(Code::kInvalidArgument,
                "chart: invalid value '{}'; expected scalars, histograms or distributions",
                printable(chart));
  }
  return LogChartWish{kind, find("tag").value_or(""), find("run").value_or("")};
}

}  // namespace

Result<PictureWish> parse_picture(const FindParameter& find) {
  PictureWish wish;
  const std::string view = find("view").value_or("");
  const render::View* found = render::find_view(view);
  TIDELINE_TRY(wish.log, parse_log_chart(find, view));
  if (found == nullptr && !wish.log) {
    return fail(Code::kInvalidArgument, "view: invalid value '{}'; expected {}", printable(view),
                alternatives(render::view_words()));
  }
  if (found != nullptr) wish.view = ui::tab_of(*found);
  std::optional<double> width, height, x, y, x2, y2;
  TIDELINE_RETURN_IF_ERROR(parse_number(find, "w", kLeastPx, kMostPicturePx, width));
  TIDELINE_RETURN_IF_ERROR(parse_number(find, "h", kLeastPx, kMostPicturePx, height));
  if (!width || !height) {
    return fail(Code::kInvalidArgument, "w, h: expected the size of the picture");
  }
  wish.width_px = static_cast<float>(*width);
  wish.height_px = static_cast<float>(*height);
  TIDELINE_RETURN_IF_ERROR(parse_number(find, "font", 8, 48, wish.font_px));
  TIDELINE_RETURN_IF_ERROR(parse_number(find, "first", -kMostNumber, kMostNumber, wish.first));
  TIDELINE_RETURN_IF_ERROR(parse_number(find, "span", 0, kMostNumber, wish.span));
  TIDELINE_RETURN_IF_ERROR(parse_number(find, "row_zoom", 1, 64, wish.row_zoom));
  TIDELINE_RETURN_IF_ERROR(parse_number(find, "scroll", 0, kMostNumber, wish.scroll_px));
  TIDELINE_RETURN_IF_ERROR(parse_number(find, "x", -kMostNumber, kMostNumber, x));
  TIDELINE_RETURN_IF_ERROR(parse_number(find, "y", -kMostNumber, kMostNumber, y));
  TIDELINE_RETURN_IF_ERROR(parse_number(find, "x2", -kMostNumber, kMostNumber, x2));
  TIDELINE_RETURN_IF_ERROR(parse_number(find, "y2", -kMostNumber, kMostNumber, y2));
  if (x2 && y2) wish.to = render::Point{static_cast<float>(*x2), static_cast<float>(*y2)};
  if (x && y) wish.at = render::Point{static_cast<float>(*x), static_cast<float>(*y)};
  if (const auto theme = find("theme")) {
    wish.theme = render::theme_of_name(*theme);
    if (!wish.theme) {
      return fail(Code::kInvalidArgument,
                  "theme: invalid value '{}'; expected dark, light or color-blind-safe",
                  printable(*theme));
    }
  }
  return wish;
}

Result<PictureWish> parse_picture(const nlohmann::json& object) {
  if (!object.is_object()) {
    return fail(Code::kInvalidArgument, "pictures: expected a list of objects");
  }
  return parse_picture([&](std::string_view name) -> std::optional<std::string> {
    const auto found = object.find(std::string(name));
    if (found == object.end() || found->is_null()) return std::nullopt;
    return found->is_string() ? found->get<std::string>() : found->dump();
  });
}

Result<std::string> picture_json(Served& served, const PictureWish& wish) {
  if (wish.log) return log_picture_json(served, wish);
  TIDELINE_RETURN_IF_ERROR(check_wish(served, wish));
  Chart chart(served, wish);
  switch (wish.view) {
    case ui::Tab::kLevels: {
      const render::LevelsLook look = chart.levels();
      return ui::picture_json(look, served.revision, chart.stretch(look));
    }
    case ui::Tab::kMemory: {
      const render::MemoryLook look = chart.memory();
      return ui::picture_json(look, served.revision, chart.stretch(look));
    }
    case ui::Tab::kScopes: return ui::picture_json(chart.scopes(), served.revision);
    case ui::Tab::kTimeline: return ui::picture_json(chart.timeline(), served.revision);
    default: break;
  }
  render::DrawList list;
  if (wish.view == ui::Tab::kDiff) {
    render::draw_diff(list, chart.diff());
  } else {
    chart.draw_whole(list);
  }
  const float margin = chart.view().font_px * 0.5F;  // where charts begin
  return list.json({served.revision, {0, 1, margin, wish.width_px - margin}, 0});
}

Result<std::string> picture_svg(Served& served, const PictureWish& wish) {
  if (wish.log) return log_picture_svg(served, wish);
  TIDELINE_RETURN_IF_ERROR(check_wish(served, wish));
  Chart chart(served, wish);
  render::SvgCanvas canvas(wish.width_px, wish.height_px, 1,
                           render::palette(chart.view().theme).background);
  switch (wish.view) {
    case ui::Tab::kLevels: render::draw_levels(canvas, chart.levels()); break;
    case ui::Tab::kMemory: render::draw_memory(canvas, chart.memory()); break;
    case ui::Tab::kScopes: render::draw_scopes(canvas, chart.scopes()); break;
    case ui::Tab::kDiff: render::draw_diff(canvas, chart.diff()); break;
    case ui::Tab::kTimeline: render::draw_timeline(canvas, chart.timeline()); break;
    default: chart.draw_whole(canvas);
  }
  return canvas.finish();
}

Result<ordered_json> hit_json(Served& served, const PictureWish& wish) {
  if (wish.log) return log_hit_json(served, wish);
  TIDELINE_RETURN_IF_ERROR(check_wish(served, wish));
  if (!wish.at) return fail(Code::kInvalidArgument, "x, y: expected the place of the mouse");
  Chart chart(served, wish);
  const HitJson hit(*chart.model().scene, *wish.at);
  switch (wish.view) {
    case ui::Tab::kLevels: return hit.of(chart.levels());
    case ui::Tab::kMemory: return hit.of(chart.memory());
    case ui::Tab::kScopes:
      return wish.to ? hit.band(chart.scopes(), *wish.to)
                     : hit.of(chart.scopes(), chart.view().boxes.loop);
    case ui::Tab::kTimeline: return hit.of(chart.timeline());
    case ui::Tab::kDiff:
      if (chart.model().diff.changes != nullptr) return hit.of(chart.diff());
      break;
    case ui::Tab::kFit: return hit.nothing(chart.fit_lines(*wish.at));
    case ui::Tab::kTried: break;
  }
  return hit.nothing({});
}

}  // namespace tideline::web
