// `log cat`: events in the order of the files, as JSON. Contents of blobs (images, sounds, graphs)
// are described, not printed; `log export` writes them.
#include <fmt/format.h>
#include <sys/types.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "app/cli/json_number.h"
#include "app/cli/log_options.h"
#include "app/cli/opening.h"
#include "app/cli/streams.h"
#include "app/cli/terminal.h"
#include "app/engine/read_log.h"
#include "core/base/bytes.h"
#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/events/event_numbers.h"
#include "core/events/event_scan.h"
#include "core/events/log_source.h"
#include "core/events/row_order.h"
#include "core/events/row_values.h"
#include "core/events/summary_item.h"
#include "core/io/tensor_elements.h"
#include "core/io/wire.h"

namespace tideline::cli {
namespace {

// Follows a log to which training still writes.
// Prints what training appends to a log. A log cannot notify: it is looked at five times a
// second, and the folder once a second for new files. That costs some system calls a file.

using namespace std::chrono_literals;

constexpr auto kPause = 200ms;
constexpr int kLooksForFolder = 5;

// Calls `print`, which reads what `source` has and prints it, again and again, less than a quarter
// of a second after something was written. Returns when nobody reads standard output any more.
// Errors: kCancelled; those of `print`.
Status follow(events::LogSource& source, Progress& progress, const std::function<Status()>& print) {
  for (int looks = 1;; ++looks) {
    TIDELINE_RETURN_IF_ERROR(print());
    std::fflush(stdout);
    if (is_output_gone()) return {};
    std::this_thread::sleep_for(kPause);
    if (!progress.report("following", 0, 0)) return cancelled();
    TIDELINE_RETURN_IF_ERROR(source.refresh(looks % kLooksForFolder == 0, progress));
  }
}

// Warns of the entries of `all` behind the first `warned`. Returns how many there are.
std::size_t warn_of_new(const std::string& path, const Diagnostics& all, std::size_t warned) {
  Diagnostics added;
  for (std::size_t i = warned; i < all.entries().size(); ++i) {
    const Diagnostic& entry = all.entries()[i];
    added.add(entry.severity, entry.kind, entry.example, entry.count);
  }
  warn(path, added);
  return all.entries().size();
}

// The order in which to print the points of a series from the row `first` on, which writers may
// have written in turns.
std::vector<std::size_t> order_from(const events::EventLog& log, const events::Series& series,
                                    std::size_t first) {
  std::vector<std::size_t> rows;
  std::vector<events::FilePart> parts;
  std::size_t end = 0;
  for (const events::FilePart& part : series.parts) {
    const std::size_t begin = std::max(end, first);
    end += part.rows;
    if (begin < end) events::add_part(parts, part.file, end - begin);
  }
  std::vector<events::TimeRange> times;
  for (const events::LogFile& file : log.files()) times.push_back(file.time);
  if (events::follow_each_other(parts, times)) {
    for (std::size_t row = first; row < series.points.size(); ++row) rows.push_back(row);
    return rows;
  }
  std::vector<events::TimedStep> steps;
  for (std::size_t row = first; row < series.points.size(); ++row) {
    steps.push_back({series.points[row].wall_time, series.points[row].step});
  }
  rows = events::order_of_rows(steps, parts, times).rows;
  for (std::size_t& row : rows) row += first;
  return rows;
}

// Prints the points behind those that were printed. The log is not sorted, so they are at its end.
class ScalarPrinter {
 public:
  ScalarPrinter(const LogOptions& options, app::LogWish wish)
      : options_(options), wish_(std::move(wish)) {
    if (options_.csv) say("run,tag,step,wall_time,value\n");
  }

  void print(const events::EventLog& log) {
    printed_.resize(log.series().size());
    for (std::size_t i = 0; i < log.series().size(); ++i) {
      const events::Series& series = log.series()[i];
      std::size_t& printed = printed_[i];
      if (series.points.size() == printed || !wish_.wants_run(log.runs()[series.run]) ||
          !wish_.wants_tag(series.tag)) {
        continue;
      }
      const std::string head = scalar_head(options_, log, series);
      for (const std::size_t row : order_from(log, series, printed)) {
        const events::ScalarPoint& point = series.points[row];
        if (wish_.steps.has(point.step)) print_scalar(options_, head, point);
      }
      printed = series.points.size();
    }
  }

