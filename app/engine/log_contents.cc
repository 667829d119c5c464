// Tested by unit/session/log_document_test.cc.
#include "app/engine/log_contents.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "core/events/hparams.h"
#include "core/events/logged_graphs.h"
#include "core/events/logged_trace.h"

namespace tideline::app {
namespace {

// The first value of each run, from which relative times count. Graphs do not count: they are often
// written long before.
std::vector<double> begins_of_runs(const events::EventLog& log) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::vector<double> begins(log.runs().size(), kNone);
  for (const events::Series& series : log.series()) {
    if (series.size() == 0 || series.kind >= events::SeriesKind::kGraph) continue;
    begins[series.run] = std::min(begins[series.run], series.wall_time(0));
  }
  // Rows of several writers are by step, so that the first one need not be the earliest.
  for (const events::LogFile& file : log.files()) {
    begins[file.run] = std::min(begins[file.run], file.time.first);
  }
  for (double& begin : begins) {
    if (begin == kNone) begin = 0;
  }
  return begins;
}

std::shared_ptr<const events::HparamsTable> hparams_of(const events::EventLog& log) {
  const auto& all = log.series();
  const bool has_some = std::any_of(all.begin(), all.end(), [](const events::Series& series) {
    return series.kind == events::SeriesKind::kHparams;
  });
  if (!has_some) return nullptr;
  return std::make_shared<const events::HparamsTable>(events::hparams_table(log));
}

}  // namespace

std::shared_ptr<ui::LogContents> make_log_contents(const std::string& path,
                                                   std::shared_ptr<const events::EventLog> log) {
  auto contents = std::make_shared<ui::LogContents>();
  contents->path = path;
  contents->diagnostics = log->diagnostics();
  contents->run_begins_s = begins_of_runs(*log);
  for (std::uint32_t run = 0; run < log->runs().size(); ++run) contents->runs.push_back(run);
  // Numbers and colours of the first log's runs stay when another one is added.
  std::vector<std::uint32_t> log_of(log->runs().size(), 0);
  for (const events::LogFile& file : log->files()) log_of[file.run] = file.file.log;
  std::sort(contents->runs.begin(), contents->runs.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(log_of[a], log->runs()[a]) < std::tie(log_of[b], log->runs()[b]);
  });
  // Sorted by run, then by tag: a stable sort by tag keeps the runs in order.
  std::vector<std::uint32_t> order = log->sorted_series();
  const auto key = [&](std::uint32_t i) {
    return std::tie(log->series()[i].tag, log->series()[i].kind);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  for (const std::uint32_t i : order) {
    const events::Series& series = log->series()[i];
    auto& tags = contents->tags;
    if (tags.empty() || tags.back().name != series.tag || tags.back().kind != series.kind) {
      tags.push_back({series.tag, series.kind, {}});
    }
    tags.back().series.push_back(i);
  }
  contents->hparams = hparams_of(*log);
  contents->events = std::move(log);
  return contents;
}

void list_logged_graphs(ui::LogContents& contents) {
  const events::EventLog& log = *contents.events;
  for (const events::LoggedGraph& graph : events::list_graphs(log, contents.diagnostics)) {
    const std::string tag = graph.part.empty() ? graph.tag : graph.tag + ":" + graph.part;
    contents.graphs.push_back({graph.run, tag, events::graph_source_name(graph.source),
                               static_cast<Bytes>(graph.bytes->bytes().size())});
  }
  Diagnostics counted;  // with the graphs
  for (const events::LoggedTrace& trace : events::list_traces(log, counted)) {
    contents.traces.push_back({trace.run, trace.tag, trace.step});
  }
}

PlaceOfRun place_of_run(const ui::LogContents& contents, const std::string& run) {
  for (const ui::LogContents::Added& one : contents.added) {
    if (run == one.name) return {one.path, "."};
    if (run.starts_with(one.name + "/")) return {one.path, run.substr(one.name.size() + 1)};
  }
  return {contents.path, run};
}

std::size_t graph_rows(const events::EventLog& log) {
  std::size_t rows = 0;
  for (const events::Series& series : log.series()) {
    switch (series.kind) {
      case events::SeriesKind::kGraph:
      case events::SeriesKind::kMetaGraph:
      case events::SeriesKind::kRunMetadata:
      case events::SeriesKind::kKerasGraph: rows += series.size(); break;
      default: break;
    }
  }
  return rows;
}

}  // namespace tideline::app
