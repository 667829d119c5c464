// Tested by tests/unit/view/tried_chart_test.cc.
#include "render/view/tried_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/view/labels.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr double kTriedRoom = 0.06;        // beside the outermost marks, of the axis
constexpr double kFarBudget = 2;           // of the highest peak: beyond it the budget is not shown
constexpr float kMarkShare = 0.3F;         // radius, of the font's height
constexpr float kNearMarkShare = 0.7F;     // how far the mouse may be
constexpr float kTriedLegendShare = 0.2F;  // of the height
constexpr std::string_view kNoSearch =
    "Nothing was tried for these settings: give a device budget, then press Tune to budget.";

struct TimeUnit {
  const char* name;
  double ns;
};
constexpr std::array kUnitsOfTime = {TimeUnit{"us", 1e3}, TimeUnit{"ms", 1e6}, TimeUnit{"s", 1e9}};

// The largest in which `most` is at least one.
TimeUnit unit_of_time(double most_ns) {
  TimeUnit unit = kUnitsOfTime.front();
  for (const TimeUnit& wider : kUnitsOfTime) {
    if (most_ns >= wider.ns) unit = wider;
  }
  return unit;
}

class TriedLayout {
 public:
  TriedLayout(const Scene& scene, const Canvas& measure, TriedChart& chart)
      : tried_(*scene.tried), scene_(scene), measure_(measure), chart_(chart) {}

  void place() {
    const auto& trials = tried_.found.trials;
    has_times_ = std::any_of(trials.begin(), trials.end(),
                             [](const SearchTrial& trial) { return trial.step_ns > 0; });
    Bytes most_peak = 0;
    double most_y = 0;
    for (std::size_t i = 0; i < trials.size(); ++i) {
      most_peak = std::max(most_peak, trials[i].device_peak);
      most_y = std::max(most_y, height_of(i));
    }
    bytes_ = unit_of_bytes(static_cast<double>(most_peak));
    y_bytes_ = unit_of_bytes(most_y);
    y_time_ = unit_of_time(most_y);
    place_words();
    set_axes(most_peak, most_y);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      const Point at = {chart_.x.px(static_cast<double>(trials[i].device_peak) / bytes_.bytes),
                        chart_.y.px(height_of(i) / y_unit())};
      chart_.marks.push_back({at, i, trials[i].fits});
    }
    chart_.chosen = scene_.trial;
    place_labels();
  }

 private:
  // Upwards: nanoseconds, or bytes.
  [[nodiscard]] double height_of(std::size_t trial) const {
    return has_times_ ? static_cast<double>(tried_.added_ns(trial))
                      : static_cast<double>(tried_.found.trials[trial].host_peak);
  }
  [[nodiscard]] double y_unit() const { return has_times_ ? y_time_.ns : y_bytes_.bytes; }

  void place_words() {
    const auto& trials = tried_.found.trials;
    const auto fit = std::count_if(trials.begin(), trials.end(),
                                   [](const SearchTrial& trial) { return trial.fits; });
    const std::string up = has_times_ ? fmt::format("added time, {}", y_time_.name)
                                      : fmt::format("host peak, {}", y_bytes_.name);
    const float title_px = chart_.width_px * 0.6F;
    const std::array titles = {
        fmt::format("Search: upwards {}; to the right device peak, {}", up, bytes_.name),
        fmt::format("{} over device peak, {}", up, bytes_.name), std::string("Search")};
    chart_.title = first_that_fits(measure_, titles, chart_.font_px, title_px);
    chart_.note = fmt::format("{} tried, {} fit", trials.size(), fit);
    const float size = small_font_px(chart_.font_px);
    constexpr auto kWords = LegendEntry::Mark::kText;
    std::vector<LegendEntry> entries = {{kWords, {}, "filled: fits"},
                                        {kWords, {}, "hollow: does not fit"},
                                        {kWords, {}, "framed: of the plan"},
                                        {kWords, {}, "a click takes its settings"}};
    chart_.words = place_legend(std::move(entries), size * 0.6F, chart_.width_px - size * 0.6F,
                                size, kTriedLegendShare * chart_.height_px);
    chart_.plot.y0 += chart_.words.height_px + size * 0.4F;
    chart_.plot.y0 = std::min(chart_.plot.y0, chart_.plot.y1 - 1);
  }

  void set_axes(Bytes most_peak, double most_y) {
    NumberRange x;
    NumberRange y;
    y.add(0);
    for (std::size_t i = 0; i < tried_.found.trials.size(); ++i) {
      x.add(static_cast<double>(tried_.found.trials[i].device_peak) / bytes_.bytes);
      y.add(height_of(i) / y_unit());
    }
    const double budget = tried_.found.device_budget;
    const bool shows_budget = budget > 0 && budget <= kFarBudget * static_cast<double>(most_peak);
    if (shows_budget) x.add(budget / bytes_.bytes);
    const double x_room = std::max((x.last - x.first) * kTriedRoom, x.last * 1e-3);
    x = {std::max(0.0, x.first - x_room), x.last + x_room};
    // Where nothing takes longer the axis still has a unit.
    const double most = most_y > 0 ? y.last : 1;
    y = {std::min(y.first * (1 + kTriedRoom), -most * kTriedRoom / 2), most * (1 + kTriedRoom)};
    chart_.x = make_number_axis(x, false, 0, chart_.plot.x0, chart_.plot.x1);
    chart_.y = make_number_axis(y, false, 0, chart_.plot.y1, chart_.plot.y0);
    if (shows_budget) chart_.budget_px = chart_.x.px(budget / bytes_.bytes);
  }

  // Inside of the plot, the budget first.
  void place_labels() {
    const float size = small_font_px(chart_.font_px);
    Labels labels(chart_.plot);
    const auto add = [&](const std::vector<std::string>& wordings, float x, std::vector<float> ys,
                         bool is_budget) {
      for (const std::string& text : wordings) {
        const float width = measure_.text_width(text, size);
        std::vector<Point> places;
        for (const float y : ys) {
          places.push_back({x + size * 0.6F, y});
          places.push_back({x - size * 0.6F - width, y});
        }
        const auto at = labels.place(places, width, size);
        if (!at) continue;
        chart_.labels.push_back({text, {at->x, at->y, at->x + width, at->y + size}, is_budget});
        return;
      }
    };
    const float top = chart_.plot.y0 + size * 0.3F;
    if (chart_.budget_px) {
      const std::string bytes = format_bytes(static_cast<Bytes>(tried_.found.device_budget));
      add({"budget " + bytes, bytes}, *chart_.budget_px, {top}, true);
    }
    if (!chart_.chosen) return;
    const Point at = chart_.marks[*chart_.chosen].at;
    const std::string peak = format_bytes(tried_.found.trials[*chart_.chosen].device_peak);
    add({tried_.text(*chart_.chosen) + ": " + peak, peak}, at.x,
        {at.y - size / 2, at.y - size * 1.8F, at.y + size * 0.8F}, false);
  }

  const TriedSettings& tried_;
  const Scene& scene_;
  const Canvas& measure_;
  TriedChart& chart_;
  bool has_times_ = false;
  ByteUnit bytes_, y_bytes_;
  TimeUnit y_time_ = kUnitsOfTime.front();
};

}  // namespace

