// Tested by unit/web/routes_test.cc.
#include "app/web/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/engine/search.h"
#include "app/web/document_json.h"
#include "app/web/state_json.h"
#include "app/web/view_json.h"
#include "core/base/text.h"
#include "core/rewrite/lms/scope_rules.h"
#include "render/model/chart_looks.h"
#include "render/model/hover_text.h"
#include "render/model/levels_limit.h"
#include "render/model/statistics_rows.h"
#include "render/model/text_filter.h"
#include "render/model/timeline_look.h"

namespace tideline::web {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostFilterBytes = 200;
constexpr std::size_t kMostLive = 10'000;

// A part of a table of which the whole has `total` rows.
struct Part {
  std::size_t first = 0;
  std::size_t count = kMostRows;

  template <typename Rows, typename Make>
  [[nodiscard]] ordered_json of(const Rows& rows, const Make& make) const {
    ordered_json list = ordered_json::array();
    const std::size_t size = rows.size();
    for (std::size_t i = std::min(first, size); i < std::min(size, first + count); ++i) {
      list.push_back(make(rows[i]));
    }
    return {{"total", size}, {"rows", std::move(list)}};
  }
};

Status parse_count(const Request& request, const char* name, std::size_t most,
                   std::size_t& number) {
  const std::string text(request.parameter(name));
  if (text.empty()) return {};
  const auto value = tideline::parse_number(text, 0);
  if (!value || static_cast<std::size_t>(*value) > most) {
    return fail(Code::kInvalidArgument, "{}: invalid value '{}'; expected a number from 0 to {}",
                name, printable(text), most);
  }
  number = static_cast<std::size_t>(*value);
  return {};
}

constexpr std::size_t kShortName = 40;

ordered_json swap_json(const ui::SwapRow& row, const ui::ViewCache& cache) {
  const Bytes largest = cache.largest_swap();
  const render::ByteUnit unit = render::unit_of_bytes(static_cast<double>(largest));
  return {{"tensor", row.name},
          {"short",
           row.name.size() <= kShortName ? row.name : cache.swap_names().shortest_apart(row.name)},
          {"bytes", row.bytes},
          {"size", render::bytes_in(unit, largest, row.bytes)},
          {"out_level", row.out_level},
          {"in_level", row.in_level},
          {"slack_levels", row.slack_levels()},
          {"slack", row.wait_ns > 0 ? "-" + format_time(row.wait_ns) : format_time(row.slack_ns)},
          {"link", format_time(row.transfer_ns)},
          {"why", printable(row.why, 2000)},
          {"line", row.line.file.empty() ? "" : short_text(row.line)},
          {"user", override_name(row.user)},
          {"own_ahead", row.own_ahead},
          {"idle", row.is_idle},
          {"late", row.wait_ns > 0},
          {"in_file", row.in_file}};
}

// Sets the filter that the query gives while rows are made, and puts the view's filter back.
class FilteredView {
 public:
  FilteredView(Served& served, std::string ui::DocumentView::*filter, const Request& request)
      : served_(served), filter_(filter), before_(served.viewer.view.*filter) {
    if (request.query.contains("filter")) served.viewer.view.*filter = request.parameter("filter");
    sort_ = served.viewer.view.swap_sort_column;
    is_descending_ = served.viewer.view.swap_sort_descending;
  }
  ~FilteredView() {
    served_.viewer.view.*filter_ = before_;
    served_.viewer.view.swap_sort_column = sort_;
    served_.viewer.view.swap_sort_descending = is_descending_;
  }
  FilteredView(const FilteredView&) = delete;
  FilteredView& operator=(const FilteredView&) = delete;

