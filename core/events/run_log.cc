#include "core/events/run_log.h"

#include <filesystem>

#include "core/base/strictest.h"
#include "core/events/event_writer.h"
#include "core/events/summary_writer.h"

namespace tideline::events {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLossTag = "loss";

Status append_losses(OutputFile& out, const RunRecord& record) {
  std::int64_t step = 0;
  for (const RunRecord::Loss& loss : record.losses) {
    const EventTime time{loss.wall_time_s, step++};
    if (!loss.value) continue;
    TIDELINE_RETURN_IF_ERROR(append_event(out, scalar_event(time, kLossTag, *loss.value)));
  }
  return {};
}

}  // namespace

Status RunLog::check(const std::string& folder) {
  if (folder.empty()) {
    return fail(Code::kInvalidArgument, "'': expected the name of a folder for the log");
  }
  std::error_code error;
  if (fs::exists(fs::path(folder) / kEventFileName, error)) {
    return fail(Code::kInvalidArgument,
                "{}: holds a log already; expected a new folder, or one without logs", folder);
  }
  return check_event_folder(folder, false);
}

Result<RunLog> RunLog::write(const std::string& folder, const io::Document& document,
                             const RunRecord& record, Progress& progress, const Readers& readers) {
  TIDELINE_RETURN_IF_ERROR(check(folder));
  const Readers allowed = strictest(document.source->readers(), readers);
  NewFolders folders;
  TIDELINE_RETURN_IF_ERROR(folders.make(folder, as_folder(allowed)));
  TIDELINE_TRY(OutputFile file,
               OutputFile::create((fs::path(folder) / kEventFileName).native(), false, allowed));
  const double first = record.losses.empty() ? 1 : record.losses.front().wall_time_s;
  const double last = record.losses.empty() ? 1 : record.losses.back().wall_time_s;
  TIDELINE_RETURN_IF_ERROR(append_version(file, first));
  TIDELINE_RETURN_IF_ERROR(append_graph(file, {first, 0}, document, document.graph, progress));
  TIDELINE_RETURN_IF_ERROR(append_losses(file, record));
  for (const RunRecord::Trace& trace : record.traces) {
    TIDELINE_RETURN_IF_ERROR(append_event(
        file, run_metadata_event({last, record.traced_step}, trace.tag, trace.run_metadata)));
  }
  return RunLog(std::move(folders), std::move(file));
}

}  // namespace tideline::events
