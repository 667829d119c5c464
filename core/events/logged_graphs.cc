// Problem: a log is many small records with a few graphs among them, each perhaps of hundreds of
//   megabytes, in one of five places.
// Idea: walk the records, look only at the frame of each event, and remember spans. The five
// places:
//   graph_def and meta_graph_def of an event; the graphs inside run metadata, which come as an
//   event of their own (TensorFlow 1) or as the text of a summary for the plugin graph_run_metadata
//   or graph_run_metadata_graph (TensorFlow 2).
// Cost: O(bytes), nearly all of it checksums.
// Limits: a graph that an old writer put into a summary under another plugin's name is not seen.
// Source: TensorFlow's event.proto and config.proto; what TensorBoard 2.15 lists for the same logs.
// Tested by: tests/unit/events/logged_graphs_test.cc, tests/golden/events_test.cc.
#include "core/events/logged_graphs.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/events/event_numbers.h"
#include "core/events/event_scan.h"
#include "core/events/record_reader.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::events {
namespace {

using io::Field;
using io::FieldReader;

constexpr std::int64_t kRecordsBetweenReports = 1 << 12;

class Lister {
 public:
  Lister(Diagnostics& diagnostics, Progress& progress)
      : diagnostics_(diagnostics), progress_(progress) {}

  Status read(const EventFile& file, const SharedBytes& bytes) {
    if (file.run != run_) plugins_.clear();
    run_ = file.run;
    file_ = &file;
    bytes_ = &bytes;
    RecordReader reader(bytes->bytes());
    Record record;
    while (reader.next(record)) {
      ++event_;
      if (record.number % kRecordsBetweenReports == 0 &&
          !progress_.report("reading logs", static_cast<std::int64_t>(reader.at()),
                            static_cast<std::int64_t>(bytes->bytes().size()))) {
        return cancelled();
      }
      on_record(record);
    }
    if (const auto& damage = reader.damage()) {
      diagnostics_.add(damage->severity, damage->kind, at_file(damage->where));
    }
    return {};
  }

  std::vector<LoggedGraph> take() { return std::move(graphs_); }

 private:
  [[nodiscard]] std::string at_file(std::string_view what) const {
    return fmt::format("{}: {}", printable(file_->path), what);
  }

  void on_record(const Record& record) {
    const auto event = scan_event(record.data);
    if (!event) {
      diagnostics_.add(Severity::kDataLoss, "record that is no event",
                       at_file(fmt::format("record {} at byte {}: {}", record.number, record.at,
                                           event.error().message)));
      return;
    }
    record_ = &record;
    now_ = *event;
    switch (event->kind) {
      case EventKind::kGraphDef:
        add(kRunGraphTag, "", GraphSource::kGraphDef, event->content);
        break;
      case EventKind::kMetaGraphDef: on_meta_graph(event->content); break;
      case EventKind::kRunMetadata: {
        const TaggedBytes metadata = tagged_run_metadata(event->content);
        on_run_metadata(metadata.tag, metadata.bytes);
        break;
      }
      case EventKind::kSummary: on_summary(event->content); break;
      default: break;
    }
  }

  // A MetaGraph may hold signatures and collections alone.
  void on_meta_graph(std::string_view meta_graph) {
    FieldReader reader(meta_graph);
    Field field;
    bool has_graph = false;
    while (reader.next(field)) {
      if (field.is_bytes(io::meta_graph_def::kGraph) && !field.bytes.empty()) has_graph = true;
    }
    // A damaged one is listed: opening it says what is wrong.
    add(kRunMetaGraphTag, "", GraphSource::kMetaGraphDef,
        has_graph || reader.damaged() ? meta_graph : std::string_view());
  }

  void on_summary(std::string_view content) {
    SummaryReader reader(content);
    SummaryValue value;
    while (reader.next(value)) {
      if (value.plugin.starts_with("graph_")) {
        plugins_.try_emplace(std::string(value.tag), value.plugin);
      } else if (!value.plugin.empty() || plugins_.empty()) {
        continue;
      }
      const auto plugin = plugins_.find(value.tag);
      if (plugin == plugins_.end()) continue;
      if (plugin->second == "graph_run_metadata" || plugin->second == "graph_run_metadata_graph") {
        on_run_metadata(value.tag, value.text);
      } else if (plugin->second == "graph_keras_model") {
        diagnostics_.add(Severity::kInfo, "picture of a Keras model's layers, which holds no ops",
                         at_file(fmt::format("tag '{}'", printable(value.tag))));
      }
    }
  }

