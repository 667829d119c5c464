// The hyperparameters of the runs of a log, and what came of them: the table of TensorBoard's page
// HPARAMS.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/events/event_log.h"

namespace tideline::events {

/// Nothing where a run did not set it.
using HparamValue = std::variant<std::monostate, double, bool, std::string>;

/// What an event of the plugin says: one of these, the others are empty.
struct HparamsEvent {
  struct Metric {
    std::string group;  ///< the folder of the values, relative to the run; empty: the run itself
    std::string tag;
    friend bool operator==(const Metric&, const Metric&) = default;
  };
  bool is_start = false;
  std::vector<std::pair<std::string, HparamValue>> values;  ///< of a start
  std::optional<std::string> status;                        ///< of an end: "success", ...
  std::vector<std::string> names;                           ///< of an experiment: of its parameters
  std::vector<Metric> metrics;                              ///< likewise
};
/// Decodes the content of the plugin's metadata (plugin_content). What does not parse is left out.
/// Cost: O(bytes). Thread: pure.
[[nodiscard]] HparamsEvent decode_hparams(std::string_view content);

/// A row for each run that says its hyperparameters.
struct HparamsTable {
  struct Value {
    double value = 0;
    std::int64_t step = 0;
  };
  struct Row {
    std::string run;
    std::string status;                         ///< "success", "failure", "running" or "unknown"
    std::vector<HparamValue> values;            ///< by `names`
    std::vector<std::optional<Value>> metrics;  ///< by `metrics`: the last value
  };
  std::vector<std::string> names;  ///< in the order in which they were met
  std::vector<HparamsEvent::Metric> metrics;
  std::vector<Row> rows;     ///< by name of the run
  std::size_t left_out = 0;  ///< runs, parameters and metrics beyond the limits below
};
inline constexpr std::size_t kMostHparamRuns = 10'000;
inline constexpr std::size_t kMostHparamColumns = 500;  ///< of parameters, and of metrics

/// Metrics are those that experiments name; without any, all scalars of the runs and of the folders
/// below them that are no runs with hyperparameters of their own. `first` and `last`: the steps
/// whose values count. Cost: O(series log series + bytes of the metadata), with steps O(points).
/// Thread: pure.
[[nodiscard]] HparamsTable hparams_table(
    const EventLog& log, std::int64_t first = std::numeric_limits<std::int64_t>::min(),
    std::int64_t last = std::numeric_limits<std::int64_t>::max());

/// "validation/accuracy", "loss": group and tag.
[[nodiscard]] std::string metric_name(const HparamsEvent::Metric& metric);
/// A value as text: "0.001", "true", "adam"; empty for nothing.
[[nodiscard]] std::string hparam_text(const HparamValue& value);

}  // namespace tideline::events
