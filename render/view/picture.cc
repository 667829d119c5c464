#include "render/view/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/view/levels_view.h"
#include "render/view/memory_view.h"
#include "render/view/svg_canvas.h"
#include "render/view/text_fit.h"
#include "render/view/timeline_view.h"

namespace tideline::render {
namespace {

constexpr float kMemoryShare = 0.3F;  // of the height, below the levels
constexpr std::size_t kMostRows = 400;

class PicturePainter {
 public:
  PicturePainter(Canvas& canvas, const Picture& picture)
      : canvas_(canvas), picture_(picture), colors_(palette(picture.theme)) {}

  void draw() {
    Rect rest = {0, 0, picture_.width_px, picture_.height_px};
    canvas_.fill(rest, colors_.panel);
    const float margin = picture_.font_px * 0.6F;
    draw_title(margin);
    rest = {margin, picture_.font_px * 2.1F, picture_.width_px - margin,
            picture_.height_px - margin};
    rest.x1 = std::max(rest.x0 + 1, rest.x1);
    rest.y1 = std::max(rest.y0 + 1, rest.y1);
    if (picture_.view == PictureView::kMemory) return draw_memory_page(rest);
    if (picture_.view == PictureView::kTimeline) return draw_timeline_page(rest);
    Rect levels = rest;
    if (picture_.view == PictureView::kBoth) {
      levels.y1 = rest.y1 - kMemoryShare * rest.height() - margin / 2;
      draw_chart({rest.x0, levels.y1 + margin / 2, rest.x1, rest.y1}, MemoryAxis::kLevel, false);
    }
    const LevelsLayout layout = layout_levels(*picture_.scene);
    draw_levels(canvas_, {.scene = picture_.scene,
                          .ops = &layout.ops,
                          .swaps = &layout.swaps,
                          .palette = &colors_,
                          .area = levels,
                          .range = {},
                          .selected = {},
                          .hovered = {},
                          .cursor = {},
                          .font_px = picture_.font_px});
  }

 private:
  void draw_title(float margin) {
    const float size = picture_.font_px * 1.1F;
    const float y = picture_.font_px * 0.5F;
    const std::string peaks = peaks_text(*picture_.scene);
    const float room = picture_.width_px - 2 * margin;
    const std::string right = fit_text(canvas_, peaks, size, room);
    const float right_px = canvas_.text_width(right, size);
    canvas_.text({picture_.width_px - margin - right_px, y}, right, colors_.text, size);
    const std::string title = fit_name(canvas_, picture_.title, size, room - right_px - 3 * size);
    canvas_.text({margin, y}, title, colors_.text, size);
    const float used = canvas_.text_width(title, size) + size * 1.5F;
    canvas_.text({margin + used, y},
                 fit_text(canvas_, picture_.subtitle, size, room - right_px - used - 2 * size),
                 colors_.dim_text, size);
  }

  MemoryLayout draw_chart(Rect area, MemoryAxis axis, bool bands) {
    MemoryLayout layout = layout_memory(*picture_.scene, 0, axis);
    draw_memory(canvas_, {.scene = picture_.scene,
                          .memory = &layout,
                          .palette = &colors_,
                          .area = area,
                          .range = {},
                          .detail_0_1 = 1,
                          .show_bands = bands,
                          .selected = {},
                          .cursor = {},
                          .font_px = picture_.font_px});
    return layout;
  }

  void draw_memory_page(Rect rest) {
    const float table_px = picture_.width_px > 50 * picture_.font_px ? 24 * picture_.font_px : 0;
    const Rect chart = {rest.x0, rest.y0, rest.x1 - table_px, rest.y1};
    const MemoryLayout layout = draw_chart(chart, MemoryAxis::kLevel, true);
    if (table_px > 0) {
      draw_table({chart.x1 + picture_.font_px * 0.6F, rest.y0, rest.x1, rest.y1}, layout);
    }
  }

  void draw_timeline_page(Rect rest) {
    const TimelineLayout timeline = layout_timeline(*picture_.scene);
    draw_timeline(canvas_, {.scene = picture_.scene,
                            .timeline = &timeline,
                            .palette = &colors_,
                            .area = rest,
                            .range = {},
                            .stretch = {},
                            .selected = {},
                            .cursor = {},
                            .font_px = picture_.font_px});
  }

  // What is alive at the peak.
  void draw_table(Rect area, const MemoryLayout& layout) {
    canvas_.fill(area, colors_.background);
    const float size = picture_.font_px * 0.86F;
    const float line = size * 1.35F;
    const std::int32_t peak = layout.has_after ? layout.after_peak_at : layout.before_peak_at;
    const LiveRows live = live_at(*picture_.scene, layout, peak, kMostRows);
    float y = area.y0 + size * 0.5F;
    const auto row = [&](std::string_view name, std::string_view bytes, Color color) {
      const float bytes_px = canvas_.text_width(bytes, size);
      canvas_.text({area.x1 - bytes_px - size * 0.5F, y}, bytes, color, size);
      canvas_.text({area.x0 + size * 1.6F, y},
                   fit_name(canvas_, name, size, area.width() - bytes_px - size * 3.2F), color,
                   size);
      y += line;
    };
    row(fmt::format("Alive at the peak (level {}): {} tensors", peak, live.count),
        format_bytes(live.bytes), colors_.text);
    for (const LiveRow& tensor : live.rows) {
      if (y + 2 * line > area.y1) break;
      canvas_.fill(
          {area.x0 + size * 0.5F, y + size * 0.15F, area.x0 + size * 1.2F, y + size * 0.85F},
          colors_.kinds[static_cast<std::size_t>(tensor.kind)], 2);
      row(name_of(tensor.tensor), format_bytes(tensor.bytes), colors_.dim_text);
      ++shown_;
    }
    if (shown_ < live.count) {
      row(fmt::format("and {} smaller ones", live.count - shown_), "", colors_.dim_text);
    }
  }

  [[nodiscard]] std::string name_of(TensorId tensor) const {
    const Scene& scene = *picture_.scene;
    if (tensor.op.value < scene.graph->op_count()) return scene.graph->tensor_name(tensor);
    return scene.plan == nullptr ? "?" : tensor_name(*scene.graph, *scene.plan, tensor);
  }

  Canvas& canvas_;
  const Picture& picture_;
  const Palette& colors_;
  std::int64_t shown_ = 0;
};

}  // namespace

std::string peaks_text(const Scene& scene) {
  if (scene.devices.empty() || scene.devices[0].before == nullptr) return {};
  const Bytes before = scene.devices[0].before->device_peak;
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
  PicturePainter(canvas, picture).draw();
}

std::string draw_svg(const Picture& picture, double scale) {
  SvgCanvas canvas(picture.width_px, picture.height_px, scale, palette(picture.theme).background);
  draw_picture(canvas, picture);
  return canvas.finish();
}

}  // namespace tideline::render
