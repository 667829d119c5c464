// Tested by unit/web/routes_test.cc.
#include "app/web/view_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "render/model/axis_range.h"
#include "render/model/shown_axis.h"

namespace tideline::web {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kMostTextBytes = 200;
constexpr int kLeastFont = 8;
constexpr int kMostFont = 48;

template <typename T>
struct Named {
  const char* name;
  T value;
};

constexpr std::array kAxes = {Named<ui::AxisKind>{"level", ui::AxisKind::kLevel},
                              Named<ui::AxisKind>{"step", ui::AxisKind::kStep},
                              Named<ui::AxisKind>{"time", ui::AxisKind::kMeasuredTime}};
constexpr std::array kPopups = {
    Named<ui::Popup>{"none", ui::Popup::kNone},
    Named<ui::Popup>{"open", ui::Popup::kOpen},
    Named<ui::Popup>{"open-log", ui::Popup::kOpenLog},
    Named<ui::Popup>{"open-trace", ui::Popup::kOpenTrace},
    Named<ui::Popup>{"open-checkpoint", ui::Popup::kOpenCheckpoint},
    Named<ui::Popup>{"compare-checkpoint", ui::Popup::kCompareCheckpoint},
    Named<ui::Popup>{"convert-checkpoint", ui::Popup::kConvertCheckpoint},
    Named<ui::Popup>{"write", ui::Popup::kWrite},
    Named<ui::Popup>{"keys", ui::Popup::kKeys},
    Named<ui::Popup>{"palette", ui::Popup::kPalette},
    Named<ui::Popup>{"search", ui::Popup::kSearch},
    Named<ui::Popup>{"messages", ui::Popup::kMessages},
    Named<ui::Popup>{"about", ui::Popup::kAbout},
    Named<ui::Popup>{"quit", ui::Popup::kQuit}};

template <typename Table, typename T>
const char* name_in(const Table& table, T value) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const auto& entry) { return entry.value == value; });
  return found == table.end() ? "" : found->name;
}

// The visible range of the axis that the tab shows.
ui::AxisRange shown_range(const Served& served, const ui::UiModel& model) {
  ui::ViewState view = served.viewer.view;
  if (!model.scene) return view.axis;
  return *ui::shown_axis(*model.scene, view).range;
}

// One member of the view; false if its value is wrong.
using SetMember = bool (*)(Served& served, ui::ViewState& view, const json& value);

bool set_number(const json& value, double least, double most, double& target) {
  if (!value.is_number()) return false;
  const double number = value.get<double>();
  if (!std::isfinite(number) || number < least || number > most) return false;
  target = number;
  return true;
}
bool set_text(const json& value, std::string& target) {
  if (!value.is_string() || value.get_ref<const std::string&>().size() > kMostTextBytes) {
    return false;
  }
  target = value.get<std::string>();
  return true;
}
bool set_switch(const json& value, bool& target) {
  if (!value.is_boolean()) return false;
  target = value.get<bool>();
  return true;
}
template <typename Table, typename T>
bool set_word(const json& value, const Table& table, T& target) {
  if (!value.is_string()) return false;
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& entry) {
    return value.get_ref<const std::string&>() == entry.name;
  });
  if (found == table.end()) return false;
  target = found->value;
  return true;
}

bool set_tab(ui::ViewState& view, const json& value) {
  const render::View* found =
      value.is_string() ? render::find_view(value.get_ref<const std::string&>()) : nullptr;
  if (found != nullptr) view.tab = ui::tab_of(*found);
  return found != nullptr;
}

constexpr double kMostPosition = 1e9;

bool set_range(Served& served, ui::ViewState& view, const json& value,
               double ui::AxisRange::*part) {
  double number = 0;
  if (!set_number(value, -kMostPosition, kMostPosition, number)) return false;
  const auto& snapshot = served.viewer.graph().snapshot();
  ui::AxisRange& range = snapshot ? *ui::shown_axis(snapshot->scene(), view).range : view.axis;
  range.*part = number;
  return true;
}

