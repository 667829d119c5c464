// Tested by unit/web/routes_log_test.cc.
#include "app/web/log_view_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "render/model/log_page.h"

namespace tideline::web {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kMostHiddenBytes = 16'384;
constexpr std::size_t kMostChosenRows = 1000;
constexpr std::size_t kMostLogTextBytes = 1000;  // of a tag or a run
constexpr double kMostLogSmoothing = 0.999;

bool take_switch(const json& value, bool& target) {
  if (!value.is_boolean()) return false;
  target = value.get<bool>();
  return true;
}

bool take_text(const json& value, std::string& target) {
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  if (text.size() > kMostLogTextBytes) return false;
  target = text;
  return true;
}

template <typename Words, typename Word>
bool take_word(const json& value, const Words& words, Word& target) {
  if (!value.is_string()) return false;
  const auto found = std::find(words.begin(), words.end(), value.get_ref<const std::string&>());
  if (found == words.end()) return false;
  target = static_cast<Word>(found - words.begin());
  return true;
}

bool take_range(const json& value, render::NumberRange& range) {
  range = {};
  if (value.is_null()) return true;
  if (!value.is_array() || value.size() != 2 || !value[0].is_number() || !value[1].is_number()) {
    return false;
  }
  range = {value[0].get<double>(), value[1].get<double>()};
  return std::isfinite(range.first) && std::isfinite(range.last) && range.first < range.last;
}

bool take_hidden(const json& value, std::vector<std::string>& hidden) {
  if (!value.is_array()) return false;
  hidden.clear();
  for (const json& run : value) {
    if (!take_text(run, hidden.emplace_back())) return false;
  }
  std::sort(hidden.begin(), hidden.end());
  hidden.erase(std::unique(hidden.begin(), hidden.end()), hidden.end());
  return true;
}

bool take_step(const json& value, std::optional<std::int64_t>& step) {
  step.reset();
  if (value.is_null()) return true;
  if (!value.is_number_integer()) return false;
  step = value.get<std::int64_t>();
  return true;
}

// Pairs of a series and its row.
bool take_rows(const json& value, std::map<std::uint32_t, std::uint64_t>& rows) {
  if (!value.is_array() || value.size() > kMostChosenRows) return false;
  rows.clear();
  for (const json& pair : value) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number_unsigned() ||
        !pair[1].is_number_unsigned() || pair[0].get<std::uint64_t>() > 0xFFFFFFFFU) {
      return false;
    }
    rows[pair[0].get<std::uint32_t>()] = pair[1].get<std::uint64_t>();
  }
  return true;
}

bool take_smoothing(const json& value, double& smoothing_0_1) {
  if (!value.is_number()) return false;
  smoothing_0_1 = value.get<double>();
  return smoothing_0_1 >= 0 && smoothing_0_1 <= kMostLogSmoothing;
}

// A member by its name.
bool take_log_member(ui::LogView& view, const std::string& name, const json& value) {
  if (name == "page") return take_word(value, ui::kLogPageWords, view.page);
  if (name == "axis") return take_word(value, ui::kLogAxisWords, view.look.axis);
  if (name == "smoothing") return take_smoothing(value, view.look.smoothing_0_1);
  if (name == "log_x") return take_switch(value, view.look.is_log_x);
  if (name == "log_y") return take_switch(value, view.look.is_log_y);
  if (name == "no_outliers") return take_switch(value, view.look.leaves_out_outliers);
  if (name == "visible") return take_range(value, view.look.visible);
  if (name == "full_width") return take_switch(value, view.is_wide);
  if (name == "raw_text") return take_switch(value, view.is_raw_text);
  if (name == "offset") return take_switch(value, view.histograms.is_offset);
  if (name == "tag_filter") return take_text(value, view.tag_filter);
  if (name == "run_filter") return take_text(value, view.run_filter);
  if (name == "enlarged") return take_text(value, view.enlarged);
  if (name == "hidden_runs") return take_hidden(value, view.hidden_runs);
  if (name == "step") return take_step(value, view.step);
  if (name == "rows") return take_rows(value, view.rows);
  return false;
}

}  // namespace

ordered_json log_view_json(const ui::LogView& view) {
  const render::ScalarLook& look = view.look;
  ordered_json list;
  list["page"] = ui::kLogPageWords[static_cast<std::size_t>(view.page)];
  list["axis"] = ui::kLogAxisWords[static_cast<std::size_t>(look.axis)];
  list["smoothing"] = look.smoothing_0_1;
  list["log_x"] = look.is_log_x;
  list["log_y"] = look.is_log_y;
  list["no_outliers"] = look.leaves_out_outliers;
  list["visible"] = nullptr;
  if (!look.visible.empty()) list["visible"] = {look.visible.first, look.visible.last};
  list["full_width"] = view.is_wide;
  list["raw_text"] = view.is_raw_text;
  list["offset"] = view.histograms.is_offset;
  list["tag_filter"] = view.tag_filter;
  list["run_filter"] = view.run_filter;
  list["enlarged"] = view.enlarged;
  std::size_t bytes = 0;
  for (const std::string& run : view.hidden_runs) bytes += run.size() + 3;
  if (bytes <= kMostHiddenBytes) list["hidden_runs"] = view.hidden_runs;
  list["step"] = view.step ? ordered_json(*view.step) : ordered_json(nullptr);
  list["rows"] = ordered_json::array();
  for (const auto& [series, row] : view.rows) list["rows"].push_back({series, row});
  return list;
}

bool set_log_view(ui::LogView& view, const json& value) {
  if (!value.is_object()) return false;
  ui::LogView changed = view;
  for (const auto& item : value.items()) {
    if (!take_log_member(changed, item.key(), item.value())) return false;
  }
  view = std::move(changed);
  return true;
}

}  // namespace tideline::web
