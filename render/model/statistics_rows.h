// The statistics of a traced step as the rows of a table, for any front.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/memory/measured/trace_lanes.h"

namespace tideline::ui {

enum class StatisticsColumn : std::uint8_t { kName, kTotal, kCount, kMean, kLongest, kBusy };

/// A lane of the timeline, or a type of op.
struct StatisticsRow {
  std::string name;
  ZoneStatistics all;
  std::optional<std::int64_t> busy_ns;  ///< of a lane
};

/// Lanes, then at most `most_types` types; each in the order of the column that is sorted by, or
/// as the statistics have them without one. Equals stay as they were. Thread: pure.
[[nodiscard]] std::vector<StatisticsRow> statistics_rows(const RangeStatistics& statistics,
                                                         const LanedTrace& trace,
                                                         std::size_t most_types,
                                                         std::optional<StatisticsColumn> column,
                                                         bool is_descending);

}  // namespace tideline::ui
