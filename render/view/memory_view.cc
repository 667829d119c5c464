#include "render/view/memory_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/view/clock_curve.h"
#include "render/view/labels.h"
#include "render/view/memory_frame.h"
#include "render/view/memory_runs.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr float kDotPx = 3;  // half of it

class MemoryPainter {
 public:
  MemoryPainter(Canvas& canvas, const MemoryFrame& frame)
      : canvas_(canvas),
        frame_(frame),
        look_(frame.look),
        memory_(*frame.look.memory),
        colors_(*frame.look.palette),
        labels_({frame.look.area.x0, frame.look.area.y0, frame.look.area.x1, frame.chart.y1}) {}

  void draw() {
    canvas_.push_clip(look_.area);
    canvas_.fill(look_.area, colors_.background);
    draw_grid();
    if (memory_.count == 0) {
      const std::string text = "Nothing runs in this step.";
      canvas_.text({look_.area.x0 + look_.font_px, frame_.chart.y0},
                   fit_text(canvas_, text, look_.font_px, look_.area.width() - 2 * look_.font_px),
                   colors_.text, look_.font_px);
      labels_.take(
          {look_.area.x0, frame_.chart.y0, look_.area.x1, frame_.chart.y0 + look_.font_px});
    } else {
      if (frame_.link.height() > 0) {
        draw_link_track(canvas_, link_track(frame_));
        labels_.take(frame_.link);
      }
      canvas_.push_clip(frame_.chart);
      draw_fills();
      draw_lines();
      draw_selection();
      canvas_.pop_clip();
      draw_player(canvas_, frame_, labels_);
      draw_runs(canvas_, frame_, labels_);
      draw_cursor();
      draw_peaks_and_budget();
    }
    draw_y_labels();
    draw_ticks();
    draw_bookmark_marks(canvas_, colors_, frame_.axis, frame_.ticks.y0, false, look_.font_px,
                        look_.marks);
    draw_legend(canvas_, frame_.words, frame_.legend.y0, colors_.dim_text, colors_.background);
    canvas_.pop_clip();
  }

 private:
  [[nodiscard]] bool shows_original() const { return look_.show_original || !memory_.has_after; }
  [[nodiscard]] bool shows_bands() const { return look_.show_bands && !memory_.kinds.empty(); }

  // Heights of the grid's lines, in bytes: 1, 2 or 5 times a power of ten of the unit.
  [[nodiscard]] std::vector<double> heights() const {
    const double unit = unit_of_bytes(frame_.top_bytes).bytes;
    const double room = std::max(1.0F, frame_.chart.height() / (2.6F * frame_.small_px));
    const double least = frame_.top_bytes / unit / room;
    double step = std::pow(10, std::floor(std::log10(std::max(1e-9, least))));
    for (const double factor : {2.0, 2.5, 2.0}) {
      if (step < least) step *= factor;
    }
    std::vector<double> found;
    for (int i = 0; i < 100 && i * step * unit < frame_.top_bytes; ++i) {
      found.push_back(i * step * unit);
    }
    return found;
  }

  void draw_grid() {
    for (const double height : heights()) {
      const float y = frame_.y(height);
      canvas_.line({frame_.axis.x0, y}, {frame_.axis.x1, y}, colors_.grid, 1);
    }
    for (const int at : axis_ticks(frame_.axis, memory_.count, 5 * look_.font_px)) {
      const float x = frame_.axis.x(at);
      canvas_.line({x, frame_.chart.y0}, {x, frame_.chart.y1}, colors_.grid, 1);
    }
  }

  void draw_y_labels() {
    const ByteUnit unit = unit_of_bytes(frame_.top_bytes);
    const float size = frame_.small_px;
    for (const double height : heights()) {
      const Point at = {frame_.axis.x0, frame_.y(height) - size};
      if (at.y < frame_.chart.y0) continue;
      const std::string text = fmt::format("{:g} {}", height / unit.bytes, unit.name);
      if (is_taken_by(text, at)) label(at, text, colors_.dim_text);
    }
  }

  void label(Point at, std::string_view text, Color color) {
    const float size = frame_.small_px;
    const float width = canvas_.text_width(text, size);
    const Color shade = colors_.background.with_alpha(0.65);
    canvas_.fill({at.x - 2, at.y, at.x + width + 2, at.y + size}, shade, 2);
    // On the filled curve at worst.
    const Color ground = shade.over(colors_.device.with_alpha(0.5).over(colors_.background));
    canvas_.text(at, text, readable(color, ground, colors_.text), size);
  }

