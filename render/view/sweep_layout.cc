// Tested by tests/unit/view/sweep_chart_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.h"
#include "render/view/sweep_chart.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr float kMarkOfPoint = 0.4F;      // half of its width, of the text's height
constexpr double kRoomOfPoints = 0.08;    // beside the outermost ones, of the axis
constexpr double kFarBudgetOfSweep = 2;   // of the highest peak: beyond it the budget is not shown
constexpr float kSweepWordsShare = 0.2F;  // of the height

struct SweepUnit {
  const char* name;
  double size;
};

SweepUnit unit_of_peaks(double most) {
  const ByteUnit unit = unit_of_bytes(most);
  return {unit.name, unit.bytes};
}

SweepUnit unit_of_times(double most_ns) {
  constexpr std::array kUnits = {SweepUnit{"us", 1e3}, SweepUnit{"ms", 1e6}, SweepUnit{"s", 1e9}};
  SweepUnit unit = kUnits.front();
  for (const SweepUnit& wider : kUnits) {
    if (most_ns >= wider.size) unit = wider;
  }
  return unit;
}

// "1.49", "1037": three or four digits.
std::string digits_of(double number) {
  return number < 9.995   ? fmt::format("{:.2f}", number)
         : number < 99.95 ? fmt::format("{:.1f}", number)
                          : fmt::format("{:.0f}", number);
}

// One of the two charts, in `panel`.
class SweepPlotLayout {
 public:
  SweepPlotLayout(const SweepGrid& grid, const Canvas& measure, float text_px, Rect panel,
                  SweepChart::Plot& plot)
      : grid_(grid), measure_(measure), size_(text_px), panel_(panel), plot_(plot) {
    std::vector<double> fitting;
    for (const SweepCell& cell : grid.cells) {
      most_ = std::max(most_, value_of(cell));
      if (cell.fits) fitting.push_back(value_of(cell));
    }
    if (!fitting.empty()) {
      low_ = *std::min_element(fitting.begin(), fitting.end());
      high_ = *std::max_element(fitting.begin(), fitting.end());
    }
    unit_ = is_peak() ? unit_of_peaks(most_) : unit_of_times(most_);
  }

  void place() {
    const float line = size_ * 1.5F;
    Rect& area = plot_.area;
    area = {panel_.x0 + size_ * 0.5F, panel_.y0 + 2.2F * line, panel_.x1 - size_ * 0.5F,
            panel_.y1 - (grid_.y ? 4.2F : 2.8F) * line};
    area.y1 = std::max(area.y0 + 1, area.y1);
    if (!grid_.y) set_values();
    area.x0 += widest_of_left() + size_;
    area.x1 = std::max(area.x0 + 1, area.x1);
    write(fmt::format("{}, {}", is_peak() ? "device peak" : "time of a step", unit_.name),
          {panel_.x0 + size_ * 0.5F, panel_.y0 + size_ * 0.3F}, panel_.width() - size_, false);
    if (grid_.y) {
      write("upwards " + grid_.y->name, {panel_.x0 + size_ * 0.5F, area.y0 - size_ * 1.5F},
            panel_.width() - size_);
    }
    grid_.y ? place_cells() : place_points();
    place_values_below();
    if (grid_.y && high_ > 0) place_ramp();
  }

 private:
  [[nodiscard]] bool is_peak() const { return plot_.quantity == SweepChart::Quantity::kPeak; }
  [[nodiscard]] double value_of(const SweepCell& cell) const {
    return is_peak() ? static_cast<double>(cell.device_peak) : static_cast<double>(cell.step_ns);
  }
  [[nodiscard]] float width(const std::string& text) const {
    return measure_.text_width(text, size_);
  }

  void write(const std::string& text, Point at, float room_px, bool is_dim = true) {
    const std::string shown = fit_text(measure_, text, size_, room_px);
    if (shown.empty()) return;
    plot_.texts.push_back({shown, {at.x, at.y, at.x + width(shown), at.y + size_}, is_dim});
  }