 private:
  Served& served_;
  std::string ui::DocumentView::*filter_;
  std::string before_;
  int sort_ = 0;
  bool is_descending_ = false;
};

// "bytes" or "-bytes": the other way round.
Status set_sort(Served& served, std::string_view sort) {
  if (sort.empty()) return {};
  const bool is_descending = sort.starts_with('-');
  if (is_descending) sort.remove_prefix(1);
  const auto* const found = std::find(kSwapColumns.begin(), kSwapColumns.end(), sort);
  if (found == kSwapColumns.end()) {
    return fail(Code::kInvalidArgument,
                "sort: invalid value '{}'; expected {}, with - in front for the other way round",
                printable(sort), fmt::join(kSwapColumns, ", "));
  }
  served.viewer.view.swap_sort_column = static_cast<int>(found - kSwapColumns.begin());
  served.viewer.view.swap_sort_descending = is_descending;
  return {};
}

Result<ordered_json> swaps(Served& served, const Request& request, const Part& part) {
  const FilteredView filtered(served, &ui::DocumentView::swap_filter, request);
  TIDELINE_RETURN_IF_ERROR(set_sort(served, request.parameter("sort")));
  const ui::UiModel& model = update_model(served);
  const auto& order = served.cache.swap_order();
  return part.of(order,
                 [&](std::uint32_t row) { return swap_json(model.swaps[row], served.cache); });
}

const char* rule_text(const ScopeRules& rules, std::string_view path) {
  if (rules.own(path) != ScopeRule::kAutomatic) {
    return rules.own(path) == ScopeRule::kNever ? "never" : "only";
  }
  return rules.effect(path) == ScopeEffect::kAutomatic ? "auto" : "mixed";
}

Result<ordered_json> scopes(Served& served, const Request& request, const Part& part) {
  const FilteredView filtered(served, &ui::DocumentView::scope_filter, request);
  const ui::UiModel* model = &update_model(served);
  while (served.cache.is_busy()) model = &update_model(served);
  const ScopeRules rules = scope_rules(*model->policy);
  const ui::ViewState& view = served.viewer.view;
  const ui::ScopeTotals& totals = *served.cache.scope_totals(*model, view);
  return part.of(served.cache.scope_rows(), [&](const ui::ScopeRow& row) -> ordered_json {
    const Scope& scope = model->scene->scopes->scopes[row.scope];
    const Bytes bytes = totals.bytes[row.scope];
    const Bytes swapped = totals.swapped[row.scope];
    return {
        {"scope", row.scope},
        {"path", std::string(scope.path)},
        {"name", std::string(scope.name)},
        {"depth", row.depth},
        {"ops", scope.op_count},
        {"bytes", bytes},
        {"size", format_bytes(bytes)},
        {"swapped", swapped},
        {"swapped_size", format_bytes(swapped)},
        {"rule", rule_text(rules, scope.path)},
        {"has_children", scope.child_count > 0},
        {"open", std::binary_search(view.open_scopes.begin(), view.open_scopes.end(), row.scope)}};
  });
}

Result<ordered_json> live(Served& served, const Request& request, const Part& part) {
  const ui::UiModel& model = update_model(served);
  const render::Scene& scene = *model.scene;
  const auto axis = ui::memory_axis_of(served.viewer.view, scene);
  const render::MemoryLayout& memory = served.cache.memory(scene, served.viewer.view.device, axis);
  const ui::LevelStretch* limit = ui::limit_of(served.viewer.view);
  const bool is_peak = request.parameter("level").empty();
  auto at = static_cast<std::size_t>(ui::peak_position(scene, memory, limit));
  TIDELINE_RETURN_IF_ERROR(parse_count(request, "level", 1'000'000'000, at));
  const render::LiveRows live = render::live_at(scene, memory, static_cast<double>(at), kMostLive);
  ordered_json answer = part.of(live.rows, [&](const render::LiveRow& row) -> ordered_json {
    return {{"tensor", ui::shown_name(scene, row.tensor)},
            {"bytes", row.bytes},
            {"size", format_bytes(row.bytes)},
            {"kind", memory_kind_name(row.kind)},
            {"from", row.from_level},
            {"to", row.to_level}};
  });
  answer["at"] = at;
  answer["title"] = memory.runs.empty()
                        ? fmt::format("In device memory at {}{}: {} buffers, {}",
                                      render::position_text(memory, static_cast<double>(at)),
                                      is_peak && limit != nullptr
                                          ? fmt::format(" (the peak of {})", levels_text(*limit))
                                          : "",
                                      live.count, format_bytes(live.bytes))
                        : render::kNoTensorsOfRuns;
  return answer;
}

ordered_json op_json(const render::Scene& scene, OpId op) {
  const TensorId output = {op, 0};
  const bool has_output = scene.tensors->output_count(op) > 0;
  return {{"op", scene.graph->name(op)},
          {"type", scene.graph->type(op)},
          {"tensor", has_output ? ordered_json(scene.graph->tensor_name(output)) : nullptr},
          {"size", has_output ? format_bytes(scene.tensors->output_bytes(op)) : ""},
          {"level", scene.levels->level(op)}};
}

Result<ordered_json> ops_of_level(Served& served, const Request& request, const Part& part) {
  const render::Scene& scene = *update_model(served).scene;
  const ui::LevelStretch* limit = ui::limit_of(served.viewer.view);
  std::size_t level = 0;
  TIDELINE_RETURN_IF_ERROR(parse_count(request, "level", 1'000'000'000, level));
  ui::LevelStretch levels = {static_cast<std::int32_t>(level), static_cast<std::int32_t>(level)};
  if (limit != nullptr && request.parameter("level").empty()) levels = *limit;
  const std::vector<OpId> ops = ui::ops_of_levels(scene, levels);
  ordered_json answer = part.of(ops, [&](OpId op) { return op_json(scene, op); });
  answer["title"] = fmt::format("Ops of {}: {}", ui::levels_text(levels), ops.size());
  return answer;
}

// By the number of ui::StatisticsColumn.
constexpr std::array<std::string_view, 6> kStatisticsColumns = {"name", "total",   "count",
                                                                "mean", "longest", "busy"};

// "" or "total" or "-total": the other way round.
Result<std::optional<ui::StatisticsColumn>> statistics_sort(std::string_view sort) {
  if (sort.starts_with('-')) sort.remove_prefix(1);
  if (sort.empty()) return std::nullopt;
  const auto* const found = std::find(kStatisticsColumns.begin(), kStatisticsColumns.end(), sort);
  if (found == kStatisticsColumns.end()) {
    return fail(Code::kInvalidArgument,
                "sort: invalid value '{}'; expected {}, with - in front for the other way round",
                printable(sort), fmt::join(kStatisticsColumns, ", "));
  }
  return static_cast<ui::StatisticsColumn>(found - kStatisticsColumns.begin());
}

// What ran in the chosen stretch of the traced step, else in all of it.
Result<ordered_json> statistics(Served& served, const Request& request, const Part& part) {
  const ui::UiModel& model = update_model(served);
  const render::Scene& scene = *model.scene;
  if (scene.measured == nullptr) {
    return fail(Code::kInvalidArgument, "there are no rows, because there is no traced step");
  }
  const std::string_view sort = request.parameter("sort");
  TIDELINE_TRY(const auto column, statistics_sort(sort));
  const render::TimelineLayout& timeline = served.cache.timeline(scene);
  const ui::TimeStretch stretch = ui::measured_stretch(served.viewer.view, timeline);
  const RangeStatistics& found = served.cache.statistics(scene, stretch);
  const auto rows =
      ui::statistics_rows(found, timeline.trace, kMostRows, column, sort.starts_with('-'));
  ordered_json answer = part.of(rows, [&](const ui::StatisticsRow& row) -> ordered_json {
    const ZoneStatistics& all = row.all;
    ordered_json shown = {{"name", row.name},
                          {"total", format_time(all.total_ns)},
                          {"count", all.count},
                          {"mean", format_time(std::llround(all.mean_ns()))},
                          {"longest", format_time(all.longest_ns)},
                          {"busy", row.busy_ns ? format_time(*row.busy_ns) : ""},
                          {"op", nullptr}};
    if (all.count == 0) return shown;
    const TraceZone& zone = timeline.trace.zone(all.longest);
    shown["op"] = scene.measured->trace.ops[zone.row].name;
    shown["known"] = zone.op.valid();
    return shown;
  });
  answer["title"] = ui::stretch_title(served.viewer.view, stretch, found);
  answer["limited"] = served.viewer.view.stretch.has_value();
  return answer;
}

Result<ordered_json> search(Served& served, const Request& request, const Part& part) {
  const ui::UiModel& model = update_model(served);
  const std::string query = request.query.contains("filter")
                                ? std::string(request.parameter("filter"))
                                : served.viewer.view.search;
  const auto found = app::search_ops(*served.viewer.graph().snapshot()->shown, query);
  ordered_json answer = part.of(found ? found->ops : std::vector<OpId>(),
                                [&](OpId op) { return op_json(*model.scene, op); });
  answer["total"] = found ? found->total : 0;
  // While somebody types, not everything can be read.
  if (!found) answer["problem"] = found.error().message;
  return answer;
}

Result<ordered_json> attributes(Served& served, const Part& part) {
  const ui::UiModel& model = update_model(served);
  const std::vector<std::pair<std::string, std::string>> none;
  return part.of(model.selected ? model.selected->attributes : none,
                 [](const auto& attribute) -> ordered_json {
                   return {{"key", attribute.first}, {"value", printable(attribute.second, 2000)}};
                 });
}

}  // namespace

Result<ordered_json> rows_json(Served& served, const Request& request) {
  const std::string_view table = request.parameter("table");
  Part part;
  TIDELINE_RETURN_IF_ERROR(parse_count(request, "first", 1'000'000'000, part.first));
  TIDELINE_RETURN_IF_ERROR(parse_count(request, "count", kMostRows, part.count));
  if (request.parameter("filter").size() > kMostFilterBytes) {
    return fail(Code::kInvalidArgument, "filter: expected at most {} bytes", kMostFilterBytes);
  }
  if (is_document_shown(served)) {
    return document_rows_json(served, request, part.first, part.count);
  }
  if (!served.viewer.graph().snapshot()) {
    return fail(Code::kInvalidArgument, "there are no rows, because no graph is open");
  }
  if (table == "swaps") return swaps(served, request, part);
  if (table == "scopes") return scopes(served, request, part);
  if (table == "live") return live(served, request, part);
  if (table == "statistics") return statistics(served, request, part);
  if (table == "level") return ops_of_level(served, request, part);
  if (table == "search") return search(served, request, part);
  if (table == "attributes") return attributes(served, part);
  return fail(
      Code::kInvalidArgument,
      "table: invalid value '{}'; expected swaps, scopes, live, level, statistics, search or "
      "attributes",
      printable(table));
}

}  // namespace tideline::web
