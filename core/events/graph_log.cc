#include "core/events/graph_log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <filesystem>
#include <limits>

#include "core/events/event_numbers.h"
#include "core/events/record_writer.h"
#include "core/io/functions.h"
#include "core/io/wire.h"
#include "core/io/write_document.h"

namespace tideline::events {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 2> kRuns = {"original", "rewritten"};
// Seconds and a host name, as in every event file; both are fixed here.
constexpr const char* kFileName = "events.out.tfevents.0000000001.tideline";
constexpr double kWallTime = 1.0;
// What a protocol buffer may hold at most; readers refuse more.
constexpr std::uint64_t kMaxEvent = std::numeric_limits<std::int32_t>::max();

std::string event_head() {
  std::string head;
  io::append_varint(head, std::uint64_t{event::kWallTime} << 3U |
                              static_cast<std::uint64_t>(io::WireType::kFixed64));
  auto bits = std::bit_cast<std::uint64_t>(kWallTime);
  for (int i = 0; i < 8; ++i, bits >>= 8U) head += static_cast<char>(bits & 0xffU);
  return head;
}

Status append_version(OutputFile& out) {
  std::string version = event_head();
  io::append_bytes(version, event::kFileVersion, "brain.Event:2");
  return out.append(framed(version));
}

// The encoded GraphDef that TensorBoard is to show.
Status write_graph(const io::Document& document, const Graph& graph, const io::Sink& sink,
                   Progress& progress) {
  if (document.function.empty()) {
    return io::write_document(document, graph, {io::Format::kGraph, io::Encoding::kBinary, false},
                              sink, progress);
  }
  TIDELINE_TRY(const std::string body, io::standalone_graph(document, graph, progress));
  return sink(body);
}

Status append_graph(OutputFile& out, const io::Document& document, const Graph& graph,
                    Progress& progress) {
  // The length comes first: one pass counts, the next one writes.
  std::uint64_t size = 0;
  TIDELINE_RETURN_IF_ERROR(write_graph(
      document, graph,
      [&size](std::string_view piece) -> Status {
        size += piece.size();
        return {};
      },
      progress));
  std::string head = event_head();
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

Status check_run(const std::string& folder, bool replace) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) return {};
  if (!fs::is_directory(status)) {
    return fail(Code::kInvalidArgument, "{}: exists and is not a folder", folder);
  }
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().native();
    if (name == kFileName || name.find("tfevents") == std::string::npos || name.front() == '.') {
      continue;
    }
    return fail(Code::kInvalidArgument,
                "{}: holds an event file of another program; expected a folder of its own for the "
                "log",
                entry->path().native());
  }
  if (error) return fail(Code::kIo, "{}: cannot read: {}", folder, error.message());
  return check_output_path(folder + "/" + kFileName, replace);
}

std::string run_folder(const std::string& folder, const char* run) {
  return (fs::path(folder) / run).native();
}

}  // namespace

GraphLog::NewFolders::~NewFolders() {
  while (!made_.empty()) {
    ::rmdir(made_.back().c_str());  // fails, as it should, for one that holds something
    made_.pop_back();
  }
}

Status GraphLog::NewFolders::make(const std::string& folder) {
  fs::path path;
  for (const fs::path& part : fs::path(folder)) {
    path /= part;
    std::error_code error;
    if (fs::is_directory(path, error)) continue;
    if (!fs::create_directory(path, error) && error) {
      return fail(Code::kIo, "{}: cannot make this folder: {}", path.native(), error.message());
    }
    made_.push_back(path.native());
  }
  return {};
}

Status GraphLog::check(const std::string& folder, bool replace) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (folder.empty() || (fs::exists(status) && !fs::is_directory(status))) {
    return fail(Code::kInvalidArgument, "'{}': expected the name of a folder for the log", folder);
  }
  for (const char* run : kRuns) {
    TIDELINE_RETURN_IF_ERROR(check_run(run_folder(folder, run), replace));
  }
  return {};
}

std::vector<std::string> GraphLog::paths(const std::string& folder) {
  std::vector<std::string> paths;
  paths.reserve(kRuns.size());
  for (const char* run : kRuns) {
    paths.push_back((fs::path(folder) / run / kFileName).native());
  }
  return paths;
}

Result<GraphLog> GraphLog::write(const std::string& folder, bool replace,
                                 const io::Document& document, const Graph& rewritten,
                                 Progress& progress) {
  TIDELINE_RETURN_IF_ERROR(check(folder, replace));
  GraphLog log;
  const std::array<const Graph*, kRuns.size()> graphs = {&document.graph, &rewritten};
  const std::vector<std::string> paths = GraphLog::paths(folder);
  for (std::size_t i = 0; i < kRuns.size(); ++i) {
    TIDELINE_RETURN_IF_ERROR(log.folders_.make(run_folder(folder, kRuns[i])));
    TIDELINE_TRY(OutputFile file, OutputFile::create(paths[i], replace));
    TIDELINE_RETURN_IF_ERROR(append_version(file));
    TIDELINE_RETURN_IF_ERROR(append_graph(file, document, *graphs[i], progress));
    log.files_.push_back(std::move(file));
  }
  return log;
}

}  // namespace tideline::events