  // The vertical axis of points.
  void set_values() {
    NumberRange range;
    for (const SweepCell& cell : grid_.cells) range.add(value_of(cell) / unit_.size);
    const bool shows_budget = is_peak() && grid_.budget &&
                              static_cast<double>(*grid_.budget) <= kFarBudgetOfSweep * most_;
    if (shows_budget) range.add(static_cast<double>(*grid_.budget) / unit_.size);
    const double room = std::max((range.last - range.first) * kRoomOfPoints, range.last * 1e-3);
    range = {std::max(0.0, range.first - room), range.last + room};
    values_ = make_number_axis(range, false, 0, plot_.area.y1, plot_.area.y0);
    if (shows_budget) {
      plot_.budget_px = values_.px(static_cast<double>(*grid_.budget) / unit_.size);
    }
  }

  // Of the texts to the left of the area.
  [[nodiscard]] float widest_of_left() const {
    float widest = 0;
    if (grid_.y) {
      for (const std::string& text : grid_.y->values) widest = std::max(widest, width(text));
    } else {
      for (const NumberTick& tick : ticks()) widest = std::max(widest, width(tick.text));
    }
    return std::min(widest, panel_.width() / 3);
  }
  [[nodiscard]] std::vector<NumberTick> ticks() const {
    return number_ticks(values_, NumberKind::kPlain, size_ * 2.2F);
  }

  void write_left(const std::string& text, float y) {
    const std::string shown = fit_text(measure_, text, size_, plot_.area.x0 - panel_.x0 - size_);
    const float x = plot_.area.x0 - size_ * 0.5F - width(shown);
    if (!shown.empty()) {
      plot_.texts.push_back({shown, {x, y - size_ / 2, x + width(shown), y + size_ / 2}});
    }
  }

  void place_cells() {
    const Rect& area = plot_.area;
    const std::size_t rows = grid_.y->values.size();
    const float cell_x = area.width() / static_cast<float>(grid_.x.values.size());
    const float cell_y = area.height() / static_cast<float>(rows);
    const float gap = std::min(cell_x, cell_y) > 6 ? 0.5F : 0;
    for (std::size_t i = 0; i < grid_.cells.size(); ++i) {
      const SweepCell& cell = grid_.cells[i];
      const float x = area.x0 + cell_x * static_cast<float>(i / rows);
      const float y = area.y1 - cell_y * static_cast<float>(i % rows + 1);
      SweepChart::Mark mark{{x + gap, y + gap, x + cell_x - gap, y + cell_y - gap},
                            share_of(cell),
                            cell.fits,
                            digits_of(value_of(cell) / unit_.size)};
      if (width(mark.text) + size_ * 0.6F > cell_x || size_ * 1.3F > cell_y) mark.text.clear();
      plot_.marks.push_back(std::move(mark));
    }
    const auto every = static_cast<std::size_t>(std::max(1.0F, std::ceil(size_ * 1.3F / cell_y)));
    for (std::size_t i = 0; i < rows; i += every) {
      write_left(grid_.y->values[i], area.y1 - cell_y * (static_cast<float>(i) + 0.5F));
    }
  }

  void place_points() {
    for (const NumberTick& tick : ticks()) {
      const float y = values_.px(tick.number);
      plot_.grid_px.push_back(y);
      write_left(tick.text, y);
    }
    const Rect& area = plot_.area;
    const float step = area.width() / static_cast<float>(grid_.x.values.size());
    const float half = std::min(size_ * kMarkOfPoint, std::max(1.0F, step * 0.4F));
    for (std::size_t i = 0; i < grid_.cells.size(); ++i) {
      const SweepCell& cell = grid_.cells[i];
      const float x = area.x0 + step * (static_cast<float>(i) + 0.5F);
      const float y = values_.px(value_of(cell) / unit_.size);
      plot_.marks.push_back(
          {{x - half, y - half, x + half, y + half}, share_of(cell), cell.fits, {}});
    }
  }