 private:
  const LogOptions& options_;
  app::LogWish wish_;
  std::vector<std::size_t> printed_;  // by series
};

Status follow_scalars(const LogOptions& options, events::EventLog& log) {
  TerminalProgress progress(true);
  TIDELINE_TRY(app::LogWish wish, options.wish());
  TIDELINE_TRY(events::LogSource source,
               app::open_logs(options.paths, options.at_damage(), progress));
  ScalarPrinter printer(options, std::move(wish));
  std::size_t warned = 0;
  return follow(source, progress, [&]() -> Status {
    TIDELINE_RETURN_IF_ERROR(app::read_blocks(source, log, progress));
    source.report_to(log);
    warned = warn_of_new(options.title(), log.diagnostics(), warned);
    printer.print(log);
    return {};
  });
}

using events::ValueForm;
using nlohmann::ordered_json;

// Tensors of more elements are described.
constexpr std::int64_t kMostElements = 1000;

ordered_json tensor_json(std::string_view content) {
  ordered_json json;
  const auto tensor = io::decode_elements(content, events::most_tensor_bytes(content));
  if (!tensor) return {{"bytes", content.size()}, {"error", tensor.error().message}};
  json["dtype"] = data_type_name(tensor->type);
  json["shape"] = tensor->dims;
  std::size_t text_bytes = 0;
  for (const std::string_view text : tensor->texts) text_bytes += text.size();
  const bool is_small = tensor->count <= kMostElements && text_bytes <= std::size_t{1} << 16U;
  if (!is_small) {
    json["bytes"] = content.size();
    return json;
  }
  json["values"] = ordered_json::array();
  for (const std::string_view text : tensor->texts) {
    if (is_utf8(text)) {
      json["values"].push_back(text);
    } else {
      json["values"].push_back({{"bytes", text.size()}, {"format", events::file_ending(text) + 1}});
    }
  }
  if (!tensor->texts.empty()) return json;
  for (std::int64_t i = 0; i < tensor->count; ++i) {
    const auto number = io::element_number(*tensor, i);
    json["values"].push_back(number ? json_number(*number) : ordered_json(nullptr));
  }
  return json;
}

ordered_json histogram_json(std::string_view content) {
  using Number = std::uint32_t;
  ordered_json json;
  ordered_json limits = ordered_json::array();
  ordered_json counts = ordered_json::array();
  io::FieldReader reader(content);
  io::Field field;
  const auto name_of = [](Number number) -> const char* {
    switch (number) {
      case events::histogram::kMin: return "min";
      case events::histogram::kMax: return "max";
      case events::histogram::kCount: return "num";
      case events::histogram::kSum: return "sum";
      case events::histogram::kSumSquares: return "sum_squares";
      default: return nullptr;
    }
  };
  while (reader.next(field)) {
    if (const char* name = name_of(field.number)) {
      json[name] = json_number(std::bit_cast<double>(field.varint));
    } else if (field.type == io::WireType::kBytes) {
      ordered_json& list = field.number == events::histogram::kLimits ? limits : counts;
      for (std::size_t at = 0; at + 8 <= field.bytes.size(); at += 8) {
        list.push_back(
            json_number(std::bit_cast<double>(from_little_endian(field.bytes.substr(at, 8)))));
      }
    }
  }
  json["bucket_limit"] = std::move(limits);
  json["bucket"] = std::move(counts);
  return json;
}

ordered_json image_json(const events::SummaryItem& item) {
  const auto images = events::image_values(item.form, item.content);
  if (!images || images->encoded.empty()) return {{"bytes", item.content.size()}};
  return {{"width", images->width},
          {"height", images->height},
          {"format", events::file_ending(images->encoded.front()) + 1},
          {"bytes", images->encoded.front().size()}};
}

ordered_json summary_json(const events::SummaryItem& item) {
  ordered_json json = {{"tag", item.tag}};
  if (!item.metadata.empty()) json["plugin"] = events::plugin_of(item.metadata);
  switch (item.form) {
    case ValueForm::kSimple: json["simple_value"] = json_number(item.simple_value); break;
    case ValueForm::kHistogram: json["histo"] = histogram_json(item.content); break;
    case ValueForm::kImage: json["image"] = image_json(item); break;
    case ValueForm::kAudio: json["audio"] = {{"bytes", item.content.size()}}; break;
    case ValueForm::kTensor: json["tensor"] = tensor_json(item.content); break;
    case ValueForm::kOldHistogram:
      json["obsolete_old_style_histogram"] = {{"bytes", item.content.size()}};
      break;
    default: break;
  }
  return json;
}

ordered_json log_message_json(std::string_view content) {
  ordered_json json = {{"level", 0}, {"message", ""}};
  io::FieldReader reader(content);
  io::Field field;
  while (reader.next(field)) {
    if (field.is_varint(events::log_message::kLevel)) json["level"] = field.varint;
    if (field.is_bytes(events::log_message::kMessage)) json["message"] = field.bytes;
  }
  return json;
}

class EventPrinter {
 public:
  explicit EventPrinter(app::LogWish wish) : wish_(std::move(wish)) {}

