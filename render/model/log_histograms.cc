// Tested by tests/unit/model/log_histograms_test.cc.
#include "render/model/log_histograms.h"

#include <algorithm>

#include "core/events/row_reader.h"
#include "core/events/row_values.h"

namespace tideline::ui {
namespace {

// A bucket takes about 50 ns to decode and lay out; a frame shall not take more than a few
// milliseconds. Contents that are not in memory are read from their file.
constexpr std::int64_t kBucketsAFrame = 60'000;
constexpr std::int64_t kBucketsAFileRead = 600;
constexpr std::size_t kMostKept = 200;
constexpr float kPxAColumn = 3;
// The histograms of one chart have at most so many bytes: with more buckets fewer are shown.
constexpr std::uint64_t kMostChartBytes = std::uint64_t{2} << 20U;

std::vector<std::size_t> affordable(const events::Series& series, std::vector<std::size_t> rows) {
  while (rows.size() > 1) {
    std::uint64_t bytes = 0;
    for (const std::size_t row : rows) bytes += series.rows[row].size;
    if (bytes <= kMostChartBytes) break;
    std::vector<std::size_t> half;
    for (const std::size_t at : render::spread_rows(rows.size(), rows.size() / 2)) {
      half.push_back(rows[at]);
    }
    rows = std::move(half);
  }
  return rows;
}

}  // namespace

void LogHistograms::update(const std::shared_ptr<const LogContents>& log, std::uint64_t version) {
  buckets_left_ = kBucketsAFrame;
  is_busy_ = false;
  if (log == log_ && version == version_) return;
  // Another log: indices of series mean something else.
  if (log == nullptr || log_ == nullptr || log->path != log_->path) {
    ridges_.clear();
    bands_.clear();
  }
  log_ = log;
  version_ = version;
}

std::vector<render::LoggedHistogram> LogHistograms::decode(const events::Series& series,
                                                           const std::vector<std::size_t>& rows,
                                                           std::int64_t& unreadable) {
  std::vector<render::LoggedHistogram> histograms;
  events::RowReader reader(*log_->events);
  for (const std::size_t index : affordable(series, rows)) {
    const events::ValueRow& row = series.rows[index];
    if (row.size > kMostChartBytes) {
      ++unreadable;
      continue;
    }
    if (row.chunk == events::ValueRow::kNotKept) buckets_left_ -= kBucketsAFileRead;
    const auto content = reader.read(row);
    auto buckets =
        content ? events::histogram_buckets(row.form, *content)
                : Result<std::vector<events::HistogramBucket>>(tl::unexpected(content.error()));
    if (!buckets) {
      ++unreadable;
      continue;
    }
    buckets_left_ -= static_cast<std::int64_t>(buckets->size()) + 1;
    const auto stretch =
        std::upper_bound(series.restarts.begin(), series.restarts.end(), std::uint64_t{index});
    histograms.push_back({index, row.step, row.wall_time, *std::move(buckets),
                          static_cast<std::size_t>(stretch - series.restarts.begin())});
  }
  return histograms;
}

template <typename Chart, typename Look, typename Make>
const Chart* LogHistograms::find_or_make(Charts<Chart, Look>& charts, std::uint32_t series,
                                         const Look& look, const render::ChartFrame& frame,
                                         const Make& make) {
  const auto found = charts.find(series);
  const Chart* known = found == charts.end() ? nullptr : &found->second.chart;
  const bool fits = known != nullptr && known->width_px == frame.width_px &&
                    known->height_px == frame.height_px && known->font_px == frame.font_px;
  if (fits && found->second.version == version_ && found->second.look == look) return known;
  if (buckets_left_ <= 0) {
    is_busy_ = true;
    return fits ? known : nullptr;  // the previous chart
  }
  if (charts.size() >= kMostKept) charts.clear();  // those that are visible come again
  auto& kept = charts[series];
  kept = {make(), look, version_};
  return &kept.chart;
}

const render::RidgeChart* LogHistograms::ridges(std::uint32_t series,
                                                const render::HistogramLook& look, float width_px,
                                                float height_px, float font_px) {
  const render::ChartFrame frame = render::make_chart_frame(width_px, height_px, font_px);
  return find_or_make(ridges_, series, look, frame, [&] {
    const events::Series& own = log_->events->series()[series];
    std::int64_t unreadable = 0;
    const auto rows = render::spread_rows(own.rows.size(),
                                          render::most_ridges(frame.plot.height(), frame.font_px));
    render::RidgeChart chart =
        render::layout_ridges(decode(own, rows, unreadable), look, width_px, height_px, font_px);
    chart.rows = own.rows.size();
    chart.unreadable = unreadable;
    return chart;
  });
}

const render::BandChart* LogHistograms::bands(std::uint32_t series, const render::ScalarLook& look,
                                              float width_px, float height_px, float font_px) {
  const render::ChartFrame frame = render::make_chart_frame(width_px, height_px, font_px);
  return find_or_make(bands_, series, look, frame, [&] {
    const events::Series& own = log_->events->series()[series];
    const double begin_s = log_->run_begins_s[own.run];
    // Those that are visible, with a neighbour on each side for the lines that leave the picture.
    std::vector<std::size_t> visible;
    for (std::size_t row = 0; row < own.rows.size(); ++row) {
      const double at = render::log_axis_number(look.axis, {{}, {}, begin_s},
                                                {own.rows[row].wall_time, own.rows[row].step, 0});
      if (look.visible.empty() || (look.visible.first <= at && at <= look.visible.last)) {
        visible.push_back(row);
      }
    }
    if (!visible.empty() && visible.front() > 0) {
      visible.insert(visible.begin(), visible.front() - 1);
    }
    if (!visible.empty() && visible.back() + 1 < own.rows.size()) {
      visible.push_back(visible.back() + 1);
    }
    std::vector<std::size_t> rows;
    for (const std::size_t at : render::spread_rows(
             visible.size(), static_cast<std::size_t>(frame.plot.width() / kPxAColumn))) {
      rows.push_back(visible[at]);
    }
    std::int64_t unreadable = 0;
    render::BandChart chart = render::layout_bands(decode(own, rows, unreadable), look, begin_s,
                                                   width_px, height_px, font_px);
    chart.rows = visible.size();
    chart.unreadable += unreadable;
    return chart;
  });
}

}  // namespace tideline::ui
