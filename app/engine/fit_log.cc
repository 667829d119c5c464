// Tested by unit/engine/fit_log_test.cc.
#include "app/engine/fit_log.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/base/new_folders.h"
#include "core/base/strictest.h"
#include "core/events/event_writer.h"
#include "core/events/summary_writer.h"

namespace tideline::app {
namespace {

constexpr double kCurveTime = 1.0;  // fixed, so that the same curve gives the same bytes

std::string run_folder(const std::string& folder, std::string run) {
  std::replace(run.begin(), run.end(), ' ', '_');
  return (std::filesystem::path(folder) / run).native();
}

std::vector<std::string> events_of(const render::FitLine& line, const render::FitCurve& curve) {
  const bool is_first = &line == &curve.lines.front();
  std::vector<std::string> events;
  for (const render::FitPoint& point : line.points) {
    const events::EventTime at = {.wall_time_s = kCurveTime, .step = point.batch};
    const auto add = [&](std::string_view tag, double value) {
      events.push_back(events::scalar_event(at, tag, value));
    };
    add("device_peak_bytes", static_cast<double>(point.device_peak));
    if (point.example_ns > 0) add("example_ms", point.example_ns / 1e6);
    if (is_first) add("budget_bytes", static_cast<double>(curve.budget));
  }
  return events;
}

}  // namespace

Status check_fit_log(const std::string& folder, bool replace) {
  std::error_code error;
  const auto status = std::filesystem::status(folder, error);
  if (folder.empty() || (exists(status) && !is_directory(status))) {
    return fail(Code::kInvalidArgument, "'{}': expected the name of a folder for the log", folder);
  }
  return events::check_event_folder(run_folder(folder, "as it is"), replace);
}

Status write_fit_log(const std::string& folder, bool replace, const render::FitCurve& curve,
                     const Readers& readers) {
  NewFolders folders;
  std::vector<OutputFile> files;
  for (const render::FitLine& line : curve.lines) {
    const std::string place = run_folder(folder, line.title);
    TIDELINE_RETURN_IF_ERROR(events::check_event_folder(place, replace));
    TIDELINE_RETURN_IF_ERROR(folders.make(place, as_folder(readers)));
    const std::string path = (std::filesystem::path(place) / events::kEventFileName).native();
    TIDELINE_TRY(OutputFile file, OutputFile::create(path, replace, readers));
    TIDELINE_RETURN_IF_ERROR(events::append_version(file, kCurveTime));
    for (const std::string& event : events_of(line, curve)) {
      TIDELINE_RETURN_IF_ERROR(events::append_event(file, event));
    }
    files.push_back(std::move(file));
  }
  std::vector<PendingOutput*> outputs;
  for (OutputFile& file : files) outputs.push_back(&file);
  return commit_together(outputs);
}

}  // namespace tideline::app