  // Each stands below its column, or every second one, ...
  void place_values_below() {
    const Rect& area = plot_.area;
    const float step = area.width() / static_cast<float>(grid_.x.values.size());
    float widest = 0;
    for (const std::string& text : grid_.x.values) widest = std::max(widest, width(text));
    const auto every =
        static_cast<std::size_t>(std::max(1.0F, std::ceil((widest + size_ * 0.7F) / step)));
    for (std::size_t i = 0; i < grid_.x.values.size(); i += every) {
      const std::string& text = grid_.x.values[i];
      const float x = area.x0 + step * (static_cast<float>(i) + 0.5F) - width(text) / 2;
      const float end = x + width(text);
      if (x < panel_.x0 || end > panel_.x1) continue;
      plot_.texts.push_back({text, {x, area.y1 + size_ * 0.6F, end, area.y1 + size_ * 1.6F}});
    }
    write("to the right " + grid_.x.name, {area.x0, area.y1 + size_ * 2.0F}, area.width());
  }

  // The legend of the colours.
  void place_ramp() {
    const std::string low = digits_of(low_ / unit_.size) + " " + unit_.name;
    const std::string high = digits_of(high_ / unit_.size) + " " + unit_.name;
    const float y = plot_.area.y1 + size_ * 4.0F;
    const float x0 = plot_.area.x0 + width(low) + size_ * 0.5F;
    const float x1 = std::max(x0, std::min(x0 + size_ * 14, plot_.area.x1 - width(high) - size_));
    write(low, {plot_.area.x0, y}, plot_.area.width());
    plot_.ramp = {x0, y, x1, y + size_};
    write(high, {x1 + size_ * 0.5F, y}, panel_.x1 - x1);
  }

  [[nodiscard]] double share_of(const SweepCell& cell) const {
    if (high_ <= low_) return 0;
    return std::clamp((value_of(cell) - low_) / (high_ - low_), 0.0, 1.0);
  }

  const SweepGrid& grid_;
  const Canvas& measure_;
  float size_;
  Rect panel_;
  SweepChart::Plot& plot_;
  double low_ = 0, high_ = 0, most_ = 0;
  SweepUnit unit_ = {"B", 1};
  NumberAxis values_;
};

std::vector<LegendEntry> words_of(const SweepGrid& grid) {
  constexpr auto kWords = LegendEntry::Mark::kText;
  std::vector<LegendEntry> entries;
  const bool is_map = grid.y.has_value();
  if (grid.has_budget) {
    entries.push_back({kWords,
                       {},
                       is_map ? "hatched: does not fit, and is as if nothing waited"
                              : "hollow: does not fit, and is as if nothing waited"});
  }
  if (grid.budget) {
    entries.push_back({kWords, {}, "budget " + format_bytes(*grid.budget)});
  }
  if (grid.best) entries.push_back({kWords, {}, "framed: the best"});
  return entries;
}

}  // namespace

SweepChart layout_sweep(const SweepGrid& grid, float width_px, float height_px, float font_px,
                        const Canvas& measure) {
  SweepChart chart;
  chart.width_px = width_px;
  chart.height_px = height_px;
  chart.text_px = font_px * 0.9F;
  chart.is_map = grid.y.has_value();
  chart.best = grid.best;
  chart.time.quantity = SweepChart::Quantity::kTime;
  chart.words = place_legend(words_of(grid), font_px * 0.5F, width_px - font_px * 0.5F,
                             chart.text_px, kSweepWordsShare * height_px);
  const float top = chart.words.height_px + chart.text_px * 0.8F;
  Rect first = {0, top, width_px, height_px};
  Rect second = first;
  if (width_px >= height_px) {
    first.x1 = second.x0 = width_px / 2;
  } else {
    first.y1 = second.y0 = (top + height_px) / 2;
  }
  SweepPlotLayout(grid, measure, chart.text_px, first, chart.peak).place();
  SweepPlotLayout(grid, measure, chart.text_px, second, chart.time).place();
  return chart;
}

}  // namespace tideline::render
