#include "core/events/event_writer.h"

#include <bit>
#include <filesystem>
#include <limits>

#include "core/base/bytes.h"
#include "core/events/event_numbers.h"
#include "core/events/record_writer.h"
#include "core/io/functions.h"
#include "core/io/wire.h"
#include "core/io/write_document.h"

namespace tideline::events {
namespace {

namespace fs = std::filesystem;

// What a protocol buffer may hold at most; readers refuse more.
constexpr std::uint64_t kMaxEvent = std::numeric_limits<std::int32_t>::max();

// The encoded GraphDef that TensorBoard is to show.
Status write_graph(const io::Document& document, const Graph& graph, const io::Sink& sink,
                   Progress& progress) {
  if (document.function.empty()) {
    return io::write_document(document, graph, {io::Format::kGraph}, sink, progress);
  }
  TIDELINE_TRY(const std::string body, io::standalone_graph(document, graph, progress));
  return sink(body);
}

}  // namespace

std::string event_head(const EventTime& time) {
  std::string head;
  io::append_varint(head, std::uint64_t{event::kWallTime} << 3U |
                              static_cast<std::uint64_t>(io::WireType::kFixed64));
  append_little_endian(head, std::bit_cast<std::uint64_t>(time.wall_time_s));
  if (time.step != 0) {
    io::append_varint_field(head, event::kStep, static_cast<std::uint64_t>(time.step));
  }
  return head;
}

Status append_version(OutputFile& out, double wall_time_s) {
  std::string version = event_head({.wall_time_s = wall_time_s});
  io::append_bytes(version, event::kFileVersion, "brain.Event:2");
  return out.append(framed(version));
}

Status append_graph(OutputFile& out, const EventTime& time, const io::Document& document,
                    const Graph& graph, Progress& progress) {
  // The length comes first: one pass counts, the next one writes.
  std::uint64_t size = 0;
  TIDELINE_RETURN_IF_ERROR(write_graph(
      document, graph,
      [&size](std::string_view piece) -> Status {
        size += piece.size();
        return {};
      },
      progress));
  std::string head = event_head(time);
  io::append_varint(head, std::uint64_t{event::kGraphDef} << 3U |
                              static_cast<std::uint64_t>(io::WireType::kBytes));
  io::append_varint(head, size);
  if (size > kMaxEvent - head.size()) {
    return fail(
        Code::kUnsupported,
        "{}: a graph of {} bytes; expected less than 2 GiB, which is what an event can hold",
        out.path(), size);
  }
  TIDELINE_TRY(RecordWriter record, RecordWriter::begin(out, head.size() + size));
  TIDELINE_RETURN_IF_ERROR(record.append(head));
  TIDELINE_RETURN_IF_ERROR(write_graph(
      document, graph, [&](std::string_view piece) { return record.append(piece); }, progress));
  return record.finish();
}

Status append_event(OutputFile& out, std::string_view event) {
  if (event.size() > kMaxEvent) {
    return fail(Code::kUnsupported, "{}: an event of {} bytes; expected less than 2 GiB",
                out.path(), event.size());
  }
  TIDELINE_TRY(RecordWriter record, RecordWriter::begin(out, event.size()));
  TIDELINE_RETURN_IF_ERROR(record.append(event));
  return record.finish();
}

Status check_event_folder(const std::string& folder, bool replace) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) return {};
  if (!fs::is_directory(status)) {
    return fail(Code::kInvalidArgument, "{}: exists and is not a folder", folder);
  }
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().native();
    if (name == kEventFileName || name.find("tfevents") == std::string::npos ||
        name.front() == '.') {
      continue;
    }
    return fail(
        Code::kInvalidArgument,
        "{}: contains an event file of another program; expected a separate folder for the log",
        entry->path().native());
  }
  if (error) return fail(Code::kIo, "{}: cannot read: {}", folder, error.message());
  return check_output_path(folder + "/" + kEventFileName, replace);
}

}  // namespace tideline::events
