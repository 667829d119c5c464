// The step player in the level view: a cursor, what has not run yet in a veil, and the swapped
// tensors on their ways. Tested by tests/unit/view/step_moment_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/view/labels.h"
#include "render/view/levels_frame.h"
#include "render/view/step_moment.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr double kVeilAlpha = 0.5;
constexpr double kLevelAlpha = 0.13;
constexpr double kWayAlphaOfToken = 0.6;
constexpr float kLabelPx = 3;  // left and right of a number
constexpr std::size_t kMostTokens = 600;
constexpr std::size_t kMostNamed = 8;  // tokens on their way; more would hide each other

std::string level_text(double at) {
  return fmt::format("{:.0f}", std::floor(at));
}

class PlayerPainter {
 public:
  PlayerPainter(Canvas& canvas, const LevelsFrame& frame, double at)
      : canvas_(canvas),
        frame_(frame),
        colors_(*frame.look.palette),
        at_(at),
        x_(frame.axis.x(at)),
        labels_(frame.look.area) {
    take_captions();
  }

  void draw() {
    draw_ground_of_level();
    if (x_ >= frame_.axis.x0 && x_ <= frame_.axis.x1) draw_cursor();
    draw_tokens();
  }

 private:
  // Headings and names of rows are written later, and stay where they are.
  void take_captions() {
    const Rect& area = frame_.look.area;
    const float font = frame_.look.font_px;
    labels_.take({area.x0, frame_.lane.y0, area.x1, frame_.lane.y0 + 1.3F * font});
    labels_.take(frame_.link);
    labels_.take(frame_.heading);
    labels_.take(frame_.lens);
    labels_.take(frame_.ticks);
    for (std::size_t row = 0; row < frame_.row_top.size(); ++row) {
      const float top = frame_.row_top[row];
      if (frame_.row_px[row] > 0) {
        labels_.take({area.x0, top - 1.15F * frame_.small_px, area.x1, top});
      }
    }
  }

  void draw_ground_of_level() {
    const double level = std::floor(at_);
    const Rect seen = {frame_.axis.x0, frame_.lane.y0, frame_.axis.x1, frame_.ticks.y0};
    const auto clamped = [&](float x) { return std::clamp(x, seen.x0, seen.x1); };
    const float x0 = clamped(frame_.axis.x(level));
    const float x1 = clamped(frame_.axis.x(level + 1));
    if (x1 < seen.x1) {
      canvas_.fill({x1, seen.y0, seen.x1, seen.y1}, colors_.background.with_alpha(kVeilAlpha));
    }
    if (x1 > x0) canvas_.fill({x0, seen.y0, x1, seen.y1}, colors_.accent.with_alpha(kLevelAlpha));
  }

  void draw_cursor() {
    const float size = frame_.small_px;
    canvas_.line({x_, frame_.lane.y0}, {x_, frame_.ticks.y0}, colors_.accent, size / 8);
    const float half = size * 0.4F;
    canvas_.triangle({x_ - half, frame_.lane.y0}, {x_ + half, frame_.lane.y0},
                     {x_, frame_.lane.y0 + 1.3F * half}, colors_.accent);
    const Rect label = *player_label(canvas_, frame_);
    canvas_.fill(label, colors_.accent, 2);
    canvas_.text({label.x0 + kLabelPx, label.y0 + 1}, level_text(at_), colors_.background, size);
  }

  [[nodiscard]] Color color_of(const MovingTensor& tensor) const {
    switch (tensor.where) {
      case Whereabouts::kLeaving: return colors_.swap_out;
      case Whereabouts::kHost: return colors_.host;
      default: break;
    }
    const bool is_late = frame_.look.swaps->late_ns[tensor.span] > 0;
    return is_late ? colors_.error : colors_.swap_in;
  }

  // Precondition: it is not parked.
  [[nodiscard]] CurveShape way_of(const MovingTensor& tensor, const PlacedBar& bar) const {
    return tensor.where == Whereabouts::kLeaving
               ? way_out(frame_, bar)
               : way_in(frame_, bar, frame_.look.swaps->spans[tensor.span]);
  }

  [[nodiscard]] Point place_of(const MovingTensor& tensor, const PlacedBar& bar) const {
    if (tensor.where != Whereabouts::kHost) return way_of(tensor, bar).at(tensor.share_0_1);
    return {std::clamp(x_, bar.rect.x0, bar.rect.x1), (bar.rect.y0 + bar.rect.y1) / 2};
  }

