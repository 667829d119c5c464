// The swaps of the level view: bars in host memory, their ways, and the candidates. Tested by
// tests/unit/view/levels_lane_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/view/labels.h"
#include "render/view/levels_frame.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr double kDimmedSwap = 0.3;
constexpr double kWayAlpha = 0.7;
constexpr int kMostWays = 1500;
constexpr float kTickPx = 2;
constexpr float kLeastTipPx = 7, kMostTipPx = 4;  // of bars whose ticks have a tip
constexpr float kParkedPx = 2;
constexpr double kParkedAlpha = 0.3;
// Of an edge that the result does not have.
constexpr float kDashPx = 10;
constexpr int kMostDashes = 40;

// The top of an op's box; of ops of a plan (which has none for them) the top of the rows.
Point top_of(const LevelsFrame& frame, OpId op, std::int32_t level) {
  const OpLayout& ops = *frame.look.ops;
  if (!op.valid() || op.index() >= ops.box_of.size()) return {frame.x_middle(level), frame.rows.y0};
  const OpBox& box = ops.boxes[ops.box_of[op.index()]];
  return {frame.x_middle(box.level), frame.box_rect(box).y0};
}

class SwapPainter {
 public:
  SwapPainter(Canvas& canvas, const LevelsFrame& frame)
      : canvas_(canvas), frame_(frame), colors_(*frame.look.palette) {}

  void draw() {
    const Rect& area = frame_.look.area;
    canvas_.push_clip({area.x0, frame_.lane.y0, area.x1, frame_.rows.y1});
    draw_columns();
    draw_passing();
    for (const bool marked : {false, true}) {  // what is marked lies on top
      for (const PlacedBar& bar : frame_.placed) {
        if (is_marked(frame_, *bar.bar) != marked) continue;
        if (marked) draw_ways(bar);
        draw_bar(bar, marked);
      }
    }
    canvas_.pop_clip();
  }

 private:
  [[nodiscard]] double alpha(double usual, bool marked) const {
    if (marked) return 1;
    return frame_.look.selected ? usual * kDimmedSwap : usual;
  }

  // What is parked meanwhile, as an area behind.
  void draw_parked() {
    const Rect& lane = frame_.bars;
    const auto count =
        static_cast<std::size_t>(std::max(0.0F, frame_.axis.x1 - frame_.axis.x0) / kParkedPx) + 1;
    std::vector<double> bytes(count + 1, 0);  // what is added from there on
    const auto bin = [&](std::int32_t level) {
      const float share = (frame_.axis.x(level) - frame_.axis.x0) / kParkedPx;
      return static_cast<std::size_t>(std::clamp(share, 0.0F, static_cast<float>(count)));
    };
    for (const SwapBar& bar : frame_.look.swaps->bars) {
      bytes[bin(bar.out_level)] += static_cast<double>(bar.bytes);
      bytes[bin(bar.end_level)] -= static_cast<double>(bar.bytes);
    }
    double most = 1;
    double live = 0;
    for (const double change : bytes) most = std::max(most, live += change);
    std::vector<Point> points;
    live = 0;
    for (std::size_t i = 0; i < count; ++i) {
      live += bytes[i];
      const float y = lane.y1 - static_cast<float>(live / most) * (lane.height() - 2);
      const float x = frame_.axis.x0 + static_cast<float>(i) * kParkedPx;
      if (points.size() >= 2 && points.back().y == y) points.pop_back();
      if (points.empty() || points.back().y != y) points.push_back({x, y});
      points.push_back({std::min(x + kParkedPx, frame_.axis.x1), y});
    }
    canvas_.area(points, lane.y1, colors_.host.with_alpha(alpha(kParkedAlpha, false)));
  }