bool set_open_scopes(ui::ViewState& view, const json& value) {
  if (!value.is_array()) return false;
  std::vector<std::uint32_t> scopes;
  for (const json& scope : value) {
    if (!scope.is_number_unsigned() || scope.get<std::uint64_t>() > 0xFFFFFFFFU) return false;
    scopes.push_back(scope.get<std::uint32_t>());
  }
  std::sort(scopes.begin(), scopes.end());
  scopes.erase(std::unique(scopes.begin(), scopes.end()), scopes.end());
  view.open_scopes = std::move(scopes);
  return true;
}

bool set_device(Served& served, ui::ViewState& view, const json& value) {
  const auto& snapshot = served.viewer.graph().snapshot();
  const std::size_t count = snapshot ? snapshot->devices.size() : 1;
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= count) return false;
  view.device = value.get<std::uint32_t>();
  return true;
}

struct Member {
  const char* name;
  SetMember set;
  std::string expected;  // for the message
};

template <typename Table>
std::string words_of(const Table& table) {
  std::vector<std::string> words;
  for (const auto& entry : table) words.emplace_back(entry.name);
  return alternatives(words);
}

template <bool ui::ViewState::*kSwitch>
Member switch_member(const char* name) {
  return {name,
          [](Served&, ui::ViewState& view, const json& value) {
            return set_switch(value, view.*kSwitch);
          },
          "true or false"};
}

template <std::string ui::DocumentView::*kText>
Member text_member(const char* name) {
  return {
      name,
      [](Served&, ui::ViewState& view, const json& value) { return set_text(value, view.*kText); },
      fmt::format("a text of at most {} bytes", kMostTextBytes)};
}

template <double ui::AxisRange::*kPart>
Member range_member(const char* name) {
  return {name,
          [](Served& served, ui::ViewState& view, const json& value) {
            return set_range(served, view, value, kPart);
          },
          fmt::format("a number from {0:.0f} to {1:.0f}", -kMostPosition, kMostPosition)};
}

bool set_theme(Served&, ui::ViewState& view, const json& value) {
  const auto theme =
      value.is_string() ? render::theme_of_name(value.get<std::string>()) : std::nullopt;
  if (theme) view.theme = *theme;
  return theme.has_value();
}

bool set_font(Served&, ui::ViewState& view, const json& value) {
  double size = 0;
  if (!set_number(value, kLeastFont, kMostFont, size)) return false;
  view.font_px = static_cast<float>(size);
  return true;
}

bool set_swap_sort(Served&, ui::ViewState& view, const json& value) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= kSwapColumns.size()) {
    return false;
  }
  view.swap_sort_column = value.get<int>();
  return true;
}

bool set_cursor(Served&, ui::ViewState& view, const json& value) {
  view.cursor.reset();
  if (value.is_null()) return true;
  return set_number(value, -kMostPosition, kMostPosition, view.cursor.emplace());
}

