// Problem: a step has up to millions of executions; a frame must not look at all of them, and
// neither the op that takes a nanosecond nor the one that takes most of the step may vanish.
// Idea: tracks are sequences without overlaps (trace_lanes.h), so that the visible part is found by
// a binary search. What is narrower than a pixel grows to a bar that stands for several, and the
// search goes on at the next pixel. Arcs lead from where a tensor left for the host to where it
// came back; a hatched stretch is the time in which the device waited for that. Cost: O(pixels x
// log zones) for each visible track, O(swaps + gaps), and O(zones) with a selection. Source: the
// merging of narrow zones is an idea of Tracy; the rest is own. Tested by
// tests/unit/view/timeline_view_test.cc.
#include "render/view/timeline_view.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.h"
#include "render/view/labels.h"
#include "render/view/level_bands.h"
#include "render/view/number_axis.h"
#include "render/view/text_fit.h"
#include "render/view/timeline_frame.h"

namespace tideline::render {
namespace {

constexpr double kUsPerS = 1e6;
constexpr float kLeastPx = 1.5F;
constexpr std::size_t kMostSwapArcs = 400;

class TimelinePainter {
 public:
  TimelinePainter(Canvas& canvas, const TimelineLook& look)
      : canvas_(canvas),
        look_(look),
        colors_(*look.palette),
        laned_(look.timeline->trace),
        plot_(timeline_plot(look)),
        axis_(timeline_axis(look)),
        rows_(timeline_rows(look)),
        axis_labels_({look.area.x0, look.area.y0, look.area.x1, look.area.y0 + look.font_px * 2}) {}

  void draw() {
    canvas_.fill(look_.area, colors_.panel);
    take_stretch();
    draw_ticks();
    canvas_.push_clip({look_.area.x0, plot_.y0, look_.area.x1, plot_.y1});
    float y = plot_.y0 - look_.scroll_px;
    lane_y_.assign(laned_.lanes.size(), 0);
    for (const TimelineBand& band : look_.timeline->bands) {
      const float high = timeline_band_px(band, rows_, look_.font_px);
      if (band.kind == TimelineBand::Kind::kLane) lane_y_[band.index] = y;
      if (y < plot_.y1 && y + high > plot_.y0) draw_band(band, {plot_.x0, y, plot_.x1, y + high});
      y += high;
    }
    canvas_.push_clip(plot_);
    draw_arcs();
    canvas_.pop_clip();
    canvas_.pop_clip();
    draw_stretch();
    draw_bookmark_marks(canvas_, colors_, axis_, plot_.y0, true, look_.font_px, look_.marks);
    if (look_.cursor) {
      const float x = axis_.x(*look_.cursor);
      if (x >= plot_.x0 && x < plot_.x1) {
        canvas_.line({x, plot_.y0}, {x, plot_.y1}, colors_.hover.with_alpha(0.5), 1);
      }
    }
  }

 private:
  [[nodiscard]] float track_px() const { return rows_.track_px; }

  void draw_ticks() {
    const NumberAxis axis = {axis_.first / kUsPerS, (axis_.first + axis_.span) / kUsPerS, false,
                             plot_.x0, plot_.x1};
    const float size = look_.font_px * 0.8F;
    // Steps are rarely longer than a second: seconds with digits say too little.
    const double span_s = axis.last - axis.first;
    const bool is_us = span_s < 2e-3;
    const bool is_ms = !is_us && span_s < 2;
    const double factor = is_us ? 1e6 : is_ms ? 1e3 : 1;
    const NumberAxis shown = {axis.first * factor, axis.last * factor, false, plot_.x0, plot_.x1};
    for (const NumberTick& tick : number_ticks(shown, NumberKind::kPlain, size * 7)) {
      const float x = shown.px(tick.number);
      canvas_.line({x, plot_.y0}, {x, plot_.y1}, colors_.grid, 1);
      const std::string text = tick.text + (is_us ? " us" : is_ms ? " ms" : " s");
      const float width = canvas_.text_width(text, size);
      const std::array at = {Point{x - width / 2, look_.area.y0 + look_.font_px * 0.3F}};
      if (axis_labels_.place(at, width, size)) canvas_.text(at[0], text, colors_.dim_text, size);
    }
  }

