// Two plots of the same width, one above the other, below a legend. Texts take what they need
// first; where that leaves too little for the plots, they get smaller. A label of the horizontal
// axis stands only where none stands yet: that of the batch size asked about is the first.
// Source: own. Tested by tests/unit/view/fit_chart_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "render/view/fit_chart.h"
#include "render/view/labels.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr double kLogBatches = 8;          // spanned by batch sizes on a logarithmic axis
constexpr double kFitRoomAbove = 0.06;     // above the highest point
constexpr double kFitRoomBeside = 0.03;    // of the horizontal axis
constexpr float kFitLeastPlotRows = 3.5F;  // of text, before texts get smaller
constexpr std::array kFitTextShares = {1.0F, 0.85F, 0.7F, 0.6F, 0.5F, 0.4F};
constexpr float kFitSampleRows = 2.2F;  // the width of a sample in the legend
constexpr int kFitSegmentSamples = 16;

struct AxisUnit {
  const char* name;
  double size;
};
constexpr std::array kByteUnits = {AxisUnit{"B", 1}, AxisUnit{"KiB", 1024.0},
                                   AxisUnit{"MiB", kBytesPerMiB}, AxisUnit{"GiB", kBytesPerGiB},
                                   AxisUnit{"TiB", 1024 * kBytesPerGiB}};
constexpr std::array kTimeUnits = {AxisUnit{"ns", 1}, AxisUnit{"us", 1e3}, AxisUnit{"ms", 1e6},
                                   AxisUnit{"s", 1e9}};

// The largest one in which `most` is at least one.
template <std::size_t kCount>
const AxisUnit& unit_of(const std::array<AxisUnit, kCount>& units, double most) {
  const AxisUnit* best = units.data();
  for (const AxisUnit& unit : units) {
    if (most >= unit.size) best = &unit;
  }
  return *best;
}

class FitLayout {
 public:
  FitLayout(const FitCurve& curve, const Canvas& measure, FitChart& chart)
      : curve_(curve), measure_(measure), chart_(chart) {}

  void say(std::string_view words);
  /// Returns the height of the plots, which is too small if there is no room for the rest.
  float place(float text_px);
  void fill();

 private:
  using Kind = FitLabel::Kind;

  [[nodiscard]] float width(std::string_view text) const {
    return measure_.text_width(text, chart_.text_px);
  }
  void label(Kind kind, std::string text, float x, float y) {
    const Rect box = {x, y, x + width(text), y + chart_.text_px};
    chart_.labels.push_back({kind, std::move(text), box});
  }
  [[nodiscard]] bool is_free(const Rect& box, float gap_px) const {
    return std::none_of(chart_.labels.begin(), chart_.labels.end(), [&](const FitLabel& other) {
      const Rect& taken = other.box;
      return do_meet(box, {taken.x0 - gap_px, taken.y0, taken.x1 + gap_px, taken.y1});
    });
  }
  float place_legend(float y);
  void set_axes();
  void add_marks();
  void add_ticks(const FitChart::Plot& plot);
  void add_batches();
  void add_budget();
  [[nodiscard]] int marks_under(const Rect& box) const;

  const FitCurve& curve_;
  const Canvas& measure_;
  FitChart& chart_;
};

// As many lines as they need.
void FitLayout::say(std::string_view words) {
  const float margin = chart_.text_px * 0.6F;
  const float room = chart_.width_px - 2 * margin;
  float y = margin;
  const auto end_line = [&](std::string line) {
    label(Kind::kDim, fit_text(measure_, line, chart_.text_px, room), margin, y);
    y += chart_.text_px * 1.35F;
  };
  std::string line;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string longer = line + (line.empty() ? "" : " ") + std::string(words.substr(0, end));
    if (!line.empty() && width(longer) > room) {
      end_line(std::move(line));
      line = words.substr(0, end);
    } else {
      line = longer;
    }
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  end_line(std::move(line));
}

// Entries from left to right, in as many rows as they need. Returns where the rest begins.
float FitLayout::place_legend(float y) {
  const float size = chart_.text_px;
  const float margin = size * 0.6F;
  const float end = chart_.width_px - margin;
  float x = margin;
  const auto add = [&](std::optional<std::size_t> line, const std::string& title, float sample_px) {
    const float before_text = sample_px + size * 0.4F;
    std::string text = fit_text(measure_, title, size, end - margin - before_text);
    const float all_px = before_text + width(text);
    if (x > margin && x + all_px > end) {
      x = margin;
      y += size * 1.35F;
    }
    chart_.legend.push_back({line, {x, y, x + sample_px, y + size}});
    label(Kind::kText, std::move(text), x + before_text, y);
    x += all_px + size;
  };
  bool all_fit = true;
  for (std::size_t i = 0; i < curve_.lines.size(); ++i) {
    add(i, curve_.lines[i].title, size * kFitSampleRows);
    for (const FitPoint& point : curve_.lines[i].points) all_fit = all_fit && point.fits;
  }
  if (!all_fit) add(std::nullopt, "does not fit", size * 0.8F);
  return y + size * 1.5F;
}

