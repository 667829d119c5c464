// Tested by unit/web/routes_test.cc.
#include "app/web/view_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/web/checkpoint_json.h"
#include "app/web/log_view_json.h"
#include "app/web/state_json.h"
#include "core/base/text.h"
#include "render/model/axis_range.h"
#include "render/model/chart_looks.h"
#include "render/model/levels_limit.h"
#include "render/model/shown_axis.h"

namespace tideline::web {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kMostTextBytes = 200;
constexpr int kMostPosition = 1'000'000'000;

// By the number of the enumerator.
constexpr std::array kPopups = {"none",
                                "open",
                                "open-log",
                                "add-log",
                                "open-trace",
                                "open-checkpoint",
                                "compare-checkpoint",
                                "compare-graph",
                                "convert-checkpoint",
                                "write",
                                "keys",
                                "palette",
                                "search",
                                "messages",
                                "about",
                                "quit"};
static_assert(kPopups.size() == static_cast<std::size_t>(ui::Popup::kQuit) + 1);

// What members are read from.
struct Shown {
  const ui::ViewState& view;
  ui::AxisRange range;  // the visible one of the axis that the tab shows
};

// One member of the view.
struct Member {
  const char* name;
  bool (*set)(Served& served, ui::ViewState& view, const json& value);  // false: a wrong value
  ordered_json (*get)(const Shown& shown);
  std::string expected;  // for the message
};

template <typename Number>
bool set_number(const json& value, double least, double most, Number& target) {
  if (!value.is_number()) return false;
  const double number = value.get<double>();
  if (!std::isfinite(number) || number < least || number > most) return false;
  target = static_cast<Number>(number);
  return true;
}

template <double ui::AxisRange::*kPart>
bool set_range(Served& served, ui::ViewState& view, const json& value) {
  double number = 0;
  if (!set_number(value, -kMostPosition, kMostPosition, number)) return false;
  const auto& snapshot = served.viewer.graph().snapshot();
  ui::AxisRange& range = snapshot ? *ui::shown_axis(snapshot->scene(), view).range : view.axis;
  range.*kPart = number;
  return true;
}

// Of the rows that the tab shows.
bool set_scroll(Served&, ui::ViewState& view, const json& value) {
  const bool is_timeline = view.tab == ui::Tab::kTimeline;
  return set_number(value, 0, kMostPosition, is_timeline ? view.trace_scroll_px : view.y_scroll_px);
}

bool read_pair(const json& value, const char* first, const char* last, double& a, double& b) {
  return value.contains(first) && value.contains(last) &&
         set_number(value[first], -kMostPosition, kMostPosition, a) &&
         set_number(value[last], -kMostPosition, kMostPosition, b);
}

// Levels, or positions of the axis of the chart that is dragged over: those of the memory view.
bool set_levels(Served& served, ui::ViewState& view, const json& value) {
  if (value.is_null()) view.levels.reset();
  if (!value.is_object()) return value.is_null();
  const ui::UiModel& model = update_model(served);
  const bool is_limit = value.contains("limit") && value["limit"] == true;
  double a = 0;
  double b = 0;
  if (!model.scene) return false;
  if (read_pair(value, "from", "to", a, b)) {
    const double last = std::max(0, model.scene->levels->count() - 1);
    const auto level = [&](double at) {
      return static_cast<std::int32_t>(std::clamp(at, 0.0, last));
    };
    view.levels = ui::LevelStretch{level(std::min(a, b)), level(std::max(a, b)), is_limit};
    return true;
  }
  if (!read_pair(value, "first", "last", a, b)) return false;
  const render::MemoryAxis axis = ui::memory_axis_of(view, *model.scene);
  const auto& memory = served.cache.memory(*model.scene, view.device, axis);
  // Where no op runs there are no levels: what was chosen stays.
  if (const auto levels = ui::levels_between(*model.scene, memory, a, b, is_limit)) {
    view.levels = levels;
  }
  return true;
}

ordered_json levels_json(const Shown& shown) {
  if (!shown.view.levels) return nullptr;
  const auto& [from, to, is_limit] = *shown.view.levels;
  return {{"from", from}, {"to", to}, {"limit", is_limit}};
}

bool set_stretch(Served& served, ui::ViewState& view, const json& value) {
  if (value.is_null()) view.stretch.reset();
  if (!value.is_object()) return value.is_null();
  const auto& snapshot = served.viewer.graph().snapshot();
  double a = 0;
  double b = 0;
  if (!snapshot || !snapshot->shown->measured || !read_pair(value, "from_us", "to_us", a, b)) {
    return false;
  }
  const double most = ui::timeline_positions(snapshot->shown->measured->trace);
  const auto limited = [&](double us) { return std::clamp(us, 0.0, most); };
  view.stretch = ui::TimeStretch{limited(std::min(a, b)), limited(std::max(a, b))};
  return true;
}

ordered_json stretch_json(const Shown& shown) {
  if (!shown.view.stretch) return nullptr;
  return {{"from_us", shown.view.stretch->from_us}, {"to_us", shown.view.stretch->to_us}};
}

bool set_open_scopes(Served&, ui::ViewState& view, const json& value) {
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

bool set_tab(Served&, ui::ViewState& view, const json& value) {
  const render::View* found =
      value.is_string() ? render::find_view(value.get_ref<const std::string&>()) : nullptr;
  if (found != nullptr) view.tab = ui::tab_of(*found);
  return found != nullptr;
}

bool set_theme(Served&, ui::ViewState& view, const json& value) {
  const auto theme =
      value.is_string() ? render::theme_of_name(value.get<std::string>()) : std::nullopt;
  if (theme) view.theme = *theme;
  return theme.has_value();
}

std::vector<std::string> color_words() {
  return {render::kColorByWords.begin(), render::kColorByWords.end()};
}
bool set_scopes_color(Served&, ui::ViewState& view, const json& value) {
  const auto& words = render::kColorByWords;
  const bool is_known = std::find(words.begin(), words.end(), value) != words.end();
  if (is_known) view.boxes.color = render::color_by_of(value.get_ref<const std::string&>());
  return is_known;
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

template <auto kPart>
ordered_json part(const Shown& shown) {
  return shown.view.*kPart;
}

template <auto kPart>
Member switch_member(const char* name) {
  return {name,
          [](Served&, ui::ViewState& view, const json& value) {
            if (!value.is_boolean()) return false;
            view.*kPart = value.get<bool>();
            return true;
          },
          part<kPart>, "true or false"};
}

template <auto kPart>
Member text_member(const char* name) {
  return {name,
          [](Served&, ui::ViewState& view, const json& value) {
            if (!value.is_string()) return false;
            const auto& text = value.get_ref<const std::string&>();
            if (text.size() > kMostTextBytes) return false;
            view.*kPart = text;
            return true;
          },
          part<kPart>, fmt::format("a text of at most {} bytes", kMostTextBytes)};
}

template <auto kPart, int kLeast, int kMost>
Member number_member(const char* name) {
  return {name,
          [](Served&, ui::ViewState& view, const json& value) {
            return set_number(value, kLeast, kMost, view.*kPart);
          },
          part<kPart>, fmt::format("a number from {} to {}", kLeast, kMost)};
}

template <double ui::AxisRange::*kPart>
Member range_member(const char* name) {
  return {name, set_range<kPart>,
          [](const Shown& shown) -> ordered_json { return shown.range.*kPart; },
          fmt::format("a number from {} to {}", -kMostPosition, kMostPosition)};
}

template <auto kPart, const auto& kWords>
Member word_member(const char* name) {
  return {name,
          [](Served&, ui::ViewState& view, const json& value) {
            const auto found = std::find(kWords.begin(), kWords.end(), value);
            if (found == kWords.end()) return false;
            using Word = std::remove_reference_t<decltype(view.*kPart)>;
            view.*kPart = static_cast<Word>(found - kWords.begin());
            return true;
          },
          [](const Shown& shown) -> ordered_json {
            return kWords.at(static_cast<std::size_t>(shown.view.*kPart));
          },
          alternatives(std::vector<std::string>(kWords.begin(), kWords.end()))};
}

// In the order in which they are set: the tab and the axis decide which range `first` and `span`
// change.
const std::vector<Member>& all_members() {
  using View = ui::ViewState;
  static const std::vector<Member> kMembers = {
      {"tab", set_tab,
       [](const Shown& shown) -> ordered_json { return ui::view_of(shown.view.tab).word; },
       alternatives(render::view_words())},
      word_member<&View::memory_axis, ui::kAxisWords>("memory_axis"),
      range_member<&ui::AxisRange::first>("first"),
      range_member<&ui::AxisRange::span>("span"),
      number_member<&View::y_zoom, 1, 64>("row_zoom"),
      {"scroll", set_scroll,
       [](const Shown& shown) -> ordered_json {
         return shown.view.tab == ui::Tab::kTimeline ? shown.view.trace_scroll_px
                                                     : shown.view.y_scroll_px;
       },
       fmt::format("a number from 0 to {}", kMostPosition)},
      {"device", set_device, part<&View::device>, "the number of a device of the graph"},
      number_member<&View::detail_0_1, 0, 1>("detail"),
      {"theme", set_theme,
       [](const Shown& shown) -> ordered_json { return render::theme_name(shown.view.theme); },
       "dark, light or color-blind-safe"},
      number_member<&View::font_px, 8, 48>("font"),
      word_member<&View::levels_color, render::kColorByWords>("levels_color"),
      {"scopes_color", set_scopes_color,
       [](const Shown& shown) -> ordered_json { return render::word_of(shown.view.boxes.color); },
       alternatives(color_words())},
      switch_member<&View::show_candidates>("show_candidates"),
      switch_member<&View::show_control_edges>("show_control_edges"),
      switch_member<&View::show_original>("show_original"),
      word_member<&View::popup, kPopups>("popup"),
      text_member<&View::search>("search"),
      text_member<&View::scope_filter>("scope_filter"),
      text_member<&View::swap_filter>("swap_filter"),
      {"swap_sort", set_swap_sort, part<&View::swap_sort_column>,
       fmt::format("the number of a column, from 0 to {}", kSwapColumns.size() - 1)},
      switch_member<&View::swap_sort_descending>("swap_descending"),
      {"open_scopes", set_open_scopes, part<&View::open_scopes>, "a list of numbers of scopes"},
      {"levels", set_levels, levels_json,
       "null, or from and to (levels), or first and last (of the axis), and limit"},
      {"stretch", set_stretch, stretch_json, "null, or from_us and to_us of a traced step"},
      {"cursor", set_cursor,
       [](const Shown& shown) {
         return shown.view.cursor ? ordered_json(*shown.view.cursor) : ordered_json(nullptr);
       },
       "a number, or null"},
      {"log",
       [](Served&, ui::ViewState& view, const json& value) {
         return set_log_view(view.log, value);
       },
       [](const Shown& shown) { return log_view_json(shown.view.log); }, kLogViewExpected},
      {"checkpoint",
       [](Served&, ui::ViewState& view, const json& value) {
         return set_checkpoint_view(view.checkpoint, value);
       },
       [](const Shown& shown) { return checkpoint_view_json(shown.view.checkpoint); },
       "an object with the list 'closed' of numbers of nodes"}};
  return kMembers;
}

}  // namespace

ordered_json view_json(const Served& served, const ui::UiModel& model) {
  ui::ViewState view = served.viewer.view;
  const Shown shown{view, model.scene ? *ui::shown_axis(*model.scene, view).range : view.axis};
  ordered_json list;
  for (const Member& member : all_members()) list[member.name] = member.get(shown);
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