  void draw_band(const TimelineBand& band, Rect rect) {
    const float size = look_.font_px * 0.85F;
    const std::string name = band_name(*look_.scene, *look_.timeline, band);
    if (is_whole(rect.y0 + size * 0.2F, size))
      canvas_.text({look_.area.x0 + size * 0.4F, rect.y0 + size * 0.2F},
                   fit_text(canvas_, name, size, plot_.x0 - look_.area.x0 - size), colors_.dim_text,
                   size);
    canvas_.line({look_.area.x0, rect.y1 - look_.font_px * 0.25F},
                 {look_.area.x1, rect.y1 - look_.font_px * 0.25F}, colors_.grid, 1);
    canvas_.push_clip(
        {plot_.x0, std::max(rect.y0, plot_.y0), plot_.x1, std::min(rect.y1, plot_.y1)});
    if (band.kind == TimelineBand::Kind::kMemory) {
      draw_memory_band(look_.scene->measured->devices[band.index],
                       {rect.x0, rect.y0, rect.x1, rect.y1 - look_.font_px * 0.5F});
    } else {
      const ZoneLane& lane = laned_.lanes[band.index];
      draw_gaps(band.index, rect.y0);
      for (std::size_t track = 0; track < lane.tracks.size(); ++track) {
        const float y = rect.y0 + static_cast<float>(track) * track_px();
        if (y > plot_.y1 || y + track_px() < plot_.y0) continue;
        draw_track(lane, lane.tracks[track], y);
      }
    }
    canvas_.pop_clip();
  }

  void draw_track(const ZoneLane& lane, const std::vector<TraceZone>& track, float y) {
    const std::int64_t end_ns = ns_of_us(axis_.first + axis_.span);
    for (std::size_t i = first_zone_behind(track, ns_of_us(axis_.first), 0); i < track.size();) {
      const TraceZone& zone = track[i];
      if (zone.from_ns > end_ns) break;
      const float x0 = std::max(axis_.x(us_of_ns(zone.from_ns)), plot_.x0 - 2);
      const float x1 = std::min(axis_.x(us_of_ns(zone.to_ns)), plot_.x1 + 2);
      if (x1 - x0 >= kLeastPx) {
        draw_zone(lane, zone, {x0, y, x1, y + track_px() - 1});
        ++i;
        continue;
      }
      // A bar for all that lies within this pixel.
      const std::size_t next =
          std::max(i + 1, first_zone_behind(track, ns_of_us(axis_.position(x0 + kLeastPx)), i));
      const Color color = next == i + 1 ? color_of(lane, zone) : colors_.dim_text.with_alpha(0.6);
      canvas_.fill(
          {x0, y + (next == i + 1 ? 0 : track_px() * 0.15F), x0 + kLeastPx, y + track_px() - 1},
          color);
      if (has_selected(track, i, next)) {
        canvas_.frame({x0 - 1, y, x0 + kLeastPx + 1, y + track_px() - 1}, colors_.selection, 2);
      }
      i = next;
    }
  }

  [[nodiscard]] bool has_selected(const std::vector<TraceZone>& track, std::size_t begin,
                                  std::size_t end) const {
    return look_.selected &&
           std::any_of(track.begin() + static_cast<std::ptrdiff_t>(begin),
                       track.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](const TraceZone& zone) { return zone.op == *look_.selected; });
  }

  [[nodiscard]] Color color_of(const ZoneLane& lane, const TraceZone& zone) const {
    switch (zone.kind) {
      case ZoneKind::kSwapOut: return colors_.swap_out;
      case ZoneKind::kSwapIn: return colors_.swap_in;
      case ZoneKind::kTransfer: return colors_.candidate;
      case ZoneKind::kOp: break;
    }
    if (lane.kind == TraceLane::kCopies) return colors_.host;
    const std::string_view name = look_.scene->measured->trace.ops[zone.row].name;
    return colors_.scopes[scope_hue(name.substr(0, name.find('/')))].with_alpha(0.8);
  }

  void draw_zone(const ZoneLane& lane, const TraceZone& zone, Rect rect) {
    canvas_.fill({rect.x0, rect.y0, std::max(rect.x0 + 1, rect.x1 - 1), rect.y1},
                 color_of(lane, zone));
    if (look_.selected && zone.op == *look_.selected) {
      canvas_.frame(rect, colors_.selection, 2);
    }
    const float size = look_.font_px * 0.8F;
    const float left = std::max(rect.x0, plot_.x0);
    if (rect.x1 - left < size * 2 || !is_whole(rect.y0 + (rect.height() - size) / 2, size)) return;
    const std::string name = printable(look_.scene->measured->trace.ops[zone.row].name);
    canvas_.text({left + 3, rect.y0 + (rect.height() - size) / 2},
                 fit_name(canvas_, name, size, std::min(rect.x1, plot_.x1) - left - 6),
                 colors_.background, size);
  }

