// Tested by unit/model/statistics_rows_test.cc.
#include "render/model/statistics_rows.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/memory/measured/lane_names.h"

namespace tideline::ui {
namespace {

double statistic_of(const StatisticsRow& row, StatisticsColumn column) {
  switch (column) {
    case StatisticsColumn::kTotal: return static_cast<double>(row.all.total_ns);
    case StatisticsColumn::kCount: return static_cast<double>(row.all.count);
    case StatisticsColumn::kMean: return row.all.count == 0 ? 0 : row.all.mean_ns();
    case StatisticsColumn::kLongest: return static_cast<double>(row.all.longest_ns);
    case StatisticsColumn::kBusy: return static_cast<double>(row.busy_ns.value_or(0));
    case StatisticsColumn::kName: break;
  }
  return 0;
}

}  // namespace

std::vector<StatisticsRow> statistics_rows(const RangeStatistics& statistics,
                                           const LanedTrace& trace, std::size_t most_types,
                                           std::optional<StatisticsColumn> column,
                                           bool is_descending) {
  std::vector<StatisticsRow> rows;
  for (std::size_t lane = 0; lane < statistics.lanes.size(); ++lane) {
    const LaneStatistics& own = statistics.lanes[lane];
    rows.push_back({printable(short_lane_name(trace.lanes[lane].device, trace.has_tasks)), own.all,
                    own.busy_ns});
  }
  for (std::size_t i = 0; i < std::min(most_types, statistics.types.size()); ++i) {
    const TypeStatistics& type = statistics.types[i];
    rows.push_back({type.type.empty() ? "(no type)" : printable(type.type), type.all, {}});
  }
  if (!column) return rows;
  const auto less = [&](const StatisticsRow& a, const StatisticsRow& b) {
    return *column == StatisticsColumn::kName ? a.name < b.name
                                              : statistic_of(a, *column) < statistic_of(b, *column);
  };
  const auto by = [&](const StatisticsRow& a, const StatisticsRow& b) {
    return is_descending ? less(b, a) : less(a, b);
  };
  const auto types = rows.begin() + static_cast<std::ptrdiff_t>(statistics.lanes.size());
  std::stable_sort(rows.begin(), types, by);
  std::stable_sort(types, rows.end(), by);
  return rows;
}

}  // namespace tideline::ui