  // What leaves grows upwards from the middle, what comes back downwards, the late part at its end.
  // Heights are roots of bytes, as below.
  void draw_columns() {
    if (!frame_.is_summed) return;
    draw_parked();
    Bytes most = 1;
    for (const SwapColumn& column : frame_.columns) {
      most = std::max({most, column.out_bytes, column.in_bytes});
    }
    const float middle = (frame_.bars.y0 + frame_.bars.y1) / 2;
    const float half = std::max(kTickPx, frame_.bars.height() / 2 - 1);
    const auto high = [&](Bytes bytes) {
      const double share = static_cast<double>(bytes) / static_cast<double>(most);
      return std::max(kTickPx, static_cast<float>(std::sqrt(share)) * half);
    };
    const double dim = alpha(1, false);
    canvas_.line({frame_.axis.x0, middle}, {frame_.axis.x1, middle}, colors_.outline, 1);
    for (const SwapColumn& column : frame_.columns) {
      const float x1 = std::max(column.x0 + 1, column.x1 - (column.x1 - column.x0 > 4 ? 1.0F : 0));
      if (column.outs > 0) {
        canvas_.fill({column.x0, middle - high(column.out_bytes), x1, middle},
                     colors_.swap_out.with_alpha(dim));
      }
      if (column.ins == 0) continue;
      const float end = middle + high(column.in_bytes);
      canvas_.fill({column.x0, middle, x1, end}, colors_.swap_in.with_alpha(dim));
      if (column.late == 0) continue;
      const float late = std::min(high(column.late_bytes), end - middle);
      canvas_.fill({column.x0, end - late, x1, end}, colors_.error.with_alpha(dim));
    }
  }

  void draw_passing() {
    const SwapColumn& passing = frame_.passing;
    if (passing.passing == 0) return;
    const Rect& band = frame_.passing_band;
    canvas_.fill(band, colors_.host.with_alpha(alpha(kBarAlpha, false)));
    const std::string bytes = format_bytes(passing.passing_bytes);
    const std::array wordings = {
        fmt::format("{} more on the host or on their way all along, {}", passing.passing, bytes),
        fmt::format("{} more pass, {}", passing.passing, bytes),
        fmt::format("{} more", passing.passing)};
    const float size = frame_.small_px;
    canvas_.text({band.x0 + 8, (band.y0 + band.y1 - size) / 2},
                 first_that_fits(canvas_, wordings, size, band.width() - 16), colors_.text, size);
  }

  void draw_bar(const PlacedBar& bar, bool marked) {
    const Rect shown = {std::max(bar.rect.x0, frame_.look.area.x0), bar.rect.y0,
                        std::min(bar.rect.x1, frame_.look.area.x1),
                        std::max(bar.rect.y1, bar.rect.y0 + 1)};
    if (shown.x1 > shown.x0) {
      canvas_.fill(shown, colors_.host.with_alpha(alpha(kBarAlpha, marked)));
      if (bar.bar->is_idle && shown.height() > 4) canvas_.frame(shown, colors_.warning, 1);
    }
    draw_ends(bar, marked);
    if (shown.x1 <= shown.x0) return;
    if (marked) canvas_.frame(shown, colors_.selection, 1);
    const float size = std::min(frame_.small_px, shown.height() * 0.95F);
    if (size < frame_.small_px * 0.7F || shown.width() < size * 5) return;
    const std::string name = frame_.look.scene->graph->tensor_name(bar.bar->tensor);
    const std::array wordings = {name + "  " + format_bytes(bar.bar->bytes), name};
    const float room = shown.width() - 14;
    const std::string text = canvas_.text_width(wordings[0], size) <= room
                                 ? wordings[0]
                                 : fit_name(canvas_, name, size, room);
    canvas_.text({shown.x0 + 8, (shown.y0 + shown.y1 - size) / 2}, text,
                 colors_.text.with_alpha(alpha(0.95, marked)), size);
  }