  void on_run_metadata(std::string_view tag, std::string_view metadata) {
    FieldReader reader(metadata);
    Field field;
    int partitions = 0;
    int functions = 0;
    bool damaged = false;
    while (reader.next(field)) {
      if (field.is_bytes(run_metadata::kPartitionGraph)) {
        add(tag, fmt::format("partition_{}", partitions++), GraphSource::kPartition, field.bytes);
      } else if (field.is_bytes(run_metadata::kFunctionGraphs)) {
        damaged = !on_function(tag, functions++, field.bytes) || damaged;
      }
    }
    if (!damaged && !reader.damaged()) return;
    diagnostics_.add(Severity::kDataLoss, "damaged run metadata",
                     at_file(fmt::format("record {}, tag '{}'", record_->number, printable(tag))));
  }

  bool on_function(std::string_view tag, int number, std::string_view graphs) {
    FieldReader reader(graphs);
    Field field;
    int partitions = 0;
    const std::string function = fmt::format("function_{}/", number);
    while (reader.next(field)) {
      if (field.is_bytes(run_metadata::kFunctionPartition)) {
        add(tag, fmt::format("{}partition_{}", function, partitions++), GraphSource::kPartition,
            field.bytes);
      } else if (field.is_bytes(run_metadata::kBeforeOptimization)) {
        add(tag, function + "pre_optimization_graph", GraphSource::kBeforeOptimization,
            field.bytes);
      } else if (field.is_bytes(run_metadata::kAfterOptimization)) {
        add(tag, function + "post_optimization_graph", GraphSource::kAfterOptimization,
            field.bytes);
      }
    }
    return !reader.damaged();
  }

  void add(std::string_view tag, std::string_view part, GraphSource source,
           std::string_view bytes) {
    if (bytes.empty()) {
      diagnostics_.add(
          Severity::kInfo, "empty graph in a log",
          at_file(fmt::format("record {}, tag '{}'", record_->number, printable(tag))));
      return;
    }
    if (graphs_.size() == kMaxGraphs) {
      diagnostics_.add(
          Severity::kNotice, "log of too many graphs; the rest was left out",
          at_file(fmt::format("record {}: more than {}", record_->number, kMaxGraphs)));
      return;
    }
    graphs_.push_back({run_, std::string(tag), std::string(part), source, event_, now_.step,
                       now_.wall_time, file_->path, slice_bytes(*bytes_, bytes)});
  }

  Diagnostics& diagnostics_;
  Progress& progress_;
  std::vector<LoggedGraph> graphs_;
  // Which plugin a tag of the run belongs to, for the graph plugins.
  std::map<std::string, std::string, std::less<>> plugins_;
  std::string run_;
  std::int64_t event_ = 0;
  const EventFile* file_ = nullptr;
  const SharedBytes* bytes_ = nullptr;
  const Record* record_ = nullptr;
  Event now_;
};

}  // namespace

const char* graph_source_name(GraphSource source) {
  switch (source) {
    case GraphSource::kGraphDef: return "graph_def";
    case GraphSource::kMetaGraphDef: return "meta_graph_def";
    case GraphSource::kBeforeOptimization: return "pre_optimization_graph";
    case GraphSource::kAfterOptimization: return "post_optimization_graph";
    case GraphSource::kPartition: return "partition_graph";
  }
  return "";
}

std::string describe(const LoggedGraph& graph) {
  return fmt::format("run '{}', tag '{}{}{}' ({}, {})", printable(graph.run), printable(graph.tag),
                     graph.part.empty() ? "" : ":", graph.part, graph_source_name(graph.source),
                     format_bytes(Bytes{static_cast<std::int64_t>(graph.bytes->bytes().size())}));
}

Result<std::vector<LoggedGraph>> list_graphs(const EventFile& file, const SharedBytes& bytes,
                                             Diagnostics& diagnostics, Progress& progress) {
  Lister lister(diagnostics, progress);
  TIDELINE_RETURN_IF_ERROR(lister.read(file, bytes));
  return lister.take();
}

Result<std::vector<LoggedGraph>> list_graphs(const std::string& path, Diagnostics& diagnostics,
                                             Progress& progress) {
  TIDELINE_TRY(const std::vector<EventFile> files, find_event_files(path, diagnostics, progress));
  Lister lister(diagnostics, progress);
  for (const EventFile& file : files) {
    auto bytes = open_bytes(file.path);
    if (!bytes) {
      if (files.size() == 1 || bytes.error().code == Code::kCancelled) {
        return tl::unexpected(std::move(bytes).error());
      }
      diagnostics.add(Severity::kDataLoss, "event file that cannot be read",
                      printable(bytes.error().message));
      continue;
    }
    TIDELINE_RETURN_IF_ERROR(lister.read(file, *bytes));
  }
  return lister.take();
}

}  // namespace tideline::events