  // The largest value of each pixel, as steps.
  void draw_memory_band(const MeasuredStep& step, Rect rect) {
    if (step.curve.empty() || step.peak <= 0) return;
    const auto y_of = [&](Bytes bytes) {
      const double share = static_cast<double>(bytes) / static_cast<double>(step.peak);
      return rect.y1 - static_cast<float>(share) * (rect.height() - look_.font_px * 0.3F);
    };
    const auto us_of = [&](const CurvePoint& point) {
      const auto since = static_cast<std::int64_t>(static_cast<std::uint64_t>(point.at_ns) -
                                                   static_cast<std::uint64_t>(laned_.begin_ns));
      return us_of_ns(since);
    };
    std::vector<Point> points;
    auto next = std::partition_point(step.curve.begin(), step.curve.end(),
                                     [&](const CurvePoint& p) { return us_of(p) < axis_.first; });
    Bytes live = next == step.curve.begin() ? 0 : std::prev(next)->bytes;
    points.push_back({plot_.x0, y_of(live)});
    while (next != step.curve.end()) {
      const float x = axis_.x(us_of(*next));
      if (x > plot_.x1) break;
      Bytes most = live;
      for (; next != step.curve.end() && axis_.x(us_of(*next)) < x + 1; ++next) {
        live = next->bytes;
        most = std::max(most, live);
      }
      points.push_back({x, points.back().y});
      points.push_back({x, y_of(most)});
      points.push_back({x + 1, y_of(live)});
    }
    points.push_back({plot_.x1, y_of(live)});
    canvas_.area(points, rect.y1, colors_.measured.with_alpha(0.3));
    canvas_.polyline(points, colors_.measured, 1);
    const float size = look_.font_px * 0.8F;
    if (!is_whole(rect.y0, size)) return;
    canvas_.text({plot_.x1 - size * 0.4F, rect.y0}, "peak " + format_bytes(step.peak),
                 colors_.dim_text, size, Align::kRight);
  }

  // Below the executions; the text where there is none.
  void draw_gaps(std::uint32_t lane, float y) {
    const auto& tracks = laned_.lanes[lane].tracks;
    for (const LateGap& gap : laned_.gaps) {
      const float x0 = std::max(axis_.x(us_of_ns(gap.from_ns)), plot_.x0);
      const float x1 = std::min(axis_.x(us_of_ns(gap.to_ns)), plot_.x1);
      if (gap.lane != lane || x1 <= x0) continue;
      const Rect rect = {x0, y, std::max(x1, x0 + 1),
                         y + static_cast<float>(tracks.size()) * track_px() - 1};
      canvas_.fill(rect, colors_.error.with_alpha(0.18));
      canvas_.hatch(rect, colors_.error.with_alpha(0.7));
      const float size = look_.font_px * 0.8F;
      const std::string text = format_time(gap.to_ns - gap.from_ns);
      const float half = canvas_.text_width(text, size) / 2 + 2;
      if (2 * half > x1 - x0 || !is_whole(y, look_.font_px)) continue;
      const auto is_free = [&](const std::vector<TraceZone>& track) {
        const std::size_t zone = first_zone_behind(track, gap.from_ns, 0);
        return zone == track.size() || track[zone].from_ns >= gap.to_ns;
      };
      const auto free = std::find_if(tracks.begin(), tracks.end(), is_free);
      if (free == tracks.end()) continue;
      const float top = y + static_cast<float>(free - tracks.begin()) * track_px();
      const float middle = (x0 + x1) / 2;
      canvas_.fill({middle - half, top + 1, middle + half, top + track_px() - 2}, colors_.panel);
      canvas_.text({middle, top + (track_px() - size) / 2}, text, colors_.error, size,
                   Align::kCenter);
    }
  }

  [[nodiscard]] Point end_of(ZonePlace place, bool is_begin) const {
    const TraceZone& zone = laned_.zone(place);
    const float y = lane_y_[place.lane] + (static_cast<float>(place.track) + 0.5F) * track_px();
    return {axis_.x(us_of_ns(is_begin ? zone.from_ns : zone.to_ns)), y};
  }

