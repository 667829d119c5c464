#include "core/events/graph_log.h"

#include <array>
#include <filesystem>

#include "core/base/strictest.h"
#include "core/events/event_writer.h"

namespace tideline::events {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 2> kRuns = {"original", "rewritten"};
constexpr double kWallTime = 1.0;  // fixed, so that the same graphs give the same bytes

std::string run_folder(const std::string& folder, const char* run) {
  return (fs::path(folder) / run).native();
}

}  // namespace

Status GraphLog::check(const std::string& folder, bool replace) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (folder.empty() || (fs::exists(status) && !fs::is_directory(status))) {
    return fail(Code::kInvalidArgument, "'{}': expected the name of a folder for the log", folder);
  }
  for (const char* run : kRuns) {
    TIDELINE_RETURN_IF_ERROR(check_event_folder(run_folder(folder, run), replace));
  }
  return {};
}

std::vector<std::string> GraphLog::paths(const std::string& folder) {
  std::vector<std::string> paths;
  paths.reserve(kRuns.size());
  for (const char* run : kRuns) {
    paths.push_back((fs::path(folder) / run / kEventFileName).native());
  }
  return paths;
}

Result<GraphLog> GraphLog::write(const std::string& folder, bool replace,
                                 const io::Document& document, const Graph& rewritten,
                                 Progress& progress, const GraphLogEvents& events,
                                 const Readers& readers) {
  TIDELINE_RETURN_IF_ERROR(check(folder, replace));
  const Readers allowed = strictest(document.source->readers(), readers);
  GraphLog log;
  const std::array<const Graph*, kRuns.size()> graphs = {&document.graph, &rewritten};
  const std::array<const std::vector<std::string>*, kRuns.size()> more = {&events.original,
                                                                          &events.rewritten};
  const std::vector<std::string> paths = GraphLog::paths(folder);
  for (std::size_t i = 0; i < kRuns.size(); ++i) {
    TIDELINE_RETURN_IF_ERROR(log.folders_.make(run_folder(folder, kRuns[i]), as_folder(allowed)));
    TIDELINE_TRY(OutputFile file, OutputFile::create(paths[i], replace, allowed));
    TIDELINE_RETURN_IF_ERROR(append_version(file, kWallTime));
    TIDELINE_RETURN_IF_ERROR(
        append_graph(file, {.wall_time_s = kWallTime}, document, *graphs[i], progress));
    for (const std::string& event : *more[i]) {
      TIDELINE_RETURN_IF_ERROR(append_event(file, event));
    }
    log.files_.push_back(std::move(file));
  }
  return log;
}

}  // namespace tideline::events
