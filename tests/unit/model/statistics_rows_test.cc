#include "render/model/statistics_rows.h"

#include <catch2/catch.hpp>

namespace tideline {
namespace {

using ui::StatisticsColumn;

// Two lanes, then three types, of which the second has no name.
struct SomeStatistics {
  LanedTrace trace;
  RangeStatistics statistics;
  SomeStatistics() {
    trace.lanes.resize(2);
    trace.lanes[0].device = "/device:GPU:0";
    trace.lanes[1].device = "/device:CPU:0";
    statistics.lanes = {{{2, 30, 20, {}}, 25}, {{4, 10, 4, {}}, 9}};
    statistics.types = {{"Relu", {3, 30, 10, {}}}, {"", {1, 8, 8, {}}}, {"Conv2D", {2, 2, 1, {}}}};
  }
  [[nodiscard]] std::vector<std::string> names(std::optional<StatisticsColumn> column,
                                               bool is_descending = false,
                                               std::size_t most = 9) const {
    std::vector<std::string> found;
    for (const auto& row : ui::statistics_rows(statistics, trace, most, column, is_descending)) {
      found.push_back(row.name);
    }
    return found;
  }
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("Rows of statistics are lanes, then types, each sorted for themselves", "[model]") {
  const SomeStatistics made;
  CHECK(made.names({}) == Names{"GPU:0", "CPU:0", "Relu", "(no type)", "Conv2D"});
  CHECK(made.names(StatisticsColumn::kName) ==
        Names{"CPU:0", "GPU:0", "(no type)", "Conv2D", "Relu"});
  CHECK(made.names(StatisticsColumn::kCount, true) ==
        Names{"CPU:0", "GPU:0", "Relu", "Conv2D", "(no type)"});
  // Means: 15 and 2.5; 10, 8 and 1.
  CHECK(made.names(StatisticsColumn::kMean) ==
        Names{"CPU:0", "GPU:0", "Conv2D", "(no type)", "Relu"});
  CHECK(made.names(StatisticsColumn::kLongest, true) ==
        Names{"GPU:0", "CPU:0", "Relu", "(no type)", "Conv2D"});
  // Types are never busy: they stay as they were.
  CHECK(made.names(StatisticsColumn::kBusy) ==
        Names{"CPU:0", "GPU:0", "Relu", "(no type)", "Conv2D"});
  CHECK(made.names({}, false, 1) == Names{"GPU:0", "CPU:0", "Relu"});
}

TEST_CASE("Only lanes of statistics are busy", "[model]") {
  const SomeStatistics made;
  const auto rows = ui::statistics_rows(made.statistics, made.trace, 9, {}, false);
  CHECK(rows[0].busy_ns == 25);
  CHECK(rows[1].busy_ns == 9);
  CHECK_FALSE(rows[2].busy_ns);
}

}  // namespace tideline