  // Parts of the file that were not printed are counted in `diagnostics`. False at damage.
  bool print(const events::EventFile& file, const events::RecordBlock& block,
             Diagnostics& diagnostics) {
    events::RecordReader reader(block.buffer.bytes(), block.at, block.first_number);
    events::Record record;
    const bool is_wanted = wish_.wants_run(file.run);
    while (reader.next(record)) {
      const auto event = events::scan_event(record.data);
      if (event) {
        if (is_wanted && wish_.steps.has(event->step)) print(file, record, *event);
        continue;
      }
      diagnostics.add(Severity::kDataLoss, "record that is not an event",
                      fmt::format("{}: record {} at byte {}: {}", printable(file.path),
                                  record.number, record.at, event.error().message));
    }
    if (!reader.damage()) return true;
    diagnostics.add(reader.damage()->severity, reader.damage()->kind,
                    fmt::format("{}: {}", printable(file.path), reader.damage()->where));
    return false;
  }

 private:
  void print(const events::EventFile& file, const events::Record& record,
             const events::Event& event) {
    ordered_json json = {{"run", file.run},
                         {"record", record.number},
                         {"offset", record.at},
                         {"wall_time", json_number(event.wall_time)},
                         {"step", event.step}};
    if (add_content(event, json)) say_json(json, -1);
  }

  // False when the event has no tag that is wanted.
  bool add_content(const events::Event& event, ordered_json& json) {
    using events::EventKind;
    switch (event.kind) {
      case EventKind::kSummary: return add_summary(event.content, json);
      case EventKind::kRunMetadata: {
        const events::TaggedBytes tagged = events::tagged_run_metadata(event.content);
        json["tagged_run_metadata"] = {{"tag", tagged.tag}, {"bytes", tagged.bytes.size()}};
        return wish_.wants_tag(tagged.tag);
      }
      case EventKind::kFileVersion: json["file_version"] = event.content; break;
      case EventKind::kGraphDef: json["graph_def"] = {{"bytes", event.content.size()}}; break;
      case EventKind::kMetaGraphDef:
        json["meta_graph_def"] = {{"bytes", event.content.size()}};
        break;
      case EventKind::kSessionLog: {
        const events::SessionLogValue log = events::session_log_value(event.content);
        json["session_log"] = {
            {"status", log.status}, {"checkpoint_path", log.checkpoint}, {"msg", log.message}};
        break;
      }
      case EventKind::kLogMessage: json["log_message"] = log_message_json(event.content); break;
      case EventKind::kNothing: break;
    }
    return !wish_.tag;
  }

  bool add_summary(std::string_view content, ordered_json& json) {
    const std::int64_t refused = events::read_checked_summary(content, items_);
    json["summary"] = ordered_json::array();
    for (const events::SummaryItem& item : items_) {
      if (wish_.wants_tag(item.tag)) json["summary"].push_back(summary_json(item));
    }
    if (refused > 0) json["refused_values"] = refused;
    return !wish_.tag || !json["summary"].empty();
  }

  app::LogWish wish_;
  std::vector<events::SummaryItem> items_;
};

Status print_events(const LogOptions& options, Diagnostics& diagnostics) {
  TerminalProgress progress(true);
  TIDELINE_TRY(app::LogWish wish, options.wish());
  TIDELINE_TRY(events::LogSource source,
               app::open_logs(options.paths, options.at_damage(), progress));
  EventPrinter printer(std::move(wish));
  events::RecordBlock block;
  events::EventLog files;  // for what the source reports
  std::size_t warned = 0;
  const auto print = [&]() -> Status {
    while (source.next(block)) {
      if (!printer.print(source.file(block.file), block, diagnostics)) source.end_file(block.file);
      if (!progress.report("reading logs", static_cast<std::int64_t>(source.bytes_read()),
                           static_cast<std::int64_t>(source.bytes_total()))) {
        return cancelled();
      }
    }
    if (!options.follow) source.finish();
    source.report_to(files);
    for (const Diagnostic& entry : files.diagnostics().entries()) {
      diagnostics.add(entry.severity, entry.kind, entry.example, entry.count);
    }
    files = {};
    warned = warn_of_new(options.title(), diagnostics, warned);
    return {};
  };
  if (options.follow) return follow(source, progress, print);
  return print();
}

}  // namespace

int follow_log_scalars(const LogOptions& options) {
  events::EventLog log;
  const Status followed = follow_scalars(options, log);
  if (!followed) return report(followed.error());
  return log_exit_code(options, log.diagnostics());
}

int print_log_events(const LogOptions& options) {
  Diagnostics diagnostics;
  const Status printed = print_events(options, diagnostics);
  if (!printed) return report(printed.error());
  return log_exit_code(options, diagnostics);
}

}  // namespace tideline::cli
