// Tested by unit/web/routes_log_test.cc.
#include "app/web/log_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/web/log_cards_json.h"
#include "core/base/text.h"
#include "core/events/hparams.h"
#include "core/rewrite/parameter_names.h"
#include "render/model/log_page.h"
#include "render/view/number_axis.h"

namespace tideline::web {
namespace {

using events::SeriesKind;
using nlohmann::ordered_json;

constexpr std::size_t kMostLogged = 500;  // graphs and traced steps that a state lists
constexpr std::size_t kLongestName = 1000;

// Of every page, what its charts or cards are of.
struct PageKind {
  ui::LogPage page;
  SeriesKind kind;
};
constexpr std::array kPageKinds = {PageKind{ui::LogPage::kScalars, SeriesKind::kScalar},
                                   PageKind{ui::LogPage::kHistograms, SeriesKind::kHistogram},
                                   PageKind{ui::LogPage::kDistributions, SeriesKind::kHistogram},
                                   PageKind{ui::LogPage::kImages, SeriesKind::kImage},
                                   PageKind{ui::LogPage::kText, SeriesKind::kText}};

ordered_json pages_json(const ui::LogContents& log) {
  ordered_json pages = ordered_json::array();
  for (std::size_t i = 0; i < ui::kLogPageWords.size(); ++i) {
    const auto page = static_cast<ui::LogPage>(i);
    std::size_t count = log.hparams ? log.hparams->rows.size() : 0;
    if (page == ui::LogPage::kGraphs) count = log.graphs.size() + log.traces.size();
    const auto* const of = std::find_if(kPageKinds.begin(), kPageKinds.end(),
                                        [&](const PageKind& each) { return each.page == page; });
    if (of != kPageKinds.end()) {
      count = static_cast<std::size_t>(
          std::count_if(log.tags.begin(), log.tags.end(),
                        [&](const ui::LogContents::Tag& tag) { return tag.kind == of->kind; }));
    }
    pages.push_back({{"page", ui::kLogPageWords[i]}, {"count", count}});
  }
  return pages;
}

std::string color_text(const Served& served, std::uint32_t number) {
  const render::Color color = render::run_color(render::palette(served.viewer.view.theme), number);
  return fmt::format("#{:02x}{:02x}{:02x}", color.r, color.g, color.b);
}

// The first part of a tag, under which charts stand together.
std::string group_text(const std::string& tag) {
  const std::size_t slash = tag.find('/');
  return printable(slash == std::string::npos ? std::string() : tag.substr(0, slash), 200);
}

// Rows `first` on of `rows`, at most `count`, each as `make` makes it.
template <typename Rows, typename Make>
ordered_json part_json(const Rows& rows, std::size_t first, std::size_t count, const Make& make) {
  ordered_json list = ordered_json::array();
  for (std::size_t i = std::min(first, rows.size()); i < std::min(rows.size(), first + count);
       ++i) {
    list.push_back(make(rows[i]));
  }
  return {{"total", rows.size()}, {"rows", std::move(list)}};
}

ordered_json runs_json(Served& served, std::size_t first, std::size_t count) {
  std::vector<const ui::LogRun*> listed;
  for (const ui::LogRun& run : served.cache.log_charts().runs()) {
    if (run.is_listed) listed.push_back(&run);
  }
  return part_json(listed, first, count, [&](const ui::LogRun* run) -> ordered_json {
    return {{"run", run->name},
            {"name", printable(run->name, kLongestName)},
            {"number", run->number},
            {"color", color_text(served, run->number)},
            {"shown", run->is_shown}};
  });
}

ordered_json scalars_json(Served& served, const ui::LogContents& log, std::size_t first,
                          std::size_t count) {
  const auto tags = served.cache.log_charts().tags_of(SeriesKind::kScalar);
  return part_json(tags, first, count, [&](std::uint32_t tag) -> ordered_json {
    const std::string& name = log.tags[tag].name;
    return {{"tag", name}, {"name", printable(name, kLongestName)}, {"group", group_text(name)}};
  });
}

ordered_json series_json(Served& served, const ui::LogContents& log, SeriesKind kind,
                         std::size_t first, std::size_t count) {
  const auto all = served.cache.log_charts().series_of(kind);
  return part_json(all, first, count, [&](const ui::LogCharts::Shown& shown) -> ordered_json {
    const events::Series& series = log.events->series()[shown.series];
    const std::string& run = log.events->runs()[series.run];
    return {{"tag", series.tag},
            {"name", printable(series.tag, kLongestName)},
            {"group", group_text(series.tag)},
            {"run", run},
            {"run_name", fmt::format("{} {}", shown.number, printable(run, kLongestName))},
            {"color", color_text(served, shown.number)},
            {"series", shown.series},
            {"size", series.size()}};
  });
}

ordered_json charts_json(Served& served, const ui::LogContents& log, std::size_t first,
                         std::size_t count) {
  const ui::LogPage page = served.viewer.view.log.page;
  if (page == ui::LogPage::kScalars) return scalars_json(served, log, first, count);
  for (const PageKind& each : kPageKinds) {
    if (each.page == page) return series_json(served, log, each.kind, first, count);
  }
  return {{"total", 0}, {"rows", ordered_json::array()}};
}

}  // namespace

ordered_json log_json(Served& served, const ui::UiModel& model) {
  const ui::LogContents& log = *model.log;
  ui::LogCharts& charts = served.cache.log_charts();
  ordered_json json;
  json["path"] = served.shown(log.path);
  json["records"] = log.events ? log.events->counts().records : 0;
  json["values"] = log.events ? log.events->counts().rows : 0;
  json["runs"] = log.runs.size();
  json["pages"] = pages_json(log);
  json["tag_error"] = charts.tag_filter().error();
  json["run_error"] = charts.run_filter().error();
  json["version"] = charts.version();
  json["graphs"] = ordered_json::array();
  for (std::size_t i = 0; i < std::min(log.graphs.size(), kMostLogged); ++i) {
    const auto& graph = log.graphs[i];
    json["graphs"].push_back({{"path", served.shown(log.path)},
                              {"run", graph.run},
                              {"tag", graph.tag},
                              {"kind", graph.kind},
                              {"bytes", graph.bytes}});
  }
  json["traces"] = ordered_json::array();
  for (std::size_t i = 0; i < std::min(log.traces.size(), kMostLogged); ++i) {
    const auto& trace = log.traces[i];
    json["traces"].push_back({{"run", trace.run}, {"tag", trace.tag}, {"step", trace.step}});
  }
  json["diagnostics"] = ordered_json::array();
  for (const Diagnostic& entry : log.diagnostics.entries()) {
    if (entry.severity == Severity::kInfo) continue;
    json["diagnostics"].push_back(served.shown(
        fmt::format("{} x {}: {}", entry.count, entry.kind,
                    printable(with_parameter_names(entry.example, Naming::kField), 2000))));
  }
  return json;
}

Result<ordered_json> log_rows_json(Served& served, const ui::UiModel& model, const Request& request,
                                   std::size_t first, std::size_t count) {
  const std::string_view table = request.parameter("table");
  if (table == "log-runs") return runs_json(served, first, count);
  if (table == "log-charts") return charts_json(served, *model.log, first, count);
  if (table == "log-row") return log_card_json(served, model, request);
  if (table == "hparams") return hparams_json(served, model, first, count);
  return fail(Code::kInvalidArgument,
              "table: invalid value '{}'; expected log-runs, log-charts, log-row or hparams",
              printable(table));
}

}  // namespace tideline::web
