// Tested by: tests/unit/events/logged_graphs_test.cc, tests/unit/events/logged_trace_test.cc.
#include "core/events/log_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/input_file.h"
#include "core/base/text.h"
#include "core/events/record_file.h"
#include "core/events/row_reader.h"
#include "core/events/row_values.h"
#include "core/io/foreign_files.h"
#include "core/io/graph_format.h"

namespace tideline::events {
namespace {

constexpr std::int64_t kRecordsBetweenReports = 1 << 12;
constexpr std::size_t kSniffedBytes = std::size_t{1} << 20U;

class Walk {
 public:
  Walk(Diagnostics& diagnostics, Progress& progress, const LogVisitor& visit)
      : diagnostics_(diagnostics), progress_(progress), visit_(visit) {}

  Status read(const EventFile& file, const SharedBytes& bytes) {
    RecordReader reader(bytes->bytes());
    return read(file, reader, bytes->bytes().size(), bytes->readers());
  }

  Status read(const EventFile& file) {
    TIDELINE_TRY(InputFile opened, InputFile::open(file.path));
    TIDELINE_RETURN_IF_ERROR(refuse_foreign_log(file.path));
    RecordFile reader(std::move(opened));
    TIDELINE_RETURN_IF_ERROR(read(file, reader, reader.size(), reader.readers()));
    return reader.status();
  }

 private:
  template <typename Reader>
  Status read(const EventFile& file, Reader& reader, std::uint64_t size, const Readers& readers) {
    if (file.run != run_) plugins_.clear();
    run_ = file.run;
    item_.file = &file;
    item_.readers = readers;
    item_.record = &record_;
    while (reader.next(record_)) {
      ++item_.number;
      if (record_.number % kRecordsBetweenReports == 0 &&
          !progress_.report("reading logs", static_cast<std::int64_t>(reader.at()),
                            static_cast<std::int64_t>(size))) {
        return cancelled();
      }
      on_record(record_);
    }
    if (const auto& damage = reader.damage()) {
      diagnostics_.add(damage->severity, damage->kind, item_.at_file(damage->where));
    }
    return {};
  }

  void on_record(const Record& record) {
    const auto event = scan_event(record.data);
    if (!event) {
      diagnostics_.add(Severity::kDataLoss, "record that is not an event",
                       item_.at_file(fmt::format("record {} at byte {}: {}", record.number,
                                                 record.at, event.error().message)));
      return;
    }
    item_.event = &*event;
    switch (event->kind) {
      case EventKind::kGraphDef:
      case EventKind::kMetaGraphDef: visit(event->kind, {}, event->content); break;
      case EventKind::kRunMetadata: {
        const TaggedBytes metadata = tagged_run_metadata(event->content);
        visit(EventKind::kRunMetadata, metadata.tag, metadata.bytes);
        break;
      }
      case EventKind::kSummary: on_summary(event->content); break;
      default: break;
    }
    item_.event = nullptr;
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
        visit(EventKind::kRunMetadata, value.tag, value.text);
      } else if (plugin->second == "graph_keras_model") {
        diagnostics_.add(Severity::kInfo, std::string(kKerasLayers),
                         item_.at_file(fmt::format("tag '{}'", printable(value.tag))));
      }
    }
  }

  void visit(EventKind kind, std::string_view tag, std::string_view content) {
    item_.kind = kind;
    item_.tag = tag;
    item_.content = content;
    visit_(item_);
  }

  Diagnostics& diagnostics_;
  Progress& progress_;
  const LogVisitor& visit_;
  // Which plugin a tag of the run belongs to, for the graph plugins.
  std::map<std::string, std::string, std::less<>> plugins_;
  std::string run_;
  Record record_;
  LogItem item_;
};

}  // namespace

std::string LogItem::at_file(std::string_view what) const {
  return fmt::format("{}: {}", printable(file->path), what);
}

Status walk_log(const EventFile& file, const SharedBytes& bytes, Diagnostics& diagnostics,
                Progress& progress, const LogVisitor& visit) {
  return Walk(diagnostics, progress, visit).read(file, bytes);
}

Status walk_log(const std::string& path, Diagnostics& diagnostics, Progress& progress,
                const LogVisitor& visit) {
  TIDELINE_TRY(const std::vector<EventFile> files, find_event_files(path, diagnostics, progress));
  Walk walk(diagnostics, progress, visit);
  for (const EventFile& file : files) {
    Status read = walk.read(file);
    if (read) continue;
    if (files.size() == 1 || read.error().code == Code::kCancelled) return read;
    diagnostics.add(Severity::kDataLoss, "event file that cannot be read",
                    printable(read.error().message));
  }
  return {};
}

void walk_log(const EventLog& log, Diagnostics& diagnostics, const LogVisitor& visit) {
  std::vector<std::pair<const ValueRow*, const Series*>> rows;
  for (const Series& series : log.series()) {
    if (series.kind < SeriesKind::kGraph || series.kind > SeriesKind::kKerasGraph) continue;
    for (const ValueRow& row : series.rows) rows.emplace_back(&row, &series);
  }
  const auto place = [](const ValueRow& row) {
    return std::tuple(row.file, row.record_at, row.begin);
  };
  std::sort(rows.begin(), rows.end(),
            [&](const auto& a, const auto& b) { return place(*a.first) < place(*b.first); });
  RowReader reader(log);
  LogItem item;
  for (const auto& [row, series] : rows) {
    const Event event{row->wall_time, row->step, EventKind::kNothing, {}, 1};
    const Record record{{}, row->record_at, 0};
    item.file = &log.files()[row->file].file;
    item.event = &event;
    item.record = &record;
    item.tag = series->tag;
    item.readers = readers_of(item.file->path);
    ++item.number;
    if (series->kind == SeriesKind::kKerasGraph) {
      diagnostics.add(Severity::kInfo, std::string(kKerasLayers),
                      item.at_file(fmt::format("tag '{}'", printable(series->tag))));
      continue;
    }
    item.kind = series->kind == SeriesKind::kGraph       ? EventKind::kGraphDef
                : series->kind == SeriesKind::kMetaGraph ? EventKind::kMetaGraphDef
                                                         : EventKind::kRunMetadata;
    const auto content = reader.read(*row);
    if (!content) {
      diagnostics.add(Severity::kDataLoss, "event file that cannot be read",
                      printable(content.error().message));
      continue;
    }
    item.content = blob_of(row->form, *content);
    visit(item);
  }
}

Status refuse_foreign_log(const std::string& path) {
  const auto foreign =
      io::foreign_file_at(path, io::FileUse::kLog, "expected an event file or a folder of them");
  if (!foreign) return {};
  return fail(Code::kInvalidArgument, "{}: {}", path, *foreign);
}

bool is_log(std::string_view bytes) {
  const io::FileKind kind = io::sniff(bytes).kind;
  return kind == io::FileKind::kEventLog ||
         (kind == io::FileKind::kUnknown && is_event_file(bytes));
}

bool is_log_file(const std::string& path) {
  auto file = InputFile::open(path);
  if (!file) return false;
  std::string begin(std::min(file->size(), kSniffedBytes), '\0');
  const auto got = file->read(begin.data(), begin.size());
  return got && is_log(std::string_view(begin).substr(0, *got));
}

}  // namespace tideline::events
