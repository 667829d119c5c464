#include "render/view/memory_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tideline::render {
namespace {

constexpr double kHeadroom = 1.16;             // above the highest curve, for its label
constexpr double kHostShown = 0.004;           // of the chart: a pixel
constexpr float kLegendOfMemoryShare = 0.22F;  // of the height, before its words get smaller
constexpr float kLeastChartLines = 2.5F;       // beside a legend
constexpr float kLeastChartBelowLink = 5;      // lines
constexpr double kBudgetShown = 2.5;  // a budget so many times the highest curve is out of sight

double highest(const MemoryLook& look) {
  const MemoryLayout& memory = *look.memory;
  Bytes most = std::max({memory.after_peak, memory.host_peak, memory.resident, Bytes{1}});
  if (look.show_original || !memory.has_after) most = std::max(most, memory.before_peak);
  most = std::max(most, memory.measured.most());
  auto top = static_cast<double>(most);
  const auto budget = static_cast<double>(look.scene->device_budget);
  if (budget <= top * kBudgetShown) top = std::max(top, budget);
  return top * kHeadroom;
}

void make_columns(MemoryFrame& frame) {
  const std::int32_t begin = frame.axis.begin();
  const std::int32_t end = frame.axis.end(frame.look.memory->count);
  const double px = frame.axis.px_per_unit();
  if (px >= 1) {
    for (std::int32_t at = begin; at < end; ++at) {
      frame.columns.push_back({frame.axis.x(at), frame.axis.x(at + 1.0), at, at + 1});
    }
    return;
  }
  std::int32_t from = begin;
  for (float x = frame.axis.x(begin); from < end && x < frame.axis.x1; x += 1) {
    const double past = std::ceil(frame.axis.position(x + 1));
    const auto to = std::clamp(static_cast<std::int32_t>(std::min(past, 2e9)), from + 1, end);
    frame.columns.push_back({x, x + 1, from, to});
    from = to;
  }
}

}  // namespace

float MemoryFrame::y(double bytes) const {
  const double share = std::clamp(bytes / top_bytes, 0.0, 1.0);
  return chart.y1 - static_cast<float>(share) * chart.height();
}

std::vector<Point> MemoryFrame::points(const Curve& curve) const {
  std::vector<Point> points;
  points.reserve(2 * columns.size());
  for (const Column& column : columns) {
    const float height = y(static_cast<double>(curve.most(column.begin, column.end)));
    if (points.size() >= 2 && points.back().y == height && points[points.size() - 2].y == height) {
      points.back().x = column.x1;  // a level stretch
      continue;
    }
    points.push_back({column.x0, height});
    points.push_back({column.x1, height});
  }
  return points;
}

const Curve& MemoryFrame::shown() const {
  return look.memory->has_after ? look.memory->after : look.memory->before;
}

bool MemoryFrame::shows_host() const {
  return static_cast<double>(look.memory->host_peak) > kHostShown * top_bytes;
}

MemoryFrame measure_memory(const MemoryLook& look) {
  MemoryFrame frame{.look = look};
  frame.axis = memory_axis(look);
  frame.small_px = look.font_px * 0.86F;
  frame.chart = look.area;
  frame.chart.y0 = std::min(look.area.y1, look.area.y0 + look.font_px * 0.4F);
  frame.top_bytes = highest(look);
  frame.words = place_legend(legend_entries(frame), look.area.x0 + frame.small_px * 0.6F,
                             look.area.x1 - frame.small_px * 0.6F, frame.small_px,
                             kLegendOfMemoryShare * look.area.height());
  const float ticks_px = look.font_px * 1.4F;
  if (look.area.y1 - frame.words.height_px - ticks_px - frame.chart.y0 <
      kLeastChartLines * look.font_px) {
    frame.words = {};
    frame.words.is_folded = true;
  }
  frame.legend = look.area;
  frame.legend.y0 =
      std::max(look.area.y0, look.area.y1 - frame.words.height_px - look.font_px * 0.2F);
  frame.ticks = frame.legend;
  frame.ticks.y1 = frame.legend.y0;
  frame.ticks.y0 = std::max(look.area.y0, frame.ticks.y1 - ticks_px);
  frame.chart.y1 = std::max(frame.chart.y0, frame.ticks.y0);
  const float link_px = link_height_px(look.font_px);
  if (!look.memory->link.empty() &&
      frame.chart.height() - link_px > kLeastChartBelowLink * look.font_px) {
    frame.link = look.area;
    frame.link.y1 = frame.link.y0 + link_px;
    frame.chart.y0 = frame.link.y1;
  }
  make_columns(frame);
  return frame;
}

std::string tick_text(const MemoryLook& look, int at) {
  if (is_time(look.memory->axis)) return fmt::format("{:g}", at * look.memory->unit_ms);
  return fmt::format("{:g}", at * (look.sides != nullptr ? look.sides->per_position : 1));
}

std::string unit_name(const MemoryLook& look) {
  if (look.sides != nullptr) return look.sides->unit;
  if (is_time(look.memory->axis)) return "ms";
  return look.memory->axis == MemoryAxis::kLevel ? "level" : "step";
}

LinkTrack link_track(const MemoryFrame& frame) {
  const MemoryLook& look = frame.look;
  return {.link = &look.memory->link,
          .palette = look.palette,
          .area = frame.link,
          .axis = frame.axis,
          .end = static_cast<double>(look.memory->count),
          .ns_per_position = look.memory->unit_ns(),
          .font_px = look.font_px,
          .selected = look.selected,
          .hovered = look.hovered};
}

Axis memory_axis(const MemoryLook& look) {
  const float margin = memory_margin_px(look.font_px);
  return make_axis(look.range, look.memory->count, look.area.x0 + margin, look.area.x1 - margin);
}

}  // namespace tideline::render
