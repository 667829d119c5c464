// Problem: hyperparameters are written apart from the results. A run has an event with its values;
//   an experiment, mostly in the folder above, has the names of parameters and metrics; the metrics
//   are scalars of the run, or of folders below it such as `validation`.
// Idea: a row for each run with an event of values. Columns are what the experiments name and what
//   the runs set besides. A metric is the last value of its tag in the folder that its group names.
//   Without an experiment every scalar is a metric of the nearest run at or above its folder.
// Example: the run lr_1 with `lr` 0.1, and lr_1/validation with the tag `loss`: a row lr_1 with the
//   columns lr and validation/loss.
// Cost: O(series log series) and the metadata's bytes.
// Source: the messages and the rules are those of tensorboard/plugins/hparams (plugin_data.proto,
//   api.proto, backend_context.py); TensorBoard takes the columns of one experiment, here the
//   columns of all are put together. Tested by unit/events/hparams_test.cc,
//   integration/hparams_test.py.
#include "core/events/hparams.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "core/events/row_values.h"
#include "core/io/wire.h"

namespace tideline::events {
namespace {

using io::Field;
using io::FieldReader;

constexpr std::string_view kExperimentTag = "_hparams_/experiment";
constexpr std::string_view kStartTag = "_hparams_/session_start_info";
constexpr std::string_view kEndTag = "_hparams_/session_end_info";

// Numbers of fields, by message.
namespace plugin_data {
constexpr std::uint32_t kExperiment = 2, kStart = 3, kEnd = 4;
}
namespace start {
constexpr std::uint32_t kValues = 1, kKey = 1, kValue = 2;  // the last two in an entry
}
namespace protobuf_value {
constexpr std::uint32_t kNumber = 2, kText = 3, kSwitch = 4;
}
namespace end {
constexpr std::uint32_t kStatus = 1;
}
namespace experiment {
constexpr std::uint32_t kParameters = 4, kMetrics = 5;
constexpr std::uint32_t kName = 1;             // in both
constexpr std::uint32_t kGroup = 1, kTag = 2;  // in the name of a metric
}  // namespace experiment

template <typename Visit>
void for_each_field(std::string_view message, const Visit& visit) {
  FieldReader reader(message);
  Field field;
  while (reader.next(field)) visit(field);
}

HparamValue decode_value(std::string_view message) {
  HparamValue value;
  for_each_field(message, [&](const Field& field) {
    if (field.number == protobuf_value::kNumber && field.type == io::WireType::kFixed64) {
      value = std::bit_cast<double>(field.varint);
    } else if (field.is_bytes(protobuf_value::kText)) {
      value = std::string(field.bytes);
    } else if (field.is_varint(protobuf_value::kSwitch)) {
      value = field.varint != 0;
    }
  });
  return value;
}

void decode_start(std::string_view message, HparamsEvent& event) {
  event.is_start = true;
  for_each_field(message, [&](const Field& field) {
    if (!field.is_bytes(start::kValues)) return;
    std::pair<std::string, HparamValue> entry;
    for_each_field(field.bytes, [&](const Field& part) {
      if (part.is_bytes(start::kKey)) entry.first = part.bytes;
      if (part.is_bytes(start::kValue)) entry.second = decode_value(part.bytes);
    });
    event.values.push_back(std::move(entry));
  });
  // Entries of a map have no order.
  std::sort(event.values.begin(), event.values.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
}

void decode_end(std::string_view message, HparamsEvent& event) {
  event.status = "unknown";
  for_each_field(message, [&](const Field& field) {
    if (!field.is_varint(end::kStatus)) return;
    event.status = field.varint == 1   ? "success"
                   : field.varint == 2 ? "failure"
                   : field.varint == 3 ? "running"
                                       : "unknown";
  });
}

void decode_experiment(std::string_view message, HparamsEvent& event) {
  for_each_field(message, [&](const Field& field) {
    if (field.is_bytes(experiment::kParameters)) {
      for_each_field(field.bytes, [&](const Field& part) {
        if (part.is_bytes(experiment::kName)) event.names.emplace_back(part.bytes);
      });
    } else if (field.is_bytes(experiment::kMetrics)) {
      for_each_field(field.bytes, [&](const Field& name) {
        if (!name.is_bytes(experiment::kName)) return;
        HparamsEvent::Metric metric;
        for_each_field(name.bytes, [&](const Field& part) {
          if (part.is_bytes(experiment::kGroup)) metric.group = part.bytes;
          if (part.is_bytes(experiment::kTag)) metric.tag = part.bytes;
        });
        event.metrics.push_back(std::move(metric));
      });
    }
  });
}

// Nullopt when there are too many.
template <typename Column>
std::optional<std::size_t> column_of(std::vector<Column>& columns, const Column& column) {
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  if (columns.size() == kMostHparamColumns) return std::nullopt;
  columns.push_back(column);
  return columns.size() - 1;
}

std::string joined(const std::string& run, const std::string& group) {
  if (group.empty() || group == ".") return run;
  return run == "." ? group : run + "/" + group;
}

// The folder relative to the nearest run at or above it; nullopt if there is none.
struct Place {
  std::string run;
  std::string group;
};
std::optional<Place> place_of(const std::string& folder,
                              const std::map<std::string, std::size_t>& runs) {
  for (std::string above = folder;;) {
    if (runs.contains(above)) {
      const std::size_t begin = above == "." ? 0 : above.size() + 1;
      return Place{above, above == folder ? "" : folder.substr(begin)};
    }
    if (above == ".") return std::nullopt;
    const std::size_t slash = above.rfind('/');
    above = slash == std::string::npos ? "." : above.substr(0, slash);
  }
}

std::optional<HparamsTable::Value> last_value(const Series& series, std::int64_t first,
                                              std::int64_t last) {
  for (std::size_t row = series.points.size(); row-- > 0;) {
    const ScalarPoint& point = series.points[row];
    if (point.step >= first && point.step <= last)
      return HparamsTable::Value{point.value, point.step};
  }
  return std::nullopt;
}

class TableMaker {
 public:
  explicit TableMaker(const EventLog& log) : log_(log) {
    for (const std::uint32_t index : log.sorted_series()) {
      const Series& series = log.series()[index];
      const std::string& run = log.runs()[series.run];
      if (series.kind == SeriesKind::kScalar) scalars_.push_back(&series);
      if (series.kind != SeriesKind::kHparams) continue;
      HparamsEvent event = decode_hparams(plugin_content(series.metadata));
      if (series.tag == kExperimentTag) experiments_.push_back(std::move(event));
      if (series.tag == kStartTag && event.is_start) starts_.emplace_back(run, std::move(event));
      if (series.tag == kEndTag && event.status) ends_[run] = *event.status;
    }
  }

  HparamsTable make(std::int64_t first, std::int64_t last) {
    for (const HparamsEvent& experiment : experiments_) {
      for (const std::string& name : experiment.names) {
        if (!column_of(table_.names, name)) ++table_.left_out;
      }
      for (const auto& metric : experiment.metrics) {
        if (!column_of(table_.metrics, metric)) ++table_.left_out;
      }
    }
    for (const auto& [run, event] : starts_) add_row(run, event);
    for (HparamsTable::Row& row : table_.rows) row.values.resize(table_.names.size());
    table_.metrics.empty() ? add_all_metrics(first, last) : add_metrics(first, last);
    return std::move(table_);
  }

 private:
  void add_row(const std::string& run, const HparamsEvent& event) {
    if (table_.rows.size() == kMostHparamRuns) {
      ++table_.left_out;
      return;
    }
    const auto end = ends_.find(run);
    HparamsTable::Row row{run, end == ends_.end() ? "unknown" : end->second, {}, {}};
    for (const auto& [name, value] : event.values) {
      const auto column = column_of(table_.names, name);
      if (!column) {
        ++table_.left_out;
        continue;
      }
      row.values.resize(std::max(row.values.size(), *column + 1));
      row.values[*column] = value;
    }
    row_of_[run] = table_.rows.size();
    table_.rows.push_back(std::move(row));
  }

  void add_metrics(std::int64_t first, std::int64_t last) {
    std::map<std::pair<std::string_view, std::string_view>, const Series*> by_name;
    for (const Series* series : scalars_) {
      by_name[{log_.runs()[series->run], series->tag}] = series;
    }
    for (HparamsTable::Row& row : table_.rows) {
      for (const HparamsEvent::Metric& metric : table_.metrics) {
        const std::string folder = joined(row.run, metric.group);
        const auto found = by_name.find({folder, metric.tag});
        row.metrics.push_back(found == by_name.end() ? std::nullopt
                                                     : last_value(*found->second, first, last));
      }
    }
  }

  void add_all_metrics(std::int64_t first, std::int64_t last) {
    std::map<std::pair<std::string, std::string>, std::size_t> columns;
    for (const Series* series : scalars_) {
      const auto place = place_of(log_.runs()[series->run], row_of_);
      if (!place) continue;
      const auto [column, is_new] =
          columns.try_emplace({place->group, series->tag}, table_.metrics.size());
      if (is_new && column->second == kMostHparamColumns) {
        columns.erase(column);
        ++table_.left_out;
        continue;
      }
      if (is_new) table_.metrics.push_back({place->group, series->tag});
      HparamsTable::Row& row = table_.rows[row_of_[place->run]];
      row.metrics.resize(std::max(row.metrics.size(), column->second + 1));
      row.metrics[column->second] = last_value(*series, first, last);
    }
    for (HparamsTable::Row& row : table_.rows) row.metrics.resize(table_.metrics.size());
  }

  const EventLog& log_;
  std::vector<const Series*> scalars_;
  std::vector<HparamsEvent> experiments_;
  std::vector<std::pair<std::string, HparamsEvent>> starts_;  // by run
  std::map<std::string, std::string> ends_;                   // by run
  std::map<std::string, std::size_t> row_of_;                 // by run
  HparamsTable table_;
};

}  // namespace

HparamsEvent decode_hparams(std::string_view content) {
  HparamsEvent event;
  for_each_field(content, [&](const Field& field) {
    if (field.is_bytes(plugin_data::kExperiment)) decode_experiment(field.bytes, event);
    if (field.is_bytes(plugin_data::kStart)) decode_start(field.bytes, event);
    if (field.is_bytes(plugin_data::kEnd)) decode_end(field.bytes, event);
  });
  return event;
}

HparamsTable hparams_table(const EventLog& log, std::int64_t first, std::int64_t last) {
  return TableMaker(log).make(first, last);
}

std::string metric_name(const HparamsEvent::Metric& metric) {
  return metric.group.empty() ? metric.tag : metric.group + "/" + metric.tag;
}

std::string hparam_text(const HparamValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* choice = std::get_if<bool>(&value)) return *choice ? "true" : "false";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return {};
}

}  // namespace tideline::events