  // The way in as a thin line in the lane, ticks where the tensor leaves and where it may come
  // back, and what its reader waits as long as that takes.
  void draw_ends(const PlacedBar& placed, bool marked) {
    const SwapBar& bar = *placed.bar;
    const Rect& rect = placed.rect;
    const float middle = (rect.y0 + rect.y1) / 2;
    const double dim = alpha(1, marked);
    // A tip upwards is out, one downwards is in, without their colours, too.
    const auto tick = [&](float x, Color color, bool is_out) {
      const Color shown = color.with_alpha(dim);
      canvas_.fill({x - kTickPx / 2, rect.y0, x + kTickPx / 2, std::max(rect.y1, rect.y0 + 1)},
                   shown);
      if (rect.height() < kLeastTipPx) return;
      const float half = std::min(rect.height() / 2, kMostTipPx);
      const float tip = is_out ? -half : half;
      canvas_.triangle({x - half, middle - tip / 2}, {x + half, middle - tip / 2},
                       {x, middle + tip / 2}, shown);
    };
    const float reader = frame_.x_middle(bar.reader_level);
    const float way = std::max(rect.x1, frame_.look.area.x0);
    const float end_px = std::min(reader, frame_.look.area.x1);
    if (end_px > way) {
      const Color color = colors_.swap_in.with_alpha(alpha(kWayAlpha, marked));
      const float half = rect.height() > 6 ? 1.0F : 0.5F;
      canvas_.fill({way, middle - half, end_px, middle + half}, color);
      if (end_px == reader) canvas_.fill({reader - 1, rect.y0, reader + 1, rect.y1}, color);
    }
    tick(rect.x0, colors_.swap_out, true);
    const SwapLayout& swaps = *frame_.look.swaps;
    for (std::uint32_t i = bar.first_span; i < bar.first_span + bar.span_count; ++i) {
      const float x = std::max(frame_.axis.x(swaps.spans[i].in_level), rect.x0 + kLeastBarPx);
      const std::int64_t late = swaps.late_ns[i];
      if (late > 0) {
        const float inset = rect.height() > 4 ? rect.height() * 0.25F : 0;
        const float end = frame_.axis.x(swaps.spans[i].in_level + swaps.levels_of(late));
        canvas_.fill({x, rect.y0 + inset, std::max(end, x + 1), rect.y1 - inset},
                     colors_.error.with_alpha(dim));
      }
      tick(x, late > 0 ? colors_.error : colors_.swap_in, false);
    }
  }

  void draw_ways(const PlacedBar& placed) {
    const SwapBar& bar = *placed.bar;
    const auto& spans = frame_.look.swaps->spans;
    const CurveShape out = way_out(frame_, placed);
    const float half = 3.5F;
    if (draw_way(out, colors_.swap_out)) {
      const Point to = out.to;
      canvas_.triangle({to.x - half, to.y + half}, {to.x + half, to.y + half}, {to.x, to.y - half},
                       colors_.swap_out);
    }
    for (std::uint32_t i = 0; i < bar.span_count && ways_ <= kMostWays; ++i) {
      const CurveShape in = way_in(frame_, placed, spans[bar.first_span + i]);
      if (!draw_way(in, colors_.swap_in)) continue;
      canvas_.triangle({in.to.x - half, in.to.y - 2 * half}, {in.to.x + half, in.to.y - 2 * half},
                       in.to, colors_.swap_in);
    }
  }

  // False if it is out of sight.
  bool draw_way(const CurveShape& way, Color color) {
    if (!is_visible(way.from.x, way.to.x)) return false;
    ++ways_;
    canvas_.curve(way.from, way.control_a, way.control_b, way.to, color, 2.5F);
    return true;
  }

  [[nodiscard]] bool is_visible(float a, float b) const {
    return std::max(a, b) >= frame_.look.area.x0 && std::min(a, b) <= frame_.look.area.x1;
  }

  Canvas& canvas_;
  const LevelsFrame& frame_;
  const Palette& colors_;
  int ways_ = 0;
};

