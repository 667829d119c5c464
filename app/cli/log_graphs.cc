
#include <nlohmann/json.hpp>

#include "app/cli/json_number.h"
#include "app/cli/log_options.h"
#include "app/cli/opening.h"
#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/events/logged_graphs.h"
#include "core/events/logged_trace.h"
#include "core/events/row_reader.h"
#include "core/events/row_values.h"
#include "core/events/run_metadata.h"

namespace tideline::cli {
namespace {

using events::EventLog;
using nlohmann::ordered_json;

bool is_wanted(const app::LogWish& wish, const events::LoggedGraph& graph) {
  return wish.wants_run(graph.run) && wish.steps.has(graph.step) &&
         (wish.wants_tag(graph.tag) || wish.wants_tag(graph.tag + ":" + graph.part));
}

// A traced step in a row of run metadata, in numbers.
struct TraceSize {
  std::size_t devices = 0;
  std::size_t executions = 0;
};

TraceSize trace_size(std::string_view metadata) {
  Diagnostics ignored;
  const auto trace = events::read_run_metadata(own_bytes(std::string(metadata)), ignored);
  if (!trace) return {};  // functions and partitions alone
  return {trace->devices.size(), trace->ops.size()};
}

}  // namespace

Status print_log_graphs(const LogOptions& options, const app::LogWish& wish, const EventLog& log) {
  Diagnostics diagnostics;
  const auto graphs = events::list_graphs(log, diagnostics);
  warn(options.title(), diagnostics);
  ordered_json json;
  json["graphs"] = ordered_json::array();
  if (options.csv) say("run,tag,part,kind,step,wall_time,bytes\n");
  for (const events::LoggedGraph& graph : graphs) {
    if (!is_wanted(wish, graph)) continue;
    const char* kind = events::graph_source_name(graph.source);
    const std::size_t bytes = graph.bytes->bytes().size();
    if (options.json) {
      json["graphs"].push_back({{"run", graph.run},
                                {"tag", graph.tag},
                                {"part", graph.part},
                                {"kind", kind},
                                {"step", graph.step},
                                {"wall_time", json_number(graph.wall_time)},
                                {"bytes", bytes}});
    } else if (options.csv) {
      say("{},{},{},{},{},{},{}\n", csv_field(graph.run), csv_field(graph.tag),
          csv_field(graph.part), kind, graph.step, graph.wall_time, bytes);
    } else {
      say("{}, step {}\n", events::describe(graph), graph.step);
    }
  }
  if (options.json) say_json(json);
  return {};
}

Status print_log_run_metadata(const LogOptions& options, const app::LogWish& wish,
                              const EventLog& log) {
  static constexpr std::array kKinds = {events::SeriesKind::kRunMetadata};
  TIDELINE_TRY(const auto wanted, app::wanted_series(log, wish, kKinds));
  ordered_json json;
  json["run_metadata"] = ordered_json::array();
  if (options.csv) say("run,tag,step,wall_time,bytes,devices,executions\n");
  events::RowReader reader(log);
  for (const events::Series* series : wanted) {
    const std::string& run = log.runs()[series->run];
    for (const events::ValueRow& row : series->rows) {
      if (!wish.steps.has(row.step)) continue;
      TIDELINE_TRY(const std::string content, reader.read(row));
      const std::string_view metadata = events::blob_of(row.form, content);
      const TraceSize size = trace_size(metadata);
      if (options.json) {
        json["run_metadata"].push_back({{"run", run},
                                        {"tag", series->tag},
                                        {"step", row.step},
                                        {"wall_time", json_number(row.wall_time)},
                                        {"bytes", metadata.size()},
                                        {"devices", size.devices},
                                        {"executions", size.executions}});
      } else if (options.csv) {
        say("{},{},{},{},{},{},{}\n", csv_field(run), csv_field(series->tag), row.step,
            row.wall_time, metadata.size(), size.devices, size.executions);
      } else {
        say("run '{}', tag '{}', step {}: {}, {} devices, {} executions of ops\n", run, series->tag,
            row.step, format_bytes(static_cast<Bytes>(metadata.size())), size.devices,
            size.executions);
      }
    }
  }
  if (options.json) say_json(json);
  return {};
}

}  // namespace tideline::cli