  void draw_tokens() {
    const SwapLayout& swaps = *frame_.look.swaps;
    std::vector<const PlacedBar*> placed(swaps.bars.size(), nullptr);
    for (const PlacedBar& bar : frame_.placed) placed[static_cast<std::size_t>(bar.index)] = &bar;
    Bytes largest = 1;
    for (const SwapBar& bar : swaps.bars) largest = std::max(largest, bar.bytes);
    const std::vector<MovingTensor> moving = moving_tensors(swaps, at_);
    const auto on_way = std::count_if(moving.begin(), moving.end(), [](const MovingTensor& tensor) {
      return tensor.where != Whereabouts::kHost;
    });
    std::size_t drawn = 0;
    const Rect& area = frame_.look.area;
    canvas_.push_clip({area.x0, frame_.lane.y0, area.x1, frame_.rows.y1});
    for (const bool on_top : {false, true}) {  // what moves lies on what is parked
      for (const MovingTensor& tensor : moving) {
        if ((tensor.where != Whereabouts::kHost) != on_top) continue;
        const PlacedBar* bar = placed[tensor.bar];
        if (bar == nullptr && !frame_.is_summed) continue;  // out of sight
        const PlacedBar summed = bar == nullptr ? middle_bar(frame_, tensor.bar) : *bar;
        if (++drawn > kMostTokens) break;
        draw_token(tensor, summed, largest, on_way <= static_cast<std::ptrdiff_t>(kMostNamed));
      }
    }
    canvas_.pop_clip();
  }

  // As wide as the root of its bytes; an arrow says where it goes.
  void draw_token(const MovingTensor& tensor, const PlacedBar& bar, Bytes largest, bool is_named) {
    const float font = frame_.look.font_px;
    const double share = static_cast<double>(bar.bar->bytes) / static_cast<double>(largest);
    const float half = font * (0.3F + 0.45F * static_cast<float>(std::sqrt(share)));
    const Point at = place_of(tensor, bar);
    const Color color = color_of(tensor);
    if (tensor.where == Whereabouts::kHost) {
      const float high = std::clamp(bar.rect.height() / 2 + 1, 2.0F, half);
      const Rect parked = {at.x - half, at.y - high, at.x + half, at.y + high};
      canvas_.fill(parked, color, 2);
      canvas_.frame(parked, colors_.text, 1, 2);
      return;
    }
    if (tensor.where != Whereabouts::kRead) {
      const CurveShape way = way_of(tensor, bar);
      canvas_.curve(way.from, way.control_a, way.control_b, way.to,
                    color.with_alpha(kWayAlphaOfToken), font / 8);
    }
    const Rect token = {at.x - half, at.y - half, at.x + half, at.y + half};
    canvas_.fill(token, color, 3);
    canvas_.frame(token, colors_.text, font / 10, 3);
    const float tip = half * 0.55F;
    const float up = tensor.where == Whereabouts::kLeaving ? -tip : tip;
    canvas_.triangle({at.x - tip, at.y - up}, {at.x + tip, at.y - up}, {at.x, at.y + up},
                     colors_.background);
    if (is_named) name(bar, at, half);
  }

  void name(const PlacedBar& bar, Point at, float half) {
    const float size = frame_.small_px;
    const std::string whole = frame_.look.scene->graph->tensor_name(bar.bar->tensor);
    const std::string bytes = "  " + format_bytes(bar.bar->bytes);
    const std::string text =
        fit_name(canvas_, whole, size, 16 * size - canvas_.text_width(bytes, size)) + bytes;
    const float width = canvas_.text_width(text, size);
    const float gap = size * 0.4F;
    const std::array<Point, 4> places = {{{at.x + half + gap, at.y - size / 2},
                                          {at.x - half - gap - width, at.y - size / 2},
                                          {at.x - width / 2, at.y - half - size - gap},
                                          {at.x - width / 2, at.y + half + gap}}};
    const auto place = labels_.place(places, width, size);
    if (!place) return;
    canvas_.fill({place->x - 3, place->y - 1, place->x + width + 3, place->y + size + 2},
                 colors_.background.with_alpha(0.85), 2);
    canvas_.text(*place, text, colors_.text, size);
  }

  Canvas& canvas_;
  const LevelsFrame& frame_;
  const Palette& colors_;
  double at_;
  float x_;
  Labels labels_;
};

}  // namespace

std::optional<Rect> player_label(const Canvas& canvas, const LevelsFrame& frame) {
  if (!frame.look.player || !std::isfinite(*frame.look.player)) return std::nullopt;
  const Axis& axis = frame.axis;
  const float x = axis.x(*frame.look.player);
  if (x < axis.x0 || x > axis.x1) return std::nullopt;
  const float size = frame.small_px;
  const float width = canvas.text_width(level_text(*frame.look.player), size);
  const float left = std::clamp(x - width / 2, axis.x0, std::max(axis.x0, axis.x1 - width));
  const float y = frame.ticks.y0 + size * 0.2F;
  return Rect{left - kLabelPx, y - 1, left + width + kLabelPx, y + size + 1};
}

void draw_player(Canvas& canvas, const LevelsFrame& frame) {
  if (!frame.look.player || !std::isfinite(*frame.look.player)) return;
  PlayerPainter(canvas, frame, *frame.look.player).draw();
}

}  // namespace tideline::render
