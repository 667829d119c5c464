#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "app/cli/json_number.h"
#include "app/cli/log_options.h"
#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/events/row_reader.h"
#include "core/events/row_values.h"
#include "core/io/tensor_elements.h"

namespace tideline::cli {
namespace {

using events::EventLog;
using events::Series;
using events::SeriesKind;
using events::ValueRow;
using nlohmann::ordered_json;

// "RUN,TAG," or the same with tabs: how the lines of a series begin.
std::string line_head(const LogOptions& options, const EventLog& log, const Series& series) {
  const std::string& run = log.runs()[series.run];
  if (options.csv) return csv_field(run) + "," + csv_field(series.tag);
  return printable(run) + "\t" + printable(series.tag);
}

// Prints lines with columns, or JSON with an entry for each series.
class Rows {
 public:
  Rows(const LogOptions& options, const EventLog& log, const char* columns)
      : options_(options), log_(log) {
    json_["series"] = ordered_json::array();
    if (options.csv) say("run,tag,{}\n", columns);
  }

  void begin(const Series& series) {
    head_ = line_head(options_, log_, series);
    if (!options_.json) return;
    json_["series"].push_back(
        {{"run", log_.runs()[series.run]}, {"tag", series.tag}, {"points", ordered_json::array()}});
  }
  // A line; `cells` are separated, quoted for CSV and printable otherwise.
  void line(const std::vector<std::string>& cells) const {
    std::string text = head_;
    for (const std::string& cell : cells) {
      text += options_.csv ? "," + csv_field(cell) : "\t" + printable(cell, std::string::npos);
    }
    say("{}\n", Lines{text});
  }
  void point(ordered_json point) { json_["series"].back()["points"].push_back(std::move(point)); }
  void end() const {
    if (options_.json) say_json(json_);
  }