float FitLayout::place(float text_px) {
  chart_.text_px = text_px;
  chart_.legend.clear();
  chart_.labels.clear();
  const float above = place_legend(text_px * 0.4F);
  const float caption = text_px * 1.6F;  // with half a number of the axis below it
  const float below = text_px * 2.1F;    // the row of batch sizes
  const float between = text_px * 0.7F;
  const float height = (chart_.height_px - above - between - below - 2 * caption) / 2;
  const ChartFrame frame = make_chart_frame(chart_.width_px, chart_.height_px, text_px / 0.8F);
  float y = above + caption;
  for (FitChart::Plot* plot : {&chart_.peak, &chart_.time}) {
    static_cast<ChartFrame&>(*plot) = frame;
    plot->plot.y0 = y;
    plot->plot.y1 = y + std::max(height, 1.0F);
    y = plot->plot.y1 + between + caption;
  }
  return height;
}

void FitLayout::set_axes() {
  NumberRange batches;
  double most_bytes = static_cast<double>(curve_.budget);
  double most_ns = 0;
  if (curve_.batch > 0) batches.add(static_cast<double>(curve_.batch));
  for (const FitLine& line : curve_.lines) {
    for (const FitPoint& point : line.points) {
      batches.add(static_cast<double>(point.batch));
      most_bytes = std::max(most_bytes, static_cast<double>(point.device_peak));
      if (std::isfinite(point.example_ns)) most_ns = std::max(most_ns, point.example_ns);
    }
  }
  const AxisUnit& bytes = unit_of(kByteUnits, most_bytes);
  const AxisUnit& time = unit_of(kTimeUnits, most_ns);
  chart_.bytes_per_unit = bytes.size;
  chart_.ns_per_unit = time.size;
  const bool is_log = batches.last > kLogBatches * batches.first;
  NumberAxis x = make_number_axis(batches, is_log, std::max(batches.first, 1.0),
                                  chart_.peak.plot.x0, chart_.peak.plot.x1);
  if (x.is_log) {
    const double room = std::pow(x.last / x.first, kFitRoomBeside);
    x.first /= room;
    x.last *= room;
  } else {
    const double room = (x.last - x.first) * kFitRoomBeside;
    x.first -= room;
    x.last += room;
  }
  const auto upwards = [](double most, const Rect& plot) {
    return make_number_axis({0, (1 + kFitRoomAbove) * most}, false, 0, plot.y1, plot.y0);
  };
  chart_.peak.x = chart_.time.x = x;
  chart_.peak.y = upwards(std::max(most_bytes, 1.0) / bytes.size, chart_.peak.plot);
  chart_.time.y = upwards(std::max(most_ns, 1.0) / time.size, chart_.time.plot);
  const float left = chart_.text_px * 0.6F;
  const auto caption = [&](const Rect& plot, const std::string& text) {
    label(Kind::kText, fit_text(measure_, text, chart_.text_px, chart_.width_px - 2 * left), left,
          plot.y0 - chart_.text_px * 1.6F);
  };
  caption(chart_.peak.plot, fmt::format("Device peak, {}", bytes.name));
  caption(chart_.time.plot, fmt::format("Time of an example, {}", time.name));
}

void FitLayout::add_marks() {
  std::vector<std::int64_t> batches;
  for (const FitLine& line : curve_.lines) {
    for (const FitPoint& point : line.points) batches.push_back(point.batch);
  }
  std::sort(batches.begin(), batches.end());
  const auto add = [&](std::vector<FitChart::Mark>& marks, Point at, const FitPoint& point) {
    const auto is_between = [&](std::int64_t from) {
      const auto next = std::upper_bound(batches.begin(), batches.end(), from);
      return next != batches.end() && *next < point.batch;
    };
    const bool is_joined = !marks.empty() && !is_between(marks.back().point.batch);
    marks.push_back({at, point, is_joined});
  };
  for (const FitLine& line : curve_.lines) {
    std::vector<FitChart::Mark> peaks, times;
    for (const FitPoint& point : line.points) {
      const float x = chart_.peak.x.px(static_cast<double>(point.batch));
      const double peak = static_cast<double>(point.device_peak) / chart_.bytes_per_unit;
      add(peaks, {x, chart_.peak.y.px(peak)}, point);
      if (!(point.example_ns > 0) || !std::isfinite(point.example_ns)) continue;
      add(times, {x, chart_.time.y.px(point.example_ns / chart_.ns_per_unit)}, point);
    }
    chart_.peak.lines.push_back(std::move(peaks));
    chart_.time.lines.push_back(std::move(times));
    chart_.titles.push_back(line.title);
  }
}

