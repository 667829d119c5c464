// The charts of an open log's histograms: the geometry of those that are visible, kept between
// frames.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/events/event_log.h"
#include "render/model/log_charts.h"
#include "render/model/ui_model.h"
#include "render/view/histogram_chart.h"

namespace tideline::ui {

/// Call `update` once per frame, after LogCharts::update. Charts are of series by their index in
/// EventLog::series. Thread: the UI's.
class LogHistograms {
 public:
  /// `log` may be null.
  void update(const std::shared_ptr<const LogContents>& log, std::uint64_t version);

  /// Valid until the next call of the same. When the frame has no time left for a new one, the
  /// previous one or null; is_busy is then true.
  [[nodiscard]] const render::RidgeChart* ridges(std::uint32_t series,
                                                 const render::HistogramLook& look, float width_px,
                                                 float height_px, float font_px);
  [[nodiscard]] const render::BandChart* bands(std::uint32_t series, const render::ScalarLook& look,
                                               float width_px, float height_px, float font_px);
  /// Whether another frame is needed without further input.
  [[nodiscard]] bool is_busy() const { return is_busy_; }

 private:
  template <typename Chart, typename Look>
  struct Kept {
    Chart chart;
    Look look;
    std::uint64_t version = 0;
  };
  template <typename Chart, typename Look>
  using Charts = std::map<std::uint32_t, Kept<Chart, Look>>;

  template <typename Chart, typename Look, typename Make>
  const Chart* find_or_make(Charts<Chart, Look>& charts, std::uint32_t series, const Look& look,
                            const render::ChartFrame& frame, const Make& make);
  [[nodiscard]] std::vector<render::LoggedHistogram> decode(const events::Series& series,
                                                            const std::vector<std::size_t>& rows,
                                                            std::int64_t& unreadable);

  std::shared_ptr<const LogContents> log_;
  std::uint64_t version_ = 0;
  Charts<render::RidgeChart, render::HistogramLook> ridges_;
  Charts<render::BandChart, render::ScalarLook> bands_;
  std::int64_t buckets_left_ = 0;  // that this frame may still decode
  bool is_busy_ = false;
};

}  // namespace tideline::ui
