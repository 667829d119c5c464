// Tested by unit/web/routes_log_cards_test.cc.
#include "app/web/log_cards_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/web/markdown_json.h"
#include "core/base/base64.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/events/hparams.h"
#include "core/events/row_reader.h"
#include "core/events/row_values.h"
#include "render/model/log_markdown.h"
#include "render/model/log_page.h"
#include "render/model/parse_markdown.h"
#include "render/view/number_axis.h"

namespace tideline::web {
namespace {

using events::SeriesKind;
using nlohmann::ordered_json;

constexpr std::size_t kMostImages = 16;
constexpr std::size_t kMostCardColumns = 60;
constexpr std::size_t kLongestCardCell = 200;
constexpr std::size_t kMostImageRowBytes = std::size_t{64} << 20U;

void add_text(Served& served, ui::LogRowKey key, ordered_json& card) {
  const ui::ShownText& text = served.cache.log_texts().row(key);
  if (!served.viewer.view.log.is_raw_text) {
    card["blocks"] = markdown_json(ui::markdown_of(text, ui::parse_markdown));
  }
  card["lines"] = text.lines;
  card["cells"] = text.table;
  card["left_out"] = text.left_out;
  card["problem"] = served.shown(printable(text.problem, 500));
}

// "png" for what a browser shows as an image; empty for others, such as SVG, which is a program.
std::string image_type(std::string_view encoded) {
  const std::string_view ending = events::file_ending(encoded);
  if (ending == ".png") return "png";
  if (ending == ".jpg") return "jpeg";
  return ending == ".gif" ? "gif" : "";
}

Status read_encoded(const events::EventLog& log, const events::ValueRow& row, ordered_json& card) {
  if (static_cast<std::size_t>(row.size) > kMostImageRowBytes) {
    return fail(Code::kUnsupported, "{} of images; tideline log images writes them",
                format_bytes(static_cast<Bytes>(row.size)));
  }
  TIDELINE_TRY(const std::string content, events::RowReader(log).read(row));
  TIDELINE_TRY(const events::ImageValues values, events::image_values(row.form, content));
  card["total"] = values.encoded.size();
  std::size_t bytes = 0;
  for (const std::string_view encoded : values.encoded) {
    bytes += encoded.size();
    if (card["images"].size() == kMostImages || bytes > kMostImagesBytes) break;
    const std::string type = image_type(encoded);
    card["images"].push_back(
        {{"type", type}, {"data", type.empty() ? std::string() : base64(encoded)}});
  }
  return {};
}

void add_images(const Served& served, const events::EventLog& log, const events::ValueRow& row,
                ordered_json& card) {
  card["images"] = ordered_json::array();
  card["total"] = 0;
  const Status status = read_encoded(log, row, card);
  card["problem"] = status ? "" : served.shown(printable(status.error().message, 500));
}

}  // namespace

Result<ordered_json> log_card_json(Served& served, const ui::UiModel& model,
                                   const Request& request) {
  const events::EventLog& log = *model.log->events;
  const auto index = parse_as<std::uint32_t>(request.parameter("series"));
  const bool is_there = index && *index < log.series().size();
  const events::Series* series = is_there ? &log.series()[*index] : nullptr;
  if (series == nullptr || series->rows.empty() ||
      (series->kind != SeriesKind::kImage && series->kind != SeriesKind::kText)) {
    return fail(Code::kInvalidArgument,
                "series: invalid value '{}'; expected the number of a series of images or texts",
                printable(request.parameter("series")));
  }
  const std::size_t row = ui::shown_row(*model.log, served.viewer.view.log, *index);
  const events::ValueRow& shown = series->rows[row];
  ordered_json card = {{"series", *index},
                       {"row", row},
                       {"row_count", series->rows.size()},
                       {"step", shown.step},
                       {"wall", render::wall_time_text(shown.wall_time)}};
  if (series->kind == SeriesKind::kText) {
    add_text(served, {*index, row}, card);
  } else {
    add_images(served, log, shown, card);
  }
  return card;
}

ordered_json hparams_json(Served& served, const ui::UiModel& model, std::size_t first,
                          std::size_t count) {
  ordered_json answer = {{"total", 0},
                         {"rows", ordered_json::array()},
                         {"columns", ordered_json::array()},
                         {"left_out", 0}};
  if (!model.log->hparams) return answer;
  const events::HparamsTable& table = *model.log->hparams;
  const std::vector<ui::LogRun>& runs = served.cache.log_charts().runs();  // by name
  std::vector<const events::HparamsTable::Row*> rows;
  for (const events::HparamsTable::Row& row : table.rows) {
    const auto run = std::lower_bound(
        runs.begin(), runs.end(), row.run,
        [](const ui::LogRun& a, const std::string& name) { return a.name < name; });
    if (run == runs.end() || run->name != row.run || run->is_shown) rows.push_back(&row);
  }
  std::vector<std::string> names = table.names;
  for (const auto& metric : table.metrics) names.push_back(events::metric_name(metric));
  const std::size_t columns = std::min(names.size(), kMostCardColumns);
  for (std::size_t i = 0; i < columns; ++i) {
    answer["columns"].push_back(printable(names[i], kLongestCardCell));
  }
  answer["total"] = rows.size();
  answer["left_out"] = names.size() - columns;
  for (std::size_t i = std::min(first, rows.size()); i < std::min(rows.size(), first + count);
       ++i) {
    ordered_json cells = ordered_json::array();
    for (std::size_t column = 0; column < columns; ++column) {
      const bool is_metric = column >= table.names.size();
      std::string text;
      if (!is_metric) {
        text = events::hparam_text(rows[i]->values[column]);
      } else if (const auto& metric = rows[i]->metrics[column - table.names.size()]) {
        text = render::number_text(metric->value);
      }
      cells.push_back(printable(text, kLongestCardCell));
    }
    answer["rows"].push_back({{"run", printable(rows[i]->run, kLongestCardCell)},
                              {"status", rows[i]->status},
                              {"cells", std::move(cells)}});
  }
  return answer;
}

}  // namespace tideline::web
