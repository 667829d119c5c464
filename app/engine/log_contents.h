// What of an event log is shown: its tags, runs, graphs and traced steps.
#pragma once

#include <memory>
#include <string>

#include "core/events/event_log.h"
#include "render/model/ui_model.h"

namespace tideline::app {

/// Lists the runs and tags of `log`; without the graphs. Cost: O(series log series + runs).
[[nodiscard]] std::shared_ptr<ui::LogContents> make_log_contents(
    const std::string& path, std::shared_ptr<const events::EventLog> log);

/// Adds the lists of graphs and traced steps, whose contents are read for it; what cannot be read
/// is counted in the diagnostics. Cost: O(bytes of the graphs).
void list_logged_graphs(ui::LogContents& contents);

/// Where a run of `contents` lies.
struct PlaceOfRun {
  std::string path;  ///< of its log
  std::string run;   ///< as that log calls it
};
[[nodiscard]] PlaceOfRun place_of_run(const ui::LogContents& contents, const std::string& run);

/// Number of rows that hold graphs or traced steps: when it grows, they are to be listed anew.
[[nodiscard]] std::size_t graph_rows(const events::EventLog& log);

}  // namespace tideline::app