  // Takes the place of a text if it is free.
  bool is_taken_by(std::string_view text, Point at) {
    const float size = frame_.small_px;
    return labels_.try_take({at.x, at.y, at.x + canvas_.text_width(text, size), at.y + size});
  }

  void draw_fills() {
    if (shows_bands()) {
      draw_bands();
    } else {
      canvas_.area(frame_.points(frame_.shown()), frame_.chart.y1,
                   colors_.device.with_alpha(memory_.has_after ? 0.5 : 0.32));
      const float top = frame_.y(static_cast<double>(memory_.resident));
      const Rect resident = {std::max(frame_.axis.x(0), look_.area.x0), top,
                             std::min(frame_.axis.x(memory_.count), look_.area.x1),
                             frame_.chart.y1};
      if (memory_.resident > 0) canvas_.fill(resident, colors_.resident);
    }
    const Bytes budget = look_.scene->device_budget;
    if (budget <= 0 || !shows_original() || memory_.before_peak <= budget) return;
    const float y = frame_.y(static_cast<double>(budget));
    std::vector<Point> above = frame_.points(memory_.before);
    for (Point& point : above) point.y = std::min(point.y, y);
    canvas_.area(above, y, colors_.budget.with_alpha(0.2));
  }

  // Sums from the highest down: each covers all but its own stripe of the one before.
  void draw_bands() {
    const std::vector<MemoryBand> bands = stack_bands(frame_);
    std::vector<Bytes> sums(frame_.columns.size(), 0);
    for (const MemoryBand& band : bands) {
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += band.bytes[i];
    }
    for (std::size_t at = bands.size(); at-- > 0;) {
      const MemoryBand& band = bands[at];
      if (std::any_of(band.bytes.begin(), band.bytes.end(), [](Bytes b) { return b > 0; })) {
        draw_band(band, sums, at);
      }
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] -= band.bytes[i];
    }
  }

  void draw_band(const MemoryBand& band, const std::vector<Bytes>& sums, std::size_t at) {
    std::vector<Point> top;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const float y = frame_.y(static_cast<double>(sums[i]));
      if (top.size() >= 2 && top.back().y == y && top[top.size() - 2].y == y) {
        top.back().x = frame_.columns[i].x1;
        continue;
      }
      top.push_back({frame_.columns[i].x0, y});
      top.push_back({frame_.columns[i].x1, y});
    }
    const Color kind = colors_.kinds[static_cast<std::size_t>(band.kind)];
    const double alpha = band.buffer < 0 ? 0.95 : (at % 2 == 0 ? 0.8 : 0.62);
    const bool selected = band.buffer >= 0 && look_.selected && is_selected(band.buffer);
    // Opaque, because it covers the bands above.
    canvas_.area(top, frame_.chart.y1,
                 (selected ? colors_.selection : kind.with_alpha(alpha)).over(colors_.background));
  }

  [[nodiscard]] bool is_selected(std::int32_t buffer) const {
    const DeviceCurves& curves = look_.scene->devices[memory_.device];
    const FaithfulStep& step = memory_.has_after ? *curves.after_step : *curves.before_step;
    return step.buffers[static_cast<std::size_t>(buffer)].tensor == *look_.selected;
  }

  void draw_lines() {
    const float width = look_.font_px / 15;
    if (memory_.has_after && look_.show_original) {
      canvas_.polyline(frame_.points(memory_.before), colors_.original, 1.4F * width);
    }
    canvas_.polyline(frame_.points(frame_.shown()), colors_.device, 1.6F * width);
    if (frame_.shows_host()) {
      canvas_.polyline(frame_.points(memory_.host), colors_.host, 1.6F * width);
    }
    if (memory_.measured.empty()) return;
    canvas_.polyline(frame_.points(memory_.measured), colors_.measured, 1.6F * width);
  }

  // Where the op runs: its tensor may have no band, or share that of another.
  void draw_selection() {
    if (!look_.selected || !look_.selected->op.valid()) return;
    const OpId op = look_.selected->op;
    if (op.index() >= look_.scene->graph->op_count() || !memory_.runs.empty() ||
        memory_.axis == MemoryAxis::kMeasuredTime) {
      return;
    }
    std::int32_t at = -1;
    if (memory_.axis == MemoryAxis::kLevel) {
      at = look_.scene->levels->level(op);
    } else if (memory_.axis == MemoryAxis::kTime) {
      at = clock_position(*look_.scene, memory_, op);
    } else {
      const DeviceCurves& curves = look_.scene->devices[memory_.device];
      const auto steps = steps_by_op(memory_.has_after ? *curves.after : *curves.before);
      if (op.index() < steps.size()) at = steps[op.index()];
    }
    if (at < 0) return;
    const float x = frame_.axis.x(at + 0.5);
    if (x < frame_.axis.x0 || x > frame_.axis.x1) return;
    canvas_.line({x, frame_.chart.y0}, {x, frame_.chart.y1}, colors_.selection.with_alpha(0.8),
                 1.5F, Dash::kDotted);
  }

  void draw_budget() {
    const Bytes budget = look_.scene->device_budget;
    if (budget <= 0) return;
    const float size = frame_.small_px;
    const std::string text = "budget " + format_bytes(budget);
    const bool in_sight = static_cast<double>(budget) <= frame_.top_bytes;
    const float y = in_sight ? frame_.y(static_cast<double>(budget)) : frame_.chart.y0;
    if (in_sight) {
      canvas_.line({frame_.axis.x0, y}, {frame_.axis.x1, y}, colors_.budget, 1.5F);
    }
    const std::array wordings = {in_sight ? text : text + ", above this chart", text};
    const std::string shown =
        first_that_fits(canvas_, wordings, size, frame_.axis.x1 - frame_.axis.x0 - size * 0.3F);
    const float width = canvas_.text_width(shown, size) + size * 0.3F;
    const float right = frame_.axis.x1 - width;
    const float above = y - size * 1.15F;
    const std::array<Point, 5> places = {{{right, in_sight ? above : y + 2},
                                          {right, y + 2},
                                          {frame_.axis.x0 + size * 6, above},
                                          {(right + frame_.axis.x0) / 2, above},
                                          {(right + frame_.axis.x0) / 2, y + 2}}};
    if (const auto at = labels_.place(places, width, size)) label(*at, shown, colors_.budget);
  }

  struct Peak {
    std::int32_t at;
    Bytes bytes;
    Color color;
    std::string what;
  };

  // The one of the curve that is filled comes first.
  [[nodiscard]] std::vector<Peak> peaks() const {
    const bool is_after = memory_.has_after;
    std::vector<Peak> found = {
        {is_after ? memory_.after_peak_at : memory_.before_peak_at,
         is_after ? memory_.after_peak : memory_.before_peak, colors_.device,
         memory_.axis == MemoryAxis::kMeasuredTime ? "model's peak " : "peak "}};
    if (is_after && look_.show_original) {
      found.push_back({memory_.before_peak_at, memory_.before_peak, colors_.original,
                       look_.sides != nullptr ? "peak " : "original "});
    }
    if (!memory_.measured.empty()) {
      found.push_back({memory_.measured.largest(0, memory_.count), memory_.measured.most(),
                       colors_.measured, "measured "});
    }
    if (frame_.shows_host()) {
      found.push_back({memory_.host_peak_at, memory_.host_peak, colors_.host, "host "});
    }
    std::erase_if(found, [this](const Peak& peak) {
      const float x = dot_of(peak).x;
      return peak.at < 0 || x < frame_.axis.x0 || x > frame_.axis.x1;
    });
    return found;
  }

  [[nodiscard]] Point dot_of(const Peak& peak) const {
    return {(frame_.axis.x(peak.at) + frame_.axis.x(peak.at + 1.0)) / 2,
            frame_.y(static_cast<double>(peak.bytes))};
  }

  // Values stand on no dot; what matters most takes its place first.
  void draw_peaks_and_budget() {
    const std::vector<Peak> all = peaks();
    for (const Peak& peak : all) {
      const Point dot = dot_of(peak);
      labels_.take({dot.x - kDotPx, dot.y - kDotPx, dot.x + kDotPx, dot.y + kDotPx});
    }
    if (!all.empty()) mark_peak(all.front());
    draw_budget();
    for (std::size_t i = 1; i < all.size(); ++i) mark_peak(all[i]);
  }

  // A dot on the curve and its value where nothing else is written.
  void mark_peak(const Peak& peak) {
    const auto [x, y] = dot_of(peak);
    canvas_.fill({x - kDotPx, y - kDotPx, x + kDotPx, y + kDotPx}, peak.color, kDotPx);
    const float size = frame_.small_px;
    const std::string text = peak.what + format_bytes(peak.bytes);
    const float width = canvas_.text_width(text, size);
    const float left =
        std::clamp(x - width / 2, frame_.axis.x0, std::max(frame_.axis.x0, frame_.axis.x1 - width));
    const std::array<Point, 6> places = {{{left, y - size * 1.5F},
                                          {x + size * 0.6F, y - size * 0.5F},
                                          {x - width - size * 0.6F, y - size * 0.5F},
                                          {left, y + size * 0.4F},
                                          {x + size * 0.6F, y - size * 1.5F},
                                          {left, y + size * 1.6F}}};
    for (const bool may_cross : {false, true}) {
      for (const Point place : places) {
        const Rect rect = {place.x - 2, place.y, place.x + width + 2, place.y + size};
        if ((!may_cross && crosses_curve(rect)) || !labels_.try_take(rect)) continue;
        label(place, text, peak.color);
        return;
      }
    }
  }

  // Whether a line of the chart runs through `rect`.
  [[nodiscard]] bool crosses_curve(Rect rect) const {
    const auto crosses = [&](const Curve& curve) {
      float before = -1;
      for (const Column& column : frame_.columns) {
        if (column.x1 < rect.x0 || column.x0 > rect.x1) continue;
        const float y = frame_.y(static_cast<double>(curve.most(column.begin, column.end)));
        const float other = before < 0 ? y : before;
        if (std::max(y, other) > rect.y0 && std::min(y, other) < rect.y1) return true;
        before = y;
      }
      return false;
    };
    return crosses(frame_.shown()) || (!memory_.measured.empty() && crosses(memory_.measured)) ||
           (frame_.shows_host() && crosses(memory_.host)) ||
           (memory_.has_after && look_.show_original && crosses(memory_.before));
  }

  void draw_cursor() {
    if (!look_.cursor || !std::isfinite(*look_.cursor)) return;
    if (look_.player && memory_.axis == MemoryAxis::kLevel) return;  // whose numbers stand there
    const float x = frame_.axis.x(*look_.cursor);
    if (x < frame_.axis.x0 || x > frame_.axis.x1 || *look_.cursor < 0 ||
        *look_.cursor >= memory_.count) {
      return;
    }
    const float top = frame_.link.height() > 0 ? frame_.link.y0 : frame_.chart.y0;
    canvas_.line({x, top}, {x, frame_.chart.y1}, colors_.text.with_alpha(0.8), 1);
    const auto at = static_cast<std::int32_t>(*look_.cursor);
    std::string text =
        fmt::format("{}: {}", position_text(memory_, at), format_bytes(frame_.shown().at(at)));
    if (memory_.has_after) text += ", before " + format_bytes(memory_.before.at(at));
    if (frame_.shows_host()) text += ", host " + format_bytes(memory_.host.at(at));
    if (!memory_.measured.empty()) text += ", measured " + format_bytes(memory_.measured.at(at));
    const float size = frame_.small_px;
    if (frame_.chart.height() < size + 2) return;
    const std::array wordings = {text, fmt::format("{}: {}", position_text(memory_, at),
                                                   format_bytes(frame_.shown().at(at)))};
    text = first_that_fits(canvas_, wordings, size, look_.area.width() - size);
    const float width = canvas_.text_width(text, size);
    const float left = x + width + 8 > frame_.axis.x1 ? x - width - 6 : x + 6;
    const Point place = {
        std::clamp(left, look_.area.x0, std::max(look_.area.x0, look_.area.x1 - width)),
        frame_.chart.y0 + 2};
    labels_.take({place.x, place.y, place.x + width, place.y + size});
    label(place, text, colors_.text);
  }

  void draw_ticks() {
    const float size = frame_.small_px;
    const float y = frame_.ticks.y0 + size * 0.2F;
    const std::string unit =
        ticks_unit(canvas_, frame_.words, unit_name(look_), size, look_.area.width());
    const float last = look_.area.x1 - canvas_.text_width(unit, size) - size;
    for (const int at : axis_ticks(frame_.axis, memory_.count, 5 * look_.font_px)) {
      const std::string text = tick_text(look_, at);
      const float x = frame_.axis.x(at) + 2;
      if (x + canvas_.text_width(text, size) > last - size * 0.5F) break;
      canvas_.text({x, y}, text, colors_.dim_text, size);
    }
    canvas_.text({last, y}, unit, colors_.dim_text, size);
  }

  Canvas& canvas_;
  const MemoryFrame& frame_;
  const MemoryLook& look_;
  const MemoryLayout& memory_;
  const Palette& colors_;
  Labels labels_;
};

}  // namespace

void draw_memory(Canvas& canvas, const MemoryLook& look) {
  const MemoryFrame frame = measure_memory(look);
  MemoryPainter(canvas, frame).draw();
}

}  // namespace tideline::render