  void draw_arcs() {
    std::vector<const TracedSwap*> visible;
    for (const TracedSwap& swap : laned_.swaps) {
      const float from = axis_.x(us_of_ns(laned_.zone(swap.out).to_ns));
      const float to = axis_.x(us_of_ns(laned_.zone(swap.in).from_ns));
      if (std::max(from, to) >= plot_.x0 && std::min(from, to) <= plot_.x1)
        visible.push_back(&swap);
    }
    const std::size_t every = visible.size() / kMostSwapArcs + 1;
    for (std::size_t i = 0; i < visible.size(); i += every) {
      const TracedSwap& swap = *visible[i];
      const Point from = end_of(swap.out, false);
      const Point to = end_of(swap.in, true);
      const bool is_selected = look_.selected && (laned_.zone(swap.out).op == *look_.selected ||
                                                  laned_.zone(swap.in).op == *look_.selected);
      const float dip = std::min(track_px() * 4, track_px() + std::abs(to.x - from.x) * 0.1F);
      const float middle = (from.x + to.x) / 2;
      const float low = std::max(from.y, to.y) + dip;
      const float width = is_selected ? 2.5F : 1.5F;
      const auto alpha = is_selected ? 1.0 : 0.75;
      canvas_.curve(from, {from.x, low}, {middle, low}, {middle, low},
                    colors_.swap_out.with_alpha(alpha), width);
      canvas_.curve({middle, low}, {middle, low}, {to.x, low}, to,
                    colors_.swap_in.with_alpha(alpha), width);
      const float tip = look_.font_px * 0.3F;
      canvas_.triangle({to.x - tip, to.y + tip * 1.6F}, {to.x + tip, to.y + tip * 1.6F}, to,
                       colors_.swap_in);
    }
  }

  void draw_stretch() {
    if (!look_.stretch) return;
    const float x0 = std::clamp(axis_.x(look_.stretch->from_us), plot_.x0, plot_.x1);
    const float x1 = std::clamp(axis_.x(look_.stretch->to_us), plot_.x0, plot_.x1);
    // Within two clips: so fronts know what moves with the axis.
    canvas_.push_clip(look_.area);
    canvas_.push_clip(plot_);
    canvas_.fill({x0, plot_.y0, std::max(x1, x0 + 1), plot_.y1}, colors_.accent.with_alpha(0.15));
    canvas_.line({x0, plot_.y0}, {x0, plot_.y1}, colors_.accent, 1);
    canvas_.line({x1, plot_.y0}, {x1, plot_.y1}, colors_.accent, 1);
    canvas_.pop_clip();
    canvas_.pop_clip();
    canvas_.text({stretch_.x0, stretch_.y0}, stretch_text(), colors_.text,
                 stretch_.y1 - stretch_.y0);
  }

  [[nodiscard]] std::string stretch_text() const {
    return format_time(ns_of_us(look_.stretch->to_us - look_.stretch->from_us));
  }

  // Its length stands among the numbers of the axis, before all of them.
  void take_stretch() {
    if (!look_.stretch) return;
    const float x0 = std::clamp(axis_.x(look_.stretch->from_us), plot_.x0, plot_.x1);
    const float x1 = std::clamp(axis_.x(look_.stretch->to_us), plot_.x0, plot_.x1);
    const float size = look_.font_px * 0.85F;
    const float width = canvas_.text_width(stretch_text(), size);
    const float x = std::clamp((x0 + x1 - width) / 2, look_.area.x0,
                               std::max(look_.area.x0, look_.area.x1 - width));
    const float y = look_.area.y0 + look_.font_px * 0.3F;
    stretch_ = {x, y, x + width, y + size};
    axis_labels_.take({x - size * 0.4F, y, x + width + size * 0.4F, y + size});
  }

  // Whether a line of text from `y` on is within what is seen of the bands.
  [[nodiscard]] bool is_whole(float y, float size) const {
    return y >= plot_.y0 && y + size <= plot_.y1;
  }

  Canvas& canvas_;
  const TimelineLook& look_;
  const Palette& colors_;
  const LanedTrace& laned_;
  Rect plot_;
  Axis axis_;
  TimelineRows rows_;
  Labels axis_labels_;
  Rect stretch_ = {};          // where the length of the stretch stands
  std::vector<float> lane_y_;  // by lane: its upper edge
};

}  // namespace

void draw_timeline(Canvas& canvas, const TimelineLook& look) {
  TimelinePainter(canvas, look).draw();
}

}  // namespace tideline::render
