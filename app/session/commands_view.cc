// The actions that change the view. Tested by unit/session/commands_view_test.cc.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/session/commands.h"

namespace tideline::session {
namespace {

constexpr double kLeastSpan = 1;  // levels

double whole_span(const App& app) {
  return std::max(1.0, static_cast<double>(level_count(app)));
}

ui::AxisRange range_of(const App& app) {
  return app.view.axis.span > 0 ? app.view.axis : ui::AxisRange{0, whole_span(app)};
}

// Within the graph, and all of it when nothing is left out.
void show_range(App& app, double first, double span) {
  const double whole = whole_span(app);
  span = std::clamp(span, std::min(kLeastSpan, whole), whole);
  first = std::clamp(first, 0.0, whole - span);
  app.view.axis = span >= whole ? ui::AxisRange{} : ui::AxisRange{first, span};
}

Status set_tab(App& app, const Arguments& arguments) {
  if (arguments[0] != "levels" && arguments[0] != "memory") {
    return bad_argument(arguments[0], "levels or memory");
  }
  app.view.tab = arguments[0] == "levels" ? ui::Tab::kLevels : ui::Tab::kMemory;
  return {};
}

Status set_theme(App& app, const Arguments& arguments) {
  const auto theme = render::theme_of_name(arguments[0]);
  if (!theme) return bad_argument(arguments[0], "dark, light or color-blind-safe");
  app.view.theme = *theme;
  return {};
}

Status zoom(App& app, const Arguments& arguments) {
  const auto factor = parse_decimal(arguments[0]);
  if (!factor || *factor <= 0) return bad_argument(arguments[0], "a factor above 0, such as 1.5");
  const ui::AxisRange range = range_of(app);
  double at = app.view.cursor.value_or(range.first + range.span / 2);
  if (arguments.size() > 1) {
    const auto level = parse_decimal(arguments[1]);
    if (!level) return bad_argument(arguments[1], "a level");
    at = *level;
  }
  // What lies at `at` stays where it is on the screen.
  const double span = std::clamp(range.span / *factor, kLeastSpan, whole_span(app));
  show_range(app, at - (at - range.first) * span / range.span, span);
  return {};
}

// "10%" is of what is visible.
Status pan(App& app, const Arguments& arguments) {
  std::string text = arguments[0];
  const bool is_share = text.ends_with('%');
  if (is_share) text.pop_back();
  const auto levels = parse_decimal(text);
  if (!levels) return bad_argument(arguments[0], "a number of levels, or a share such as -10%");
  const ui::AxisRange range = range_of(app);
  show_range(app, range.first + (is_share ? *levels / 100 * range.span : *levels), range.span);
  return {};
}

Status set_range(App& app, const Arguments& arguments) {
  const auto first = parse_decimal(arguments[0]);
  const auto last = parse_decimal(arguments[1]);
  if (!first || *first < 0) return bad_argument(arguments[0], "a level of at least 0");
  if (!last || *last < *first) return bad_argument(arguments[1], "a level not before the first");
  show_range(app, *first, *last - *first + 1);
  return {};
}

Status fit(App& app, const Arguments&) {
  app.view.axis = {};
  app.view.y_scroll_px = 0;
  app.view.y_zoom = 1;
  return {};
}

// From the op to the last of its readers, with a margin.
Status fit_selection(App& app, const Arguments&) {
  const OpId op = *selected_op(app);
  const GraphFile& file = *app.session.snapshot()->graph->file;
  std::int32_t first = file.levels.level(op);
  std::int32_t last = first;
  for (const Use use : file.consumers.data(op)) {
    first = std::min(first, file.levels.level(use.consumer));
    last = std::max(last, file.levels.level(use.consumer));
  }
  const double margin = std::max(2.0, (last - first) * 0.1);
  show_range(app, first - margin, last - first + 1 + 2 * margin);
  return {};
}

Status set_axis(App& app, const Arguments& arguments) {
  ui::AxisKind& axis = app.view.memory_axis;
  if (arguments[0] == "level") {
    axis = ui::AxisKind::kLevel;
  } else if (arguments[0] == "step") {
    axis = ui::AxisKind::kStep;
  } else if (arguments[0] != "measured") {
    return bad_argument(arguments[0], "level, step or measured");
  } else if (!has_trace(app)) {
    return fail(Code::kInvalidArgument,
                "there is no traced step; expected measure.open FILE first");
  } else {
    axis = ui::AxisKind::kMeasuredTime;
  }
  return {};
}

Status set_detail(App& app, const Arguments& arguments) {
  const auto detail = parse_decimal(arguments[0]);
  if (!detail || *detail < 0 || *detail > 1) {
    return bad_argument(arguments[0], "a number from 0 to 1");
  }
  app.view.detail_0_1 = *detail;
  return {};
}

Status set_device(App& app, const Arguments& arguments) {
  const auto count = app.session.snapshot()->devices.size();
  const auto device = parse_number(arguments[0], 0);
  if (!device || static_cast<std::size_t>(*device) >= count) {
    return bad_argument(arguments[0], fmt::format("a number below {}", count));
  }
  app.view.device = static_cast<std::uint32_t>(*device);
  return {};
}

Status toggle(App& app, const Arguments& arguments) {
  ui::ViewState& view = app.view;
  const std::pair<const char*, bool*> switches[] = {
      {"left", &view.show_left},
      {"right", &view.show_right},
      {"bottom", &view.show_bottom},
      {"candidates", &view.show_candidates},
      {"control-edges", &view.show_control_edges},
      {"original", &view.show_original},
  };
  for (const auto& [name, value] : switches) {
    if (arguments[0] != name) continue;
    *value = !*value;
    return {};
  }
  return bad_argument(arguments[0], "left, right, bottom, candidates, control-edges or original");
}

Status set_font_size(App& app, const Arguments& arguments) {
  const auto size = parse_decimal(arguments[0]);
  if (!size) return bad_argument(arguments[0], "a size from 8 to 48, +1 or -1");
  const bool is_step = arguments[0] == "-1" || arguments[0] == "1";
  const double wanted = is_step ? static_cast<double>(app.view.font_px) + *size : *size;
  if (!is_step && (wanted < 8 || wanted > 48)) {
    return bad_argument(arguments[0], "a size from 8 to 48, +1 or -1");
  }
  app.view.font_px = static_cast<float>(std::clamp(wanted, 8.0, 48.0));
  return {};
}

// from_chars knows no plus.
Status font_size(App& app, const Arguments& arguments) {
  return set_font_size(app, {arguments[0] == "+1" ? std::string("1") : arguments[0]});
}

bool has_selection(const App& app) {
  return selected_op(app).has_value();
}

constexpr std::array kActions = {
    Action{"view.tab", "Choose a view", "", "", "levels|memory", "Show a view in the centre.", 1, 1,
           set_tab},
    Action{"view.theme", "Choose the theme", "", "", "dark|light|color-blind-safe",
           "Choose the colours.", 1, 1, set_theme},
    Action{"view.zoom", "Zoom", "", "", "FACTOR [AT_LEVEL]", "Above 1: show fewer levels.", 1, 2,
           zoom, has_graph},
    Action{"view.pan", "Pan", "", "", "LEVELS",
           "Move along the levels; 10% is relative to the visible part.", 1, 1, pan, has_graph},
    Action{"view.range", "Show levels", "", "", "FIRST LAST", "Show these levels.", 2, 2, set_range,
           has_graph},
    Action{"view.fit", "Fit all", "View", "Home 0 Space", "", "Show the whole graph.", 0, 0, fit,
           has_graph},
    Action{"view.fit-selection", "Fit the selection", "View", "F", "",
           "Show the selected op and its readers.", 0, 0, fit_selection, has_selection},
    Action{"view.axis", "Choose the axis", "", "", "level|step|measured",
           "The horizontal axis of the memory view.", 1, 1, set_axis},
    Action{"view.detail", "Set the detail", "", "", "X",
           "From 0 to 1: how small a tensor still gets a band of its own.", 1, 1, set_detail},
    Action{"view.device", "Choose the device", "", "", "N",
           "Index, from 0, of the device whose memory is shown.", 1, 1, set_device, has_graph},
    Action{"view.toggle", "Show or hide", "", "",
           "left|right|bottom|candidates|control-edges|original", "Show or hide a part.", 1, 1,
           toggle},
    Action{"view.font-size", "Set the size of text", "", "", "N|+1|-1", "Size of text in pixels.",
           1, 1, font_size},
};

template <ui::Tab kTab>
bool is_tab(const App& app) {
  return app.view.tab == kTab;
}
template <render::ThemeKind kTheme>
bool is_theme(const App& app) {
  return app.view.theme == kTheme;
}
template <ui::AxisKind kAxis>
bool is_axis(const App& app) {
  return app.view.memory_axis == kAxis;
}
template <bool ui::ViewState::*kShown>
bool is_shown(const App& app) {
  return app.view.*kShown;
}
bool is_automatic(const App& app) {
  return effective_policy(app.session.wish().policy).is_automatic();
}
bool is_manual(const App& app) {
  return !is_automatic(app);
}

const std::array kShortcuts = {
    Shortcut{"policy.auto on", "Parameters: automatic", "Rewrite", "", is_automatic},
    Shortcut{"policy.auto off", "Parameters: by hand", "Rewrite", "", is_manual},
    Shortcut{"view.tab levels", "Levels", "View", "", is_tab<ui::Tab::kLevels>},
    Shortcut{"view.tab memory", "Memory", "View", "", is_tab<ui::Tab::kMemory>},
    Shortcut{"view.toggle left", "Left side", "View", "Ctrl+B",
             is_shown<&ui::ViewState::show_left>},
    Shortcut{"view.toggle bottom", "Memory under levels", "View", "Ctrl+J",
             is_shown<&ui::ViewState::show_bottom>},
    Shortcut{"view.toggle right", "Right side", "View", "Ctrl+I",
             is_shown<&ui::ViewState::show_right>},
    Shortcut{"view.toggle candidates", "Candidates", "View", "",
             is_shown<&ui::ViewState::show_candidates>},
    Shortcut{"view.toggle control-edges", "Control edges", "View", "",
             is_shown<&ui::ViewState::show_control_edges>},
    Shortcut{"view.toggle original", "Original memory", "View", "",
             is_shown<&ui::ViewState::show_original>},
    Shortcut{"view.axis level", "Memory by level", "View", "", is_axis<ui::AxisKind::kLevel>},
    Shortcut{"view.axis step", "Memory by step", "View", "", is_axis<ui::AxisKind::kStep>},
    Shortcut{"view.axis measured", "Memory by measured time", "View", "",
             is_axis<ui::AxisKind::kMeasuredTime>, has_trace},
    Shortcut{"view.theme dark", "Dark", "View", "", is_theme<render::ThemeKind::kDark>},
    Shortcut{"view.theme light", "Light", "View", "", is_theme<render::ThemeKind::kLight>},
    Shortcut{"view.theme color-blind-safe", "Color-blind safe", "View", "",
             is_theme<render::ThemeKind::kColorBlindSafe>},
    Shortcut{"view.font-size +1", "Larger text", "View", "Ctrl++ Ctrl+="},
    Shortcut{"view.font-size -1", "Smaller text", "View", "Ctrl+-"},
    Shortcut{"view.zoom 1.5", "Zoom in", "", "W Up"},
    Shortcut{"view.zoom 0.6667", "Zoom out", "", "S Down"},
    Shortcut{"view.pan -10%", "Pan left", "", "A Left"},
    Shortcut{"view.pan 10%", "Pan right", "", "D Right"},
};

}  // namespace

std::span<const Action> view_actions() {
  return kActions;
}

std::vector<Shortcut> shortcuts() {
  std::vector<Shortcut> all;
  const auto add_policy = [&](std::string id, const std::string& title) {
    all.push_back({"policy.mode " + id, "Policy: " + title, "Rewrite", "",
                   [id](const App& app) { return app.session.wish().policy.rewriter == id; }});
  };
  for (const Rewriter* rewriter : rewriters()) {
    add_policy(std::string(rewriter->id), std::string(rewriter->title));
  }
  add_policy(std::string(kPolicyOff), std::string(kPolicyOff));
  all.insert(all.end(), kShortcuts.begin(), kShortcuts.end());
  return all;
}

}  // namespace tideline::session