 private:
  const LogOptions& options_;
  const EventLog& log_;
  std::string head_;
  ordered_json json_;
};

// Calls `print(series, row, content)` for every wanted row of a kind.
template <typename Print>
Status each_row(const EventLog& log, const app::LogWish& wish, SeriesKind kind, Rows& rows,
                const Print& print) {
  const std::array kinds = {kind};
  TIDELINE_TRY(const auto wanted, app::wanted_series(log, wish, kinds));
  events::RowReader reader(log);
  for (const Series* series : wanted) {
    rows.begin(*series);
    for (const ValueRow& row : series->rows) {
      if (!wish.steps.has(row.step)) continue;
      TIDELINE_TRY(const std::string content, reader.read(row));
      TIDELINE_RETURN_IF_ERROR(print(*series, row, content));
    }
  }
  rows.end();
  return {};
}

Error in_row(Error error, const Series& series, const ValueRow& row) {
  return with_context(std::move(error),
                      fmt::format("tag '{}', step {}", printable(series.tag), row.step));
}

}  // namespace

Status print_log_scalars(const LogOptions& options, const app::LogWish& wish, const EventLog& log) {
  static constexpr std::array kKinds = {SeriesKind::kScalar};
  TIDELINE_TRY(const auto wanted, app::wanted_series(log, wish, kKinds));
  if (options.json) {
    ordered_json json;
    json["series"] = ordered_json::array();
    for (const Series* series : wanted) {
      ordered_json steps = ordered_json::array();
      ordered_json times = ordered_json::array();
      ordered_json values = ordered_json::array();
      ordered_json restarts = ordered_json::array();  // of the points that are printed
      auto restart = series->restarts.begin();
      for (std::size_t row = 0; row < series->points.size(); ++row) {
        const events::ScalarPoint& point = series->points[row];
        if (!wish.steps.has(point.step)) continue;
        // A restart at a point that is left out belongs to the next point that is printed.
        bool is_restart = false;
        for (; restart != series->restarts.end() && *restart <= row; ++restart) is_restart = true;
        if (is_restart && !steps.empty()) restarts.push_back(steps.size());
        steps.push_back(point.step);
        times.push_back(json_number(point.wall_time));
        values.push_back(json_number(point.value));
      }
      json["series"].push_back({{"run", log.runs()[series->run]},
                                {"tag", series->tag},
                                {"steps", std::move(steps)},
                                {"wall_times", std::move(times)},
                                {"values", std::move(values)},
                                {"restarts", std::move(restarts)}});
    }
    say_json(json, -1);
    return {};
  }
  if (options.csv) say("run,tag,step,wall_time,value\n");
  for (const Series* series : wanted) {
    const std::string head = line_head(options, log, *series);
    for (const events::ScalarPoint& point : series->points) {
      if (!wish.steps.has(point.step)) continue;
      print_scalar(options, head, point);
    }
  }
  return {};
}

void print_scalar(const LogOptions& options, const std::string& head,
                  const events::ScalarPoint& point) {
  if (options.csv) {
    say("{},{},{},{}\n", Lines{head}, point.step, point.wall_time, point.value);
  } else {
    say("{}\t{}\t{:.3f}\t{}\n", Lines{head}, point.step, point.wall_time, point.value);
  }
}

std::string scalar_head(const LogOptions& options, const EventLog& log, const Series& series) {
  return line_head(options, log, series);
}

Status print_log_histograms(const LogOptions& options, const app::LogWish& wish,
                            const EventLog& log) {
  Rows rows(options, log, "step,wall_time,left,right,count");
  return each_row(
      log, wish, SeriesKind::kHistogram, rows,
      [&](const Series& series, const ValueRow& row, const std::string& content) -> Status {
        const auto buckets = events::histogram_buckets(row.form, content);
        if (!buckets) return tl::unexpected(in_row(buckets.error(), series, row));
        if (!options.json) {
          for (const events::HistogramBucket& bucket : *buckets) {
            rows.line({std::to_string(row.step), text_number(row.wall_time),
                       text_number(bucket.left), text_number(bucket.right),
                       text_number(bucket.count)});
          }
          return {};
        }
        ordered_json list = ordered_json::array();
        for (const events::HistogramBucket& bucket : *buckets) {
          list.push_back(
              {json_number(bucket.left), json_number(bucket.right), json_number(bucket.count)});
        }
        rows.point({{"step", row.step},
                    {"wall_time", json_number(row.wall_time)},
                    {"buckets", std::move(list)}});
        return {};
      });
}

Status print_log_images(const LogOptions& options, const app::LogWish& wish, const EventLog& log) {
  Rows rows(options, log, "step,wall_time,index,width,height,format,bytes");
  return each_row(
      log, wish, SeriesKind::kImage, rows,
      [&](const Series& series, const ValueRow& row, const std::string& content) -> Status {
        const auto images = events::image_values(row.form, content);
        if (!images) return tl::unexpected(in_row(images.error(), series, row));
        for (std::size_t i = 0; i < images->encoded.size(); ++i) {
          const std::string_view bytes = images->encoded[i];
          const std::string format = events::file_ending(bytes) + 1;
          if (options.json) {
            rows.point({{"step", row.step},
                        {"wall_time", json_number(row.wall_time)},
                        {"index", i},
                        {"width", images->width},
                        {"height", images->height},
                        {"format", format},
                        {"bytes", bytes.size()}});
          } else {
            rows.line({std::to_string(row.step), text_number(row.wall_time), std::to_string(i),
                       std::to_string(images->width), std::to_string(images->height), format,
                       std::to_string(bytes.size())});
          }
        }
        return {};
      });
}

namespace {

ordered_json rows_json(const events::TextValues& table) {
  ordered_json rows = ordered_json::array();
  for (std::size_t i = 0; i < table.texts.size(); ++i) {
    if (i % table.columns == 0) rows.push_back(ordered_json::array());
    rows.back().push_back(table.texts[i]);
  }
  return rows;
}

// "step,wall_time,text", and "text_2" and so on where there are tables of so many columns.
Result<std::string> text_columns(const LogOptions& options, const app::LogWish& wish,
                                 const EventLog& log) {
  std::size_t most = 1;
  static constexpr std::array kKinds = {SeriesKind::kText};
  TIDELINE_TRY(const auto wanted, app::wanted_series(log, wish, kKinds));
  events::RowReader reader(log);
  for (const Series* series : options.csv ? wanted : std::vector<const Series*>()) {
    for (const ValueRow& row : series->rows) {
      if (!wish.steps.has(row.step)) continue;
      TIDELINE_TRY(const std::string content, reader.read(row));
      const auto texts = events::text_values(content);
      if (texts) most = std::max(most, std::min(texts->columns, texts->texts.size()));
    }
  }
  std::string columns = "step,wall_time,text";
  for (std::size_t i = 2; i <= most; ++i) columns += fmt::format(",text_{}", i);
  return columns;
}

}  // namespace

Status print_log_text(const LogOptions& options, const app::LogWish& wish, const EventLog& log) {
  TIDELINE_TRY(const std::string columns, text_columns(options, wish, log));
  Rows rows(options, log, columns.c_str());
  return each_row(
      log, wish, SeriesKind::kText, rows,
      [&](const Series& series, const ValueRow& row, const std::string& content) -> Status {
        const auto tensor = io::decode_elements(content, events::most_tensor_bytes(content));
        if (!tensor) return tl::unexpected(in_row(tensor.error(), series, row));
        events::TextValues table{tensor->texts, 1};
        if (tensor->dims.size() > 1 && tensor->dims.back() > 1) {
          table.columns = static_cast<std::size_t>(tensor->dims.back());
        }
        if (options.json) {
          ordered_json texts = ordered_json::array();
          for (const std::string_view text : tensor->texts) texts.push_back(text);
          ordered_json point = {{"step", row.step},
                                {"wall_time", json_number(row.wall_time)},
                                {"shape", tensor->dims},
                                {"texts", std::move(texts)}};
          if (table.columns > 1) point["rows"] = rows_json(table);
          rows.point(std::move(point));
          return {};
        }
        for (std::size_t i = 0; i < table.texts.size(); i += table.columns) {
          std::vector<std::string> cells = {std::to_string(row.step), text_number(row.wall_time)};
          const std::size_t end = std::min(table.texts.size(), i + table.columns);
          for (std::size_t k = i; k < end; ++k) cells.emplace_back(table.texts[k]);
          rows.line(cells);
        }
        return {};
      });
}

}  // namespace tideline::cli
