#include "render/view/picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/view/memory_runs.h"
#include "render/view/svg_canvas.h"
#include "render/view/sweep_chart.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr float kMemoryShare = 0.3F;  // of the height, below the levels

void draw_title(Canvas& canvas, const Picture& picture, float margin) {
  const Palette& colors = palette(picture.theme);
  const float size = picture.font_px * 1.1F;
  const float y = picture.font_px * 0.5F;
  const std::string peaks = picture.scene == nullptr ? "" : peaks_text(*picture.scene);
  const float room = picture.width_px - 2 * margin;
  const std::string right = fit_text(canvas, peaks, size, room);
  const float right_px = canvas.text_width(right, size);
  canvas.text({picture.width_px - margin - right_px, y}, right, colors.text, size);
  const std::string title = fit_name(canvas, picture.title, size, room - right_px - 3 * size);
  canvas.text({margin, y}, title, colors.text, size);
  const float used = canvas.text_width(title, size) + size * 1.5F;
  canvas.text({margin + used, y},
              fit_text(canvas, picture.subtitle, size, room - right_px - used - 2 * size),
              colors.dim_text, size);
}

}  // namespace

std::string peaks_text(const Scene& scene) {
  if (scene.devices.empty() || scene.devices[0].before == nullptr) return {};
  const Bytes before = scene.devices[0].before->device_peak;
  if (!scene.runs.empty()) {
    return fmt::format("device {} -> {} in the largest of {} runs", format_bytes(before),
                       format_bytes(layout_runs(scene).before_peak), scene.runs.size());
  }
  const bool has_after = scene.devices[0].after != nullptr;
  const MemoryTimeline& after = has_after ? *scene.devices[0].after : *scene.devices[0].before;
  const std::string host =
      after.swapped_out_tensors > 0 ? ", host " + format_bytes(after.host_peak) : "";
  if (!has_after) return "device peak " + format_bytes(before) + host;
  if (after.device_peak == before) {
    return fmt::format("device {} with and without the policy{}", format_bytes(before), host);
  }
  const double change = 100.0 * static_cast<double>(after.device_peak - before) /
                        static_cast<double>(std::max<Bytes>(1, before));
  return fmt::format("device {} -> {} ({:+.0f} %){}", format_bytes(before),
                     format_bytes(after.device_peak), change, host);
}

void draw_picture(Canvas& canvas, const Picture& picture) {
  canvas.fill({0, 0, picture.width_px, picture.height_px}, palette(picture.theme).panel);
  const float margin = picture.font_px * 0.6F;
  draw_title(canvas, picture, margin);
  Rect rest = {margin, picture.font_px * 2.1F, picture.width_px - margin,
               picture.height_px - margin};
  rest.x1 = std::max(rest.x0 + 1, rest.x1);
  rest.y1 = std::max(rest.y0 + 1, rest.y1);
  if (picture.sweep != nullptr) {
    const SweepChart chart =
        layout_sweep(*picture.sweep, rest.width(), rest.height(), picture.font_px, canvas);
    return draw_sweep(canvas, palette(picture.theme), chart, {rest.x0, rest.y0});
  }
  ViewLook look = {picture.scene,   picture.theme,        rest,
                   picture.font_px, picture.fit,          picture.why_no_fit,
                   picture.changes, picture.changed_text, picture.why_no_changes,
                   picture.part};
  const View* view = picture.fit != nullptr ? find_view("fit") : picture.view;
  if (view != nullptr) return view->draw(canvas, look);
  const float border = rest.y1 - kMemoryShare * rest.height();
  look.area.y0 = border;
  draw_memory_chart(canvas, look, /*show_bands=*/false);
  look.area = {rest.x0, rest.y0, rest.x1, border - margin / 2};
  find_view("levels")->draw(canvas, look);
}

std::string draw_svg(const Picture& picture, double scale) {
  SvgCanvas canvas(picture.width_px, picture.height_px, scale, palette(picture.theme).background);
  draw_picture(canvas, picture);
  return canvas.finish();
}

}  // namespace tideline::render