void FitLayout::add_ticks(const FitChart::Plot& plot) {
  const float size = chart_.text_px;
  for (NumberTick& tick : number_ticks(plot.y, NumberKind::kPlain, size * 2.2F)) {
    const float right = plot.plot.x0 - size * 0.4F;
    const float x = right - width(tick.text);
    const float y = plot.y.px(tick.number) - size / 2;
    // Beside the caption above, and not cut at the left.
    if (x < 0 || !is_free({x, y, right, y + size}, 0)) continue;
    label(Kind::kDim, tick.text, x, y);
  }
}

// The batch size asked about, then as many round ones as there is room for.
void FitLayout::add_batches() {
  const float size = chart_.text_px;
  const Rect& plot = chart_.time.plot;
  const float y = plot.y1 + size * 0.7F;
  const auto centred = [&](std::string text, double batch, Kind kind) {
    const float half = width(text) / 2;
    const float least = std::min(half + size * 0.3F, chart_.width_px / 2);
    const float x = std::clamp(chart_.time.x.px(batch), least, chart_.width_px - least);
    const Rect box = {x - half, y, x + half, y + size};
    if (is_free(box, size * 0.6F)) label(kind, std::move(text), box.x0, y);
  };
  if (curve_.batch > 0) {
    chart_.batch_px = chart_.time.x.px(static_cast<double>(curve_.batch));
    centred(fmt::format("batch {}", curve_.batch), static_cast<double>(curve_.batch), Kind::kText);
  }
  const float left = size * 0.6F;
  for (const char* title : {"batch size", "batch"}) {
    const Rect box = {left, y, left + width(title), y + size};
    if (box.x1 > plot.x0 - size || !is_free(box, size * 0.6F)) continue;
    label(Kind::kDim, title, left, y);
    break;
  }
  for (const NumberTick& tick : number_ticks(chart_.time.x, NumberKind::kPlain, size * 3)) {
    const double batch = std::round(tick.number);
    if (batch < 1 || std::abs(batch - tick.number) > 1e-6 * batch) continue;
    centred(fmt::format("{:.0f}", batch), batch, Kind::kDim);
  }
}

int FitLayout::marks_under(const Rect& box) const {
  int count = 0;
  for (const auto& line : chart_.peak.lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const Point to = line[i].at;
      const Point from = line[i == 0 ? 0 : i - 1].at;
      for (int part = 1; part <= kFitSegmentSamples; ++part) {
        const float share = static_cast<float>(part) / kFitSegmentSamples;
        const Point at = {from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
        if (box.contains(at)) ++count;
      }
    }
  }
  return count;
}

// Beside the line, inside the plot, where the fewest curves are.
void FitLayout::add_budget() {
  if (curve_.budget <= 0) return;
  const Rect& plot = chart_.peak.plot;
  const float size = chart_.text_px;
  const float y = chart_.peak.y.px(static_cast<double>(curve_.budget) / chart_.bytes_per_unit);
  chart_.budget_px = y;
  std::string text = "budget " + format_bytes(curve_.budget);
  if (width(text) > plot.width() - size) text = format_bytes(curve_.budget);
  const float gap = size * 0.3F;
  const float room = std::max(0.0F, plot.width() - width(text) - 2 * gap);
  Rect best = {};
  int fewest = std::numeric_limits<int>::max();
  for (const float top : {y - gap - size, y + gap}) {
    if (top < plot.y0 || top + size > plot.y1) continue;
    for (const float share : {0.0F, 0.5F, 1.0F}) {
      const float x = plot.x0 + gap + room * share;
      const Rect box = {x, top, x + width(text), top + size};
      const int count = marks_under(box);
      if (count >= fewest || !is_free(box, 0)) continue;
      fewest = count;
      best = box;
    }
  }
  if (fewest == std::numeric_limits<int>::max()) return;
  label(Kind::kBudget, std::move(text), best.x0, best.y0);
}

void FitLayout::fill() {
  set_axes();
  add_marks();
  add_ticks(chart_.peak);
  add_ticks(chart_.time);
  add_batches();
  add_budget();
}

}  // namespace

FitChart layout_fit(const FitCurve& curve, float width_px, float height_px, float font_px,
                    const Canvas& measure, std::string_view why_empty) {
  FitChart chart;
  chart.width_px = width_px;
  chart.height_px = height_px;
  chart.text_px = small_font_px(font_px);
  FitLayout layout(curve, measure, chart);
  if (std::all_of(curve.lines.begin(), curve.lines.end(),
                  [](const FitLine& line) { return line.points.empty(); })) {
    layout.say(why_empty);
    return chart;
  }
  for (const float share : kFitTextShares) {
    const float text_px = small_font_px(font_px) * share;
    if (layout.place(text_px) >= kFitLeastPlotRows * text_px) break;
  }
  layout.fill();
  return chart;
}

}  // namespace tideline::render
