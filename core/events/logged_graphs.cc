// Problem: a log has many small records and a few graphs, each of up to hundreds of megabytes, in
//   one of five places.
// Idea: iterate over the records, parse only the fields of each event, and copy the graphs. The
// five
//   places: graph_def and meta_graph_def of an event; the graphs inside run metadata, which are an
//   event of their own (TensorFlow 1) or the text of a summary for the plugin graph_run_metadata or
//   graph_run_metadata_graph (TensorFlow 2).
// Cost: O(bytes), nearly all of it for checksums.
// Limits: a graph that an old writer put into a summary of another plugin is not found.
// Source: TensorFlow's event.proto and config.proto; what TensorBoard 2.15 lists for the same logs.
// Tested by: tests/unit/events/logged_graphs_test.cc, tests/golden/events_test.cc.
#include "core/events/logged_graphs.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/events/event_numbers.h"
#include "core/events/event_scan.h"
#include "core/events/log_walk.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::events {
namespace {

using io::Field;
using io::FieldReader;

class Lister {
 public:
  explicit Lister(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void visit(const LogItem& item) {
    item_ = &item;
    switch (item.kind) {
      case EventKind::kGraphDef: add(kRunGraphTag, "", GraphSource::kGraphDef, item.content); break;
      case EventKind::kMetaGraphDef: on_meta_graph(item.content); break;
      case EventKind::kRunMetadata: on_run_metadata(item.tag, item.content); break;
      default: break;
    }
  }

  std::vector<LoggedGraph> take() { return std::move(graphs_); }

 private:
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
                     item_->at_file(fmt::format("record at byte {}, tag '{}'", item_->record->at,
                                                printable(tag))));
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
      diagnostics_.add(Severity::kInfo, "empty graph in a log",
                       item_->at_file(fmt::format("record at byte {}, tag '{}'", item_->record->at,
                                                  printable(tag))));
      return;
    }
    if (graphs_.size() == kMaxGraphs) {
      diagnostics_.add(Severity::kNotice, "log of too many graphs; the rest was left out",
                       item_->at_file(fmt::format("record at byte {}: more than {}",
                                                  item_->record->at, kMaxGraphs)));
      return;
    }
    graphs_.push_back({item_->file->run, std::string(tag), std::string(part), source, item_->number,
                       item_->event->step, item_->event->wall_time, item_->file->path,
                       own_bytes(std::string(bytes), item_->readers)});
  }

  Diagnostics& diagnostics_;
  std::vector<LoggedGraph> graphs_;
  const LogItem* item_ = nullptr;
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

std::vector<LoggedGraph> list_graphs(const EventLog& log, Diagnostics& diagnostics) {
  Lister lister(diagnostics);
  walk_log(log, diagnostics, [&](const LogItem& item) { lister.visit(item); });
  return lister.take();
}

Result<std::vector<LoggedGraph>> list_graphs(const EventFile& file, const SharedBytes& bytes,
                                             Diagnostics& diagnostics, Progress& progress) {
  Lister lister(diagnostics);
  TIDELINE_RETURN_IF_ERROR(walk_log(file, bytes, diagnostics, progress,
                                    [&](const LogItem& item) { lister.visit(item); }));
  return lister.take();
}

Result<std::vector<LoggedGraph>> list_graphs(const std::string& path, Diagnostics& diagnostics,
                                             Progress& progress) {
  Lister lister(diagnostics);
  TIDELINE_RETURN_IF_ERROR(
      walk_log(path, diagnostics, progress, [&](const LogItem& item) { lister.visit(item); }));
  return lister.take();
}

}  // namespace tideline::events
