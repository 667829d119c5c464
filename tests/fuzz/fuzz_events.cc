// Bytes into the reader of event files, twice: as a file, which tests the framing, and as the data
// of one sound record, so that the checksums do not keep the fuzzer from what lies behind them.
#include <cstdint>
#include <string>
#include <vector>

#include "core/events/choose_graph.h"
#include "core/events/event_scan.h"
#include "core/events/record_reader.h"
#include "core/events/record_writer.h"
#include "core/io/proto/event.pb.h"
#include "tests/fuzz/require.h"

namespace tideline::fuzz {
namespace {

constexpr std::size_t kMaxInput = 1U << 20U;

void require_readable(const Diagnostics& diagnostics) {
  for (const Diagnostic& entry : diagnostics.entries()) {
    fuzz::require_readable(Error{Code::kCorrupt, entry.kind + entry.example});
    require(entry.count > 0, "what is said was met", entry.kind);
  }
}

std::vector<std::string_view> records_of(std::string_view bytes, events::DataChecksums checksums) {
  events::RecordReader reader(bytes, checksums);
  events::Record record;
  std::vector<std::string_view> records;
  std::uint64_t at = 0;
  while (reader.next(record)) {
    require(record.at == at, "records lie one behind the other");
    at += events::kRecordHeaderBytes + record.data.size() + events::kRecordFooterBytes;
    records.push_back(record.data);
  }
  require(reader.at() == at && at <= bytes.size(), "what was read lies in the file");
  require(reader.damage().has_value() == (at != bytes.size()), "a rest is damage, and only a rest");
  return records;
}

// The records that were read, framed again, are the bytes that they were read from.
void check_framing(std::string_view bytes) {
  std::string again;
  const auto records = records_of(bytes, events::DataChecksums::kCheck);
  for (const std::string_view record : records) again += events::framed(record);
  require(bytes.starts_with(again), "records are framed as they were");
  const auto unchecked = records_of(bytes, events::DataChecksums::kSkip);
  require(unchecked.size() >= records.size(), "checksums only take records away");
  if (!records.empty()) require(events::is_event_file(bytes), "a file with a record is one");
}

void check_as_protobuf_reads(std::string_view record) {
  const auto event = events::scan_event(record);
  if (!event) {
    fuzz::require_readable(event.error());
    return;
  }
  wire::Event expected;
  require(expected.ParseFromArray(record.data(), static_cast<int>(record.size())),
          "what is an event is one for protobuf, too");
  require(event->step == expected.step(), "the step as protobuf reads it");
  const bool is_graph = expected.what_case() == wire::Event::kGraphDef;
  require((event->kind == events::EventKind::kGraphDef) == is_graph, "a graph as protobuf sees it");
  if (is_graph) require(event->content == expected.graph_def(), "its bytes as protobuf reads them");
  const bool is_meta = expected.what_case() == wire::Event::kMetaGraphDef;
  require((event->kind == events::EventKind::kMetaGraphDef) == is_meta, "a metagraph, likewise");
}

void check_listing(const std::string& bytes) {
  Diagnostics diagnostics;
  Progress silent;
  const SharedBytes file = own_bytes(bytes);
  const auto graphs = events::list_graphs({".", "fuzz"}, file, diagnostics, silent);
  require(graphs.has_value(), "a log can be listed, whatever is in it");
  require(graphs->size() <= events::kMaxGraphs, "a list has an end");
  for (const events::LoggedGraph& graph : *graphs) {
    const std::string_view inside = graph.bytes->bytes();
    // A copy, so that the file need not be kept.
    require(!inside.empty() && file->bytes().find(inside) != std::string_view::npos,
            "a graph lies in the file");
    fuzz::require_readable(Error{Code::kCorrupt, describe(graph)});
  }
  const auto chosen = events::choose_graph(*graphs, {}, diagnostics);
  if (!chosen) fuzz::require_readable(chosen.error());
  require_readable(diagnostics);
}

}  // namespace
}  // namespace tideline::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tideline;
  if (size > fuzz::kMaxInput) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  fuzz::check_framing(bytes);
  fuzz::check_listing(bytes);
  fuzz::check_as_protobuf_reads(bytes);
  fuzz::check_listing(events::framed(bytes) + events::framed(bytes));
  return 0;
}
