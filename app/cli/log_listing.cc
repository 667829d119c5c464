#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "app/cli/log_options.h"
#include "app/cli/terminal.h"
#include "core/base/text.h"

namespace tideline::cli {
namespace {

using events::EventLog;
using events::Series;
using events::SeriesKind;

// Rows of the whole run, which have no tag.
bool is_of_run(SeriesKind kind) {
  return kind == SeriesKind::kSessionLog || kind == SeriesKind::kLogMessage ||
         kind == SeriesKind::kFileVersion;
}

// The rows of a series in the range of steps.
struct Extent {
  std::int64_t points = 0;
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
};

Extent extent_of(const Series& series, const app::StepRange& range) {
  Extent extent;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const std::int64_t step = series.step(i);
    if (!range.has(step)) continue;
    extent.first_step = extent.points == 0 ? step : std::min(extent.first_step, step);
    extent.last_step = extent.points == 0 ? step : std::max(extent.last_step, step);
    ++extent.points;
  }
  return extent;
}

struct ListedRun {
  std::int64_t files = 0;
  std::vector<std::pair<const Series*, Extent>> tags;
  std::map<std::string, std::int64_t> events;  // by kind
};

// Also runs whose files hold nothing.
std::map<std::string, ListedRun> list_runs(const EventLog& log, const app::LogWish& wish,
                                           const std::vector<const Series*>& wanted) {
  std::map<std::string, ListedRun> runs;
  for (const events::LogFile& file : log.files()) {
    if (wish.wants_run(file.file.run)) ++runs[file.file.run].files;
  }
  for (const Series* series : wanted) {
    ListedRun& run = runs[log.runs()[series->run]];
    const Extent extent = extent_of(*series, wish.steps);
    if (extent.points == 0) continue;
    if (is_of_run(series->kind)) {
      run.events[events::kind_name(series->kind)] += extent.points;
    } else {
      run.tags.emplace_back(series, extent);
    }
  }
  return runs;
}

nlohmann::ordered_json tag_json(const Series& series, const Extent& extent) {
  return {{"tag", series.tag},
          {"kind", events::kind_name(series.kind)},
          {"plugin", series.plugin},
          {"points", extent.points},
          {"first_step", extent.first_step},
          {"last_step", extent.last_step},
          {"restarts", series.restarts.size()}};
}

void print_json(const EventLog& log, const std::map<std::string, ListedRun>& runs) {
  nlohmann::ordered_json json;
  json["records"] = log.counts().records;
  json["refused_records"] = log.counts().refused_records;
  json["rows"] = log.counts().rows;
  json["refused_rows"] = log.counts().refused_rows;
  json["runs"] = nlohmann::ordered_json::array();
  for (const auto& [name, run] : runs) {
    nlohmann::ordered_json entry = {{"run", name}, {"files", run.files}};
    entry["tags"] = nlohmann::ordered_json::array();
    for (const auto& [series, extent] : run.tags)
      entry["tags"].push_back(tag_json(*series, extent));
    entry["events"] = nlohmann::ordered_json::object();
    for (const auto& [kind, count] : run.events) entry["events"][kind] = count;
    json["runs"].push_back(std::move(entry));
  }
  json["diagnostics"] = nlohmann::ordered_json::array();
  for (const Diagnostic& entry : log.diagnostics().entries()) {
    json["diagnostics"].push_back({{"severity", severity_name(entry.severity)},
                                   {"kind", entry.kind},
                                   {"count", entry.count},
                                   {"example", entry.example}});
  }
  json["damage"] = nlohmann::ordered_json::array();
  for (const events::FileDamage& damage : log.damage()) {
    json["damage"].push_back({{"file", log.files()[damage.file].file.path},
                              {"offset", damage.record.at},
                              {"kind", events::damage_name(damage.record.what)},
                              {"bytes_lost", damage.record.bytes}});
  }
  say_json(json);
}

void print_csv(const std::map<std::string, ListedRun>& runs) {
  say("run,tag,kind,points,first_step,last_step,restarts\n");
  for (const auto& [name, run] : runs) {
    for (const auto& [series, extent] : run.tags) {
      say("{},{},{},{},{},{},{}\n", csv_field(name), csv_field(series->tag),
          events::kind_name(series->kind), extent.points, extent.first_step, extent.last_step,
          series->restarts.size());
    }
  }
}

void print_text(const std::string& path, const EventLog& log,
                const std::map<std::string, ListedRun>& runs) {
  const auto counted = [](std::size_t count, const char* word) {
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
  };
  say("{}: {}, {}, {} records, {} rows\n", path, counted(runs.size(), "run"),
      counted(log.files().size(), "file"), log.counts().records, log.counts().rows);
  for (const auto& [name, run] : runs) {
    say("run {}: {}", printable(name), counted(static_cast<std::size_t>(run.files), "file"));
    for (const auto& [kind, count] : run.events) say(", {} x {}", count, kind);
    say("\n");
    for (const auto& [series, extent] : run.tags) {
      say("  {:<13} {}: {} points, steps {} to {}", events::kind_name(series->kind),
          printable(series->tag), extent.points, extent.first_step, extent.last_step);
      if (!series->restarts.empty()) say(", {} restarts", series->restarts.size());
      say("\n");
    }
  }
  for (const events::FileDamage& damage : log.damage()) {
    say("damage: {} at byte {}: {}, {} bytes lost\n", log.files()[damage.file].file.path,
        damage.record.at, events::damage_name(damage.record.what), damage.record.bytes);
  }
  for (const Diagnostic& entry : log.diagnostics().entries()) {
    say("{}: {} x {}, first: {}\n", severity_name(entry.severity), entry.count, entry.kind,
        printable(entry.example, 500));
  }
}

}  // namespace

Status print_log_listing(const LogOptions& options, const app::LogWish& wish, const EventLog& log) {
  TIDELINE_TRY(const auto wanted, app::wanted_series(log, wish, {}));
  const auto runs = list_runs(log, wish, wanted);
  if (options.json) {
    print_json(log, runs);
  } else if (options.csv) {
    print_csv(runs);
  } else {
    print_text(options.title(), log, runs);
  }
  return {};
}

}  // namespace tideline::cli