TriedChart layout_tried(const Scene& scene, float width_px, float height_px, float font_px,
                        const Canvas& measure) {
  TriedChart chart;
  static_cast<ChartFrame&>(chart) = make_chart_frame(width_px, height_px, font_px);
  if (scene.tried == nullptr) {
    chart.why_empty = fit_text(measure, kNoSearch, font_px, width_px - 2 * font_px);
    return chart;
  }
  TriedLayout(scene, measure, chart).place();
  return chart;
}

void draw_tried(Canvas& canvas, const Palette& palette, const TriedChart& chart, Point at,
                std::optional<std::size_t> hovered) {
  const Rect all = {at.x, at.y, at.x + chart.width_px, at.y + chart.height_px};
  if (!chart.why_empty.empty()) {
    canvas.fill(all, palette.background);
    canvas.text({at.x + chart.font_px, at.y + chart.font_px}, chart.why_empty, palette.dim_text,
                chart.font_px);
    return;
  }
  draw_chart_frame(canvas, palette, chart, at, chart.title, chart.note, false);
  Legend words = chart.words;
  for (LegendEntry& entry : words.entries) entry.at.x += at.x;
  draw_legend(canvas, words, at.y + chart.font_px * 1.6F, palette.dim_text, palette.panel);
  const Rect plot = moved(chart.plot, at);
  if (chart.budget_px) {
    const float x = *chart.budget_px + at.x;
    canvas.line({x, plot.y0}, {x, plot.y1}, palette.budget, 1.5F, Dash::kDashed);
  }
  const float radius = chart.font_px * kMarkShare;
  const auto around = [&](Point mark, float half) {
    const Point center = moved(mark, at);
    return Rect{center.x - half, center.y - half, center.x + half, center.y + half};
  };
  for (const TriedChart::Mark& mark : chart.marks) {
    if (mark.fits) {
      canvas.fill(around(mark.at, radius), palette.good.with_alpha(0.75), radius);
    } else {
      canvas.frame(around(mark.at, radius), palette.dim_text, 1, radius);
    }
  }
  const auto ring = [&](std::size_t index, Color color) {
    canvas.frame(around(chart.marks[index].at, radius * 1.7F), color, 2, 1);
  };
  if (chart.chosen) ring(*chart.chosen, palette.selection);
  if (hovered && *hovered < chart.marks.size()) ring(*hovered, palette.hover);
  const float size = small_font_px(chart.font_px);
  for (const TriedChart::Label& label : chart.labels) {
    const Rect box = moved(label.box, at);
    canvas.fill({box.x0 - 2, box.y0, box.x1 + 2, box.y1}, palette.panel.with_alpha(0.8), 2);
    canvas.text({box.x0, box.y0}, label.text, label.is_budget ? palette.budget : palette.text,
                size);
  }
}

std::optional<std::size_t> hit_tried(const TriedChart& chart, Point at) {
  std::optional<std::size_t> nearest;
  float least = chart.font_px * kNearMarkShare;
  for (std::size_t i = 0; i < chart.marks.size(); ++i) {
    const Point mark = chart.marks[i].at;
    const float distance = std::hypot(mark.x - at.x, mark.y - at.y);
    if (distance >= least) continue;
    least = distance;
    nearest = i;
  }
  return nearest;
}

std::vector<std::string> trial_lines(const TriedSettings& tried, std::size_t trial) {
  const SearchTrial& tried_set = tried.found.trials[trial];
  std::vector<std::string> lines = {
      fmt::format("try {}: {}", trial + 1, tried.text(trial)),
      fmt::format("device peak {}, {}", format_bytes(tried_set.device_peak),
                  tried_set.fits ? "fits" : "does not fit"),
      "host peak " + format_bytes(tried_set.host_peak)};
  if (tried_set.step_ns > 0) {
    lines.push_back(fmt::format("step {}, {} more than without swaps",
                                format_time(tried_set.step_ns),
                                format_time(tried.added_ns(trial))));
  }
  return lines;
}

}  // namespace tideline::render