// What to do when the lane is empty.
std::string why_no_swaps(const LevelsFrame& frame) {
  const RewritePlan* plan = frame.look.scene->plan;
  if (frame.look.ops->level_count == 0) return "This graph has no ops.";
  if (plan == nullptr) return "No policy yet: choose a rewriter, or give a memory budget.";
  return std::string(plan->report->why_no_swaps());
}

}  // namespace

CurveShape way_out(const LevelsFrame& frame, const PlacedBar& bar) {
  const SwapSpan& first = frame.look.swaps->spans[bar.bar->first_span];
  const Point from = top_of(frame, bar.bar->tensor.op, first.producer_level);
  const float y = (bar.rect.y0 + bar.rect.y1) / 2;
  const Point to = {bar.rect.x0, y};
  return {from, {from.x, from.y + (y - from.y) * 0.75F}, {(from.x + to.x) / 2, y}, to};
}

CurveShape way_in(const LevelsFrame& frame, const PlacedBar& bar, const SwapSpan& span) {
  const Point to = top_of(frame, span.consumer, span.consumer_level);
  const Point from = {std::min(frame.axis.x(span.in_level), bar.rect.x1),
                      (bar.rect.y0 + bar.rect.y1) / 2};
  return {from,
          {from.x + (to.x - from.x) * 0.7F, from.y},
          {to.x, from.y + (to.y - from.y) * 0.25F},
          to};
}

void draw_swaps(Canvas& canvas, const LevelsFrame& frame) {
  const float font = frame.look.font_px;
  if (frame.look.swaps->bars.empty()) {
    canvas.text({frame.bars.x0 + font * 0.5F, frame.bars.y0},
                fit_text(canvas, why_no_swaps(frame), font, frame.bars.width() - font),
                frame.look.palette->text, font);
    return;
  }
  SwapPainter(canvas, frame).draw();
}

int draw_tensor_edge(Canvas& canvas, const LevelsFrame& frame, TensorId tensor, OpId consumer,
                     const CurveShape& shape, Color color, float width_px) {
  if (!frame.look.swaps->is_rerouted(tensor, consumer)) {
    canvas.curve(shape.from, shape.control_a, shape.control_b, shape.to, color, width_px);
    return 1;
  }
  // Only what is in sight: from far away a dash would be as long as the picture.
  const auto share_at = [&](float x) {
    float from = 0;
    float to = 1;
    for (int i = 0; i < 24; ++i) {
      const float middle = (from + to) / 2;
      (shape.at(middle).x < x ? from : to) = middle;
    }
    return from;
  };
  const float first = share_at(frame.look.area.x0);
  const float last = share_at(frame.look.area.x1);
  const Point a = shape.at(first);
  const Point b = shape.at(last);
  const float length = std::hypot(b.x - a.x, b.y - a.y);
  const int dashes = std::clamp(static_cast<int>(length / kDashPx), 3, kMostDashes);
  for (int i = 0; i < dashes; ++i) {
    const auto share = [&](float at) {
      return first + (last - first) * at / static_cast<float>(dashes);
    };
    const auto place = static_cast<float>(i);
    canvas.line(shape.at(share(place)), shape.at(share(place + 0.6F)), color, width_px);
  }
  return dashes;
}

void draw_candidates(Canvas& canvas, const LevelsFrame& frame) {
  const std::vector<const LongLived*> visible = visible_candidates(frame);
  if (visible.empty()) return;
  canvas.push_clip(frame.arcs);
  for (const LongLived* tensor : visible) {
    const bool marked =
        frame.look.hovered == tensor->tensor || frame.look.selected == tensor->tensor;
    const Color color =
        marked ? frame.look.palette->hover
               : frame.look.palette->candidate.with_alpha(visible.size() > 60 ? 0.5 : 0.9);
    const CurveShape arc = arc_shape(frame, *tensor);
    canvas.curve(arc.from, arc.control_a, arc.control_b, arc.to, color, marked ? 2.0F : 1.0F);
  }
  canvas.pop_clip();
}

}  // namespace tideline::render