// In the order in which they are set: the tab and the axis decide which range `first` and `span`
// change.
const std::vector<Member>& all_members() {
  using View = ui::ViewState;
  static const std::vector<Member> kMembers = {
      {"tab", [](Served&, View& view, const json& value) { return set_tab(view, value); },
       alternatives(render::view_words())},
      {"memory_axis",
       [](Served&, View& view, const json& value) {
         return set_word(value, kAxes, view.memory_axis);
       },
       words_of(kAxes)},
      range_member<&ui::AxisRange::first>("first"),
      range_member<&ui::AxisRange::span>("span"),
      {"row_zoom",
       [](Served&, View& view, const json& value) { return set_number(value, 1, 64, view.y_zoom); },
       "a number from 1 to 64"},
      {"scroll",
       [](Served&, View& view, const json& value) {
         return set_number(value, 0, kMostPosition, view.y_scroll_px);
       },
       fmt::format("a number from 0 to {:.0f}", kMostPosition)},
      {"device", set_device, "the number of a device of the graph"},
      {"detail",
       [](Served&, View& view, const json& value) {
         return set_number(value, 0, 1, view.detail_0_1);
       },
       "a number from 0 to 1"},
      {"theme", set_theme, "dark, light or color-blind-safe"},
      {"font", set_font, fmt::format("a number from {} to {}", kLeastFont, kMostFont)},
      switch_member<&View::show_candidates>("show_candidates"),
      switch_member<&View::show_control_edges>("show_control_edges"),
      switch_member<&View::show_original>("show_original"),
      {"popup",
       [](Served&, View& view, const json& value) { return set_word(value, kPopups, view.popup); },
       words_of(kPopups)},
      text_member<&ui::DocumentView::search>("search"),
      text_member<&ui::DocumentView::scope_filter>("scope_filter"),
      text_member<&ui::DocumentView::swap_filter>("swap_filter"),
      {"swap_sort", set_swap_sort,
       fmt::format("the number of a column, from 0 to {}", kSwapColumns.size() - 1)},
      switch_member<&View::swap_sort_descending>("swap_descending"),
      {"open_scopes",
       [](Served&, View& view, const json& value) { return set_open_scopes(view, value); },
       "a list of numbers of scopes"},
      {"cursor", set_cursor, "a number, or null"}};
  return kMembers;
}

}  // namespace

ordered_json view_json(const Served& served, const ui::UiModel& model) {
  const ui::ViewState& view = served.viewer.view;
  const ui::AxisRange range = shown_range(served, model);
  ordered_json list;
  list["first"] = range.first;
  list["span"] = range.span;
  list["row_zoom"] = view.y_zoom;
  list["scroll"] = view.y_scroll_px;
  list["memory_axis"] = name_in(kAxes, view.memory_axis);
  list["device"] = view.device;
  list["detail"] = view.detail_0_1;
  list["theme"] = render::theme_name(view.theme);
  list["font"] = view.font_px;
  list["show_candidates"] = view.show_candidates;
  list["show_control_edges"] = view.show_control_edges;
  list["show_original"] = view.show_original;
  list["tab"] = ui::view_of(view.tab).word;
  list["popup"] = name_in(kPopups, view.popup);
  list["search"] = view.search;
  list["scope_filter"] = view.scope_filter;
  list["swap_filter"] = view.swap_filter;
  list["swap_sort"] = view.swap_sort_column;
  list["swap_descending"] = view.swap_sort_descending;
  list["open_scopes"] = view.open_scopes;
  list["cursor"] = view.cursor ? ordered_json(*view.cursor) : ordered_json(nullptr);
  return list;
}

Status set_view(Served& served, const json& members) {
  if (!members.is_object()) return fail(Code::kInvalidArgument, "view: expected an object");
  for (const auto& item : members.items()) {
    const std::string& name = item.key();
    const bool is_known = std::any_of(all_members().begin(), all_members().end(),
                                      [&](const Member& member) { return name == member.name; });
    if (!is_known) {
      return fail(Code::kInvalidArgument, "view: there is no member '{}'", printable(name));
    }
  }
  ui::ViewState view = served.viewer.view;
  for (const Member& member : all_members()) {
    const auto found = members.find(member.name);
    if (found == members.end()) continue;
    if (!member.set(served, view, *found)) {
      return fail(Code::kInvalidArgument, "view: {} has a wrong value; expected {}", member.name,
                  member.expected);
    }
  }
  if (const auto& snapshot = served.viewer.graph().snapshot()) {
    const ui::ShownAxis axis = ui::shown_axis(snapshot->scene(), view);
    *axis.range = ui::clamped(*axis.range, axis.count);
  }
  served.viewer.view = std::move(view);
  return {};
}

}  // namespace tideline::web
