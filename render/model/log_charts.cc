// Tested by tests/unit/model/log_charts_test.cc.
#include "render/model/log_charts.h"

#include <algorithm>

namespace tideline::ui {
namespace {

// A point takes up to 60 ns to lay out while a log is read, and a frame shall not take more than a
// few milliseconds.
constexpr std::int64_t kPointsAFrame = 75'000;
constexpr std::size_t kMostCharts = 200;

}  // namespace

void LogCharts::update(const std::shared_ptr<const LogContents>& log, const LogView& view) {
  points_left_ = kPointsAFrame;
  is_busy_ = false;
  const bool is_same = log == log_ && view.hidden_runs == hidden_ &&
                       view.tag_filter == tag_filter_.text() &&
                       view.run_filter == run_filter_.text();
  if (is_same) return;
  ++version_;
  // Another log: indices of tags mean something else.
  if (log == nullptr || log_ == nullptr || log->path != log_->path) charts_.clear();
  log_ = log;
  hidden_ = view.hidden_runs;
  tag_filter_.set(view.tag_filter);
  run_filter_.set(view.run_filter);
  runs_.clear();
  run_at_.clear();
  tags_.clear();
  if (log == nullptr || log->events == nullptr) return;
  const events::EventLog& events = *log->events;
  run_at_.resize(events.runs().size());
  for (const std::uint32_t run : log->runs) {
    const std::string& name = events.runs()[run];
    run_at_[run] = static_cast<std::uint32_t>(runs_.size());
    const bool is_hidden = std::binary_search(hidden_.begin(), hidden_.end(), name);
    const bool is_listed = run_filter_.matches(name);
    runs_.push_back({run, static_cast<std::uint32_t>(runs_.size()) + 1, name,
                     !is_hidden && is_listed, is_listed});
  }
  for (std::uint32_t i = 0; i < log->tags.size(); ++i) {
    const LogContents::Tag& tag = log->tags[i];
    const bool has_run = std::any_of(
        tag.series.begin(), tag.series.end(),
        [&](std::uint32_t index) { return runs_[run_at_[events.series()[index].run]].is_shown; });
    if (has_run && tag_filter_.matches(tag.name)) tags_.push_back(i);
  }
}

std::vector<std::uint32_t> LogCharts::tags_of(events::SeriesKind kind) const {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t tag : tags_) {
    if (log_->tags[tag].kind == kind) found.push_back(tag);
  }
  return found;
}

std::vector<LogCharts::Shown> LogCharts::series_of(events::SeriesKind kind) const {
  std::vector<Shown> found;
  for (const std::uint32_t tag : tags_of(kind)) {
    for (const std::uint32_t index : log_->tags[tag].series) {
      const LogRun& run = runs_[run_at_[log_->events->series()[index].run]];
      if (run.is_shown) found.push_back({tag, index, run.number});
    }
  }
  return found;
}

std::vector<render::RunCurve> LogCharts::curves(std::uint32_t tag) const {
  std::vector<render::RunCurve> curves;
  for (const std::uint32_t index : log_->tags[tag].series) {
    const events::Series& series = log_->events->series()[index];
    const LogRun& run = runs_[run_at_[series.run]];
    if (!run.is_shown) continue;
    curves.push_back(
        {{series.points, series.restarts, log_->run_begins_s[series.run]}, run.number, run.name});
  }
  return curves;
}

const render::ScalarChart* LogCharts::chart(std::uint32_t tag, const render::ScalarLook& look,
                                            float width_px, float height_px, float font_px) {
  const auto found = charts_.find(tag);
  const render::ScalarChart* known = found == charts_.end() ? nullptr : &found->second.chart;
  if (known != nullptr && found->second.version == version_ && known->look == look &&
      known->width_px == width_px && known->height_px == height_px && known->font_px == font_px) {
    return known;
  }
  if (points_left_ <= 0) {
    is_busy_ = true;
    const bool fits =
        known != nullptr && known->width_px == width_px && known->height_px == height_px;
    return fits ? known : nullptr;  // the previous chart
  }
  if (charts_.size() >= kMostCharts) charts_.clear();  // those that are visible come again
  Kept& kept = charts_[tag];
  kept.chart = render::layout_scalars(curves(tag), look, width_px, height_px, font_px);
  kept.version = version_;
  points_left_ -= kept.chart.points + 1;
  return &kept.chart;
}

}  // namespace tideline::ui
