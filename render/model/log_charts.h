// The charts of an open log: which tags are shown, and the geometry of those that are visible, kept
// between frames.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/events/event_log.h"
#include "render/model/text_filter.h"
#include "render/model/ui_model.h"
#include "render/model/view_state.h"
#include "render/view/scalar_chart.h"

namespace tideline::ui {

/// A run as the panel lists it. Numbers count from 1 in the order of names, and stay the same when
/// runs are hidden.
struct LogRun {
  std::uint32_t run = 0;  ///< index of EventLog::runs
  std::uint32_t number = 1;
  std::string name;
  bool is_shown = true;   ///< its curves are drawn
  bool is_listed = true;  ///< its name matches the filter
};

/// Call `update` once per frame. Thread: the UI's.
class LogCharts {
 public:
  /// `log` may be null.
  void update(const std::shared_ptr<const LogContents>& log, const LogView& view);

  [[nodiscard]] const std::vector<LogRun>& runs() const { return runs_; }
  /// Indices of LogContents::tags of one kind that match the filter and have a run that is shown.
  [[nodiscard]] std::vector<std::uint32_t> tags_of(events::SeriesKind kind) const;
  /// A series of one of these tags, in a run that is shown.
  struct Shown {
    std::uint32_t tag = 0;     ///< index of LogContents::tags
    std::uint32_t series = 0;  ///< index of EventLog::series
    std::uint32_t number = 1;  ///< LogRun::number
  };
  /// By tag, then by run.
  [[nodiscard]] std::vector<Shown> series_of(events::SeriesKind kind) const;
  /// Grows whenever log, filters or shown runs change.
  [[nodiscard]] std::uint64_t version() const { return version_; }
  [[nodiscard]] const TextFilter& tag_filter() const { return tag_filter_; }
  [[nodiscard]] const TextFilter& run_filter() const { return run_filter_; }

  /// The curves of the shown runs of a tag of scalars.
  [[nodiscard]] std::vector<render::RunCurve> curves(std::uint32_t tag) const;
  /// The chart of these curves, valid until the next call. When the frame has no time left for a
  /// new one, the previous one or null; is_busy is then true.
  [[nodiscard]] const render::ScalarChart* chart(std::uint32_t tag, const render::ScalarLook& look,
                                                 float width_px, float height_px, float font_px);
  /// Whether another frame is needed without further input.
  [[nodiscard]] bool is_busy() const { return is_busy_; }

 private:
  struct Kept {
    render::ScalarChart chart;
    std::uint64_t version = 0;
  };

  std::shared_ptr<const LogContents> log_;
  std::vector<LogRun> runs_;
  std::vector<std::uint32_t> run_at_;  // by EventLog::runs: index of runs_
  std::vector<std::uint32_t> tags_;    // those that are shown
  std::vector<std::string> hidden_;
  TextFilter tag_filter_, run_filter_;
  std::uint64_t version_ = 0;  // of log and shown runs
  std::map<std::uint32_t, Kept> charts_;
  std::int64_t points_left_ = 0;  // that this frame may still lay out
  bool is_busy_ = false;
};

}  // namespace tideline::ui
