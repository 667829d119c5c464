#include "core/events/run_log.h"

#include <bit>
#include <filesystem>
#include <limits>

#include "core/base/bytes.h"
#include "core/events/event_numbers.h"
#include "core/events/event_writer.h"
#include "core/events/record_writer.h"
#include "core/io/wire.h"

namespace tideline::events {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLossTag = "loss";

std::string scalar(const char* tag, double value) {
  std::string entry;
  io::append_bytes(entry, summary_value::kTag, tag);
  io::append_varint(entry, std::uint64_t{summary_value::kSimpleValue} << 3U |
                               static_cast<std::uint64_t>(io::WireType::kFixed32));
  append_little_endian(entry, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  std::string summary;
  io::append_bytes(summary, summary::kValue, entry);
  return summary;
}

Status append_losses(OutputFile& out, const RunRecord& record) {
  std::int64_t step = 0;
  for (const RunRecord::Loss& loss : record.losses) {
    const EventTime time{loss.wall_time_s, step++};
    if (!loss.value) continue;
    std::string event = event_head(time);
    io::append_bytes(event, event::kSummary, scalar(kLossTag, *loss.value));
    TIDELINE_RETURN_IF_ERROR(out.append(framed(event)));
  }
  return {};
}

Status append_trace(OutputFile& out, double wall_time_s, std::int64_t step,
                    const RunRecord::Trace& trace) {
  std::string tagged;
  io::append_bytes(tagged, tagged::kTag, trace.tag);
  io::append_bytes(tagged, tagged::kRunMetadata, trace.run_metadata);
  std::string event = event_head({wall_time_s, step});
  io::append_bytes(event, event::kTaggedRunMetadata, tagged);
  if (event.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    return fail(Code::kUnsupported, "{}: a trace of {} bytes; expected less than 2 GiB", out.path(),
                event.size());
  }
  return out.append(framed(event));
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
                             const RunRecord& record, Progress& progress) {
  TIDELINE_RETURN_IF_ERROR(check(folder));
  NewFolders folders;
  TIDELINE_RETURN_IF_ERROR(folders.make(folder));
  TIDELINE_TRY(OutputFile file, OutputFile::create((fs::path(folder) / kEventFileName).native(),
                                                   false, document.source->readers()));
  const double first = record.losses.empty() ? 1 : record.losses.front().wall_time_s;
  const double last = record.losses.empty() ? 1 : record.losses.back().wall_time_s;
  TIDELINE_RETURN_IF_ERROR(append_version(file, first));
  TIDELINE_RETURN_IF_ERROR(append_graph(file, {first, 0}, document, document.graph, progress));
  TIDELINE_RETURN_IF_ERROR(append_losses(file, record));
  for (const RunRecord::Trace& trace : record.traces) {
    TIDELINE_RETURN_IF_ERROR(append_trace(file, last, record.traced_step, trace));
  }
  return RunLog(std::move(folders), std::move(file));
}

}  // namespace tideline::events
