#include "app/gui/pictures.h"

#include <algorithm>
#include <functional>

#include "app/actions/ui_model.h"
#include "app/engine/input_readers.h"
#include "app/gui/draw_apart.h"
#include "app/gui/picture.h"
#include "app/gui/window_picture.h"
#include "core/base/output_file.h"
#include "core/base/text.h"
#include "render/gl/png.h"
#include "render/model/chart_looks.h"
#include "render/model/log_charts.h"
#include "render/model/log_page.h"
#include "render/view/picture.h"
#include "render/view/svg_canvas.h"

namespace tideline::gui {
namespace {

constexpr int kWidth = 1600, kHeight = 1000;
constexpr float kChartWidth = 1200, kChartHeight = 700;
constexpr int kMostLooks = 3;
constexpr float kUsualFontPx = 15;  // at the scale of the display

Result<std::string> draw_window(app::Viewer& viewer, bool is_svg) {
  if (is_svg)
    return fail(Code::kUnsupported, "the window cannot be drawn as SVG; expected a name in .png");
  const int width = std::max(viewer.settings.window_width_px, 640);
  const int height = std::max(viewer.settings.window_height_px, 400);
  // Images of a log are decoded once a frame wants them.
  for (int look = 0;; ++look) {
    const ui::UiModel& model = app::make_ui_model(viewer);
    ui::ViewState view = viewer.view;
    if (is_memory_limited()) {  // with the images that have been decoded before
      return draw_apart([&]() -> Result<std::string> {
        TIDELINE_TRY(const gl::Image image, draw_window_frames(model, view, width, height));
        return gl::encode_png(image);
      });
    }
    TIDELINE_TRY(const gl::Image image, draw_window_frames(model, view, width, height));
    const auto is_there = [&](const ui::LogRowKey& key) {
      return model.log_images == nullptr || model.log_images->rows.contains(key);
    };
    const auto& wanted = view.log.wanted_images;
    const auto missing = std::count_if(wanted.begin(), wanted.end(), std::not_fn(is_there));
    if (missing == 0 || look == kMostLooks) return gl::encode_png(image);
    viewer.view.log.wanted_images = wanted;
    for (std::ptrdiff_t i = 0; i < missing; ++i) {
      (void)app::make_ui_model(viewer);  // starts to decode the next one
      viewer.session.wait();
      app::poll(viewer);
    }
  }
}

Result<std::string> draw_view(const app::Viewer& viewer, const std::string& what, bool is_svg) {
  if (viewer.graph().snapshot() == nullptr)
    return fail(Code::kInvalidArgument, "no graph is open; expected file.open PATH first");
  const app::Snapshot& snapshot = *viewer.graph().snapshot();
  const render::Scene scene = snapshot.scene();
  const std::string& path = snapshot.graph->request.graph.path;
  render::Picture picture;
  picture.scene = &scene;
  picture.view = render::find_view(what);
  // Both levels and memory are over the axis of levels.
  const ui::Tab tab = picture.view != nullptr ? ui::tab_of(*picture.view) : ui::Tab::kLevels;
  if (picture.view != nullptr && picture.view->needs_trace && scene.measured == nullptr) {
    return fail(Code::kInvalidArgument,
                "there is no traced step; expected measure.open FILE first");
  }
  const ui::FitState fit = viewer.graph().fit();
  if (tab == ui::Tab::kFit) {
    if (fit.card == nullptr) {
      return fail(Code::kInvalidArgument, "it is not known what fits; expected graph.fit first");
    }
    picture.fit = &fit.card->curve;
    picture.why_no_fit = fit.card->why_no_curve;
    picture.subtitle = fit.card->verdict;
  }
  const ui::DiffState diff = viewer.graph().changes();
  if (tab == ui::Tab::kDiff) {
    if (diff.changes == nullptr || diff.is_stale) {
      return fail(Code::kInvalidArgument,
                  "nothing was compared for this policy; expected diff.of BEFORE AFTER first");
    }
    picture.changes = diff.changes.get();
    picture.changed_text = diff.text.get();
  }
  const float font_px = viewer.view.font_px;
  picture.part = ui::shown_part(viewer.view, scene, tab);
  picture.font_px = font_px;
  picture.theme = viewer.view.theme;
  picture.title = path.substr(path.find_last_of('/') + 1);
  picture.width_px = kWidth;
  picture.height_px = kHeight;
  if (is_svg) {
    render::SvgCanvas canvas(picture.width_px, picture.height_px, 1,
                             render::palette(picture.theme).background);
    render::draw_picture(canvas, picture);
    return canvas.finish();
  }
  const float scale = viewer.view.scale;
  picture.width_px *= scale;
  picture.height_px *= scale;
  picture.font_px *= scale;
  // Letters are rasterised in the size of the text.
  return draw_png(static_cast<int>(picture.width_px), static_cast<int>(picture.height_px),
                  scale * font_px / kUsualFontPx, picture.theme,
                  [&](render::Canvas& canvas) { render::draw_picture(canvas, picture); });
}

// The chart of a log that was enlarged, with the names of its runs below it.
Result<std::string> draw_chart(app::Viewer& viewer, bool is_svg) {
  const ui::UiModel& model = app::make_ui_model(viewer);
  const ui::LogView& view = viewer.view.log;
  ui::LogCharts charts;
  charts.update(model.log, view);
  const auto tag =
      model.log ? ui::shown_tag(charts, *model.log, events::SeriesKind::kScalar, view.enlarged)
                : std::nullopt;
  if (!tag) {
    return fail(Code::kInvalidArgument,
                "no chart of a log is enlarged and shown; expected log.enlarge TAG first");
  }
  const std::vector<render::RunCurve> curves = charts.curves(*tag);
  const render::Palette& colors = render::palette(viewer.view.theme);
  const auto draw = [&](render::Canvas& canvas, float scale) {
    ui::draw_enlarged_chart(canvas, colors, curves, view.enlarged, view.look,
                            {0, 0, kChartWidth * scale, kChartHeight * scale},
                            viewer.view.font_px * scale);
  };
  if (is_svg) {
    render::SvgCanvas canvas(kChartWidth, kChartHeight, 1, colors.background);
    draw(canvas, 1);
    return canvas.finish();
  }
  const float scale = viewer.view.scale;
  return draw_png(static_cast<int>(kChartWidth * scale), static_cast<int>(kChartHeight * scale),
                  scale * viewer.view.font_px / kUsualFontPx, viewer.view.theme,
                  [&](render::Canvas& canvas) { draw(canvas, scale); });
}

Result<std::string> draw_what(app::Viewer& viewer, const std::string& what, bool is_svg) {
  if (what == "window") return draw_window(viewer, is_svg);
  return what == "chart" ? draw_chart(viewer, is_svg) : draw_view(viewer, what, is_svg);
}

}  // namespace

Status write_picture(app::Viewer& viewer, const app::PictureRequest& request) {
  const bool is_svg = request.path.ends_with(".svg");
  if (!is_svg && !request.path.ends_with(".png")) {
    return fail(Code::kInvalidArgument, "{}: expected a name that ends in .png or .svg",
                request.path);
  }
  if (const Status place = check_output_path(request.path, request.force); !place) {
    // Not the request is wrong, but what is there.
    return fail(Code::kIo, "{}", place.error().message);
  }
  TIDELINE_TRY(const std::string bytes, draw_what(viewer, request.what, is_svg));
  const auto& snapshot = viewer.graph().snapshot();
  const Readers readers =
      snapshot ? app::readers_of_graph(snapshot->graph->document(), snapshot->graph->measured)
               : Readers();
  return write_file(request.path, bytes, request.force, readers);
}

}  // namespace tideline::gui
