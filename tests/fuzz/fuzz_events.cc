// Bytes into the reader of event files, twice: as a file, which tests the framing, and as the data
// of one sound record, so that the checksums do not keep the fuzzer from what lies behind them. The
// columns are compared with what protobuf reads.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/events/choose_graph.h"
#include "core/events/event_scan.h"
#include "core/events/record_reader.h"
#include "core/events/record_writer.h"
#include "core/events/row_values.h"
#include "core/io/proto/event.pb.h"
#include "core/io/tensor_elements.h"
#include "tests/fuzz/require.h"
#include "tests/support/read_blocks.h"

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

// What the rows of a log say about one event, counted by protobuf.
struct Expected {
  std::int64_t records = 0;
  std::int64_t rows = 0;
  std::map<std::string, std::vector<float>> simple_values;  // by tag
};

Expected expect(std::string_view bytes) {
  Expected expected;
  for (const std::string_view record : records_of(bytes, events::DataChecksums::kCheck)) {
    const auto event = events::scan_event(record);
    if (!event || event->contents > 1) continue;
    ++expected.records;
    if (event->kind != events::EventKind::kSummary) {
      expected.rows += event->contents;
      continue;
    }
    wire::Summary summary;
    require(summary.ParseFromArray(event->content.data(), static_cast<int>(event->content.size())),
            "a summary that was checked is one for protobuf, too");
    expected.rows += summary.value_size();
    for (const wire::Summary::Value& value : summary.value()) {
      if (value.value_case() != wire::Summary::Value::kSimpleValue) continue;
      expected.simple_values[value.tag()].push_back(value.simple_value());
    }
  }
  return expected;
}

// Nothing to compare with: they must come to an end and stay inside their bytes.
void read_content(const events::Series& series, const events::ValueRow& row,
                  std::string_view content) {
  (void)events::histogram_buckets(row.form, content);
  (void)events::image_values(row.form, content);
  (void)events::audio_values(row.form, content);
  (void)events::session_log_value(content);
  (void)events::blob_of(row.form, content);
  (void)events::plugin_content(series.metadata);
  const auto tensor = io::decode_elements(content, kMaxInput);
  if (!tensor) {
    fuzz::require_readable(tensor.error());
    return;
  }
  const auto elements = static_cast<std::size_t>(tensor->count);
  require(tensor->texts.size() == elements || tensor->texts.empty(), "a text for each element");
  for (std::int64_t i = 0; i < tensor->count; ++i) (void)io::element_number(*tensor, i);
}

void check_columns(std::string_view bytes) {
  const events::EventLog log = test::read_in_blocks(bytes, kMaxInput);
  const std::string differs = test::difference(log, test::read_in_blocks(bytes, 1));
  require(differs.empty(), "one block is read as a block for each record", differs);
  const Expected expected = expect(bytes);
  require(log.counts().records == expected.records, "as many events as the general way reads");
  require(log.counts().rows + log.counts().refused_rows == expected.rows,
          "rows read and rows refused are all rows");
  std::int64_t rows = 0;
  for (const events::Series& series : log.series()) {
    rows += static_cast<std::int64_t>(series.size());
    for (const events::ValueRow& row : series.rows) {
      require(row.record_at + events::kRecordHeaderBytes + row.begin + row.size <= bytes.size(),
              "a content lies in the file");
      const std::string_view content =
          bytes.substr(row.record_at + events::kRecordHeaderBytes + row.begin, row.size);
      if (row.chunk != events::ValueRow::kNotKept) {
        require(log.copy_of(row) == content, "a copy is what it was made of");
      }
      read_content(series, row, content);
    }
    const auto values = expected.simple_values.find(series.tag);
    const bool is_simple = series.kind == events::SeriesKind::kScalar && series.plugin.empty();
    if (!is_simple || values == expected.simple_values.end()) continue;
    if (log.counts().refused_rows > 0 || values->second.size() != series.points.size()) continue;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const auto found = static_cast<float>(series.points[i].value);
      require(std::memcmp(&found, &values->second[i], sizeof found) == 0 ||
                  (found != found && values->second[i] != values->second[i]),
              "a point as protobuf reads it");
    }
  }
  require(rows == log.counts().rows, "rows are counted as they are added");
  require_readable(log.diagnostics());
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
  fuzz::check_columns(bytes);
  // Values are recognized by their bytes from the third time on.
  const std::string record = events::framed(bytes);
  fuzz::check_columns(record + record + record + record);
  return 0;
}
