// The actions with fixed arguments that have menu entries and keys of their own. Tested by
// unit/actions/commands_test.cc.
#include <array>

#include "app/actions/commands.h"
#include "app/session/shipped_lessons.h"

namespace tideline::app {
namespace {

template <render::ThemeKind kTheme>
bool is_theme(const Viewer& viewer) {
  return viewer.view.theme == kTheme;
}
template <ui::AxisKind kAxis>
bool is_axis(const Viewer& viewer) {
  return viewer.view.memory_axis == kAxis;
}
bool is_vertical(const Viewer& viewer) {
  return viewer.view.boxes.is_vertical;
}
bool is_scopes(const Viewer& viewer) {
  return has_graph(viewer) && viewer.view.tab == ui::Tab::kScopes;
}
bool is_horizontal(const Viewer& viewer) {
  return !is_vertical(viewer);
}
template <bool ui::ViewState::*kShown>
bool is_shown(const Viewer& viewer) {
  return viewer.view.*kShown;
}
bool has_usual_font(const Viewer& viewer) {
  return viewer.view.font_file.empty();
}
bool is_played(const Viewer& viewer, const ShippedLesson& lesson) {
  return viewer.lesson.lesson != nullptr && viewer.lesson.lesson->title == lesson.title;
}
bool is_automatic(const Viewer& viewer) {
  return effective_policy(viewer.graph().wish().policy).is_automatic();
}
bool is_manual(const Viewer& viewer) {
  return !is_automatic(viewer);
}

const std::array kOfPolicy = {
    Shortcut{"policy.auto on", "Parameters: automatic", "Rewrite", "", is_automatic},
    Shortcut{"policy.auto off", "Parameters: by hand", "Rewrite", "", is_manual},
};
const std::array kOfView = {
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
    Shortcut{"view.axis time", "Memory by time", "View", "", is_axis<ui::AxisKind::kTime>},
    Shortcut{"view.axis measured", "Memory by measured time", "View", "",
             is_axis<ui::AxisKind::kMeasuredTime>, has_trace},
    Shortcut{"scope.direction horizontal", "Scopes from left to right", "View", "", is_horizontal},
    Shortcut{"scope.direction vertical", "Scopes from top to bottom", "View", "", is_vertical},
    Shortcut{"scope.collapse *", "Close all scopes", "View", ""},
    Shortcut{"scope.aside toggle", "Move the box aside or back", "View", "M", nullptr, is_scopes},
    Shortcut{"bookmark.keep next", "Bookmark this place", "View", "B"},
    Shortcut{"view.layout inspect", "Layout: inspect", "View", "F2"},
    Shortcut{"view.layout tune", "Layout: tune", "View", "F4"},
    Shortcut{"view.layout compare", "Layout: compare", "View", "F5"},
    Shortcut{"view.layout teach", "Layout: teach", "View", "F6"},
    Shortcut{"view.theme dark", "Dark", "View", "", is_theme<render::ThemeKind::kDark>},
    Shortcut{"view.theme light", "Light", "View", "", is_theme<render::ThemeKind::kLight>},
    Shortcut{"view.theme color-blind-safe", "Color-blind safe", "View", "",
             is_theme<render::ThemeKind::kColorBlindSafe>},
    Shortcut{"view.font default", "Usual font", "View", "", has_usual_font},
    Shortcut{"view.font-size +1", "Larger text", "View", "Ctrl++ Ctrl+="},
    Shortcut{"view.font-size -1", "Smaller text", "View", "Ctrl+-"},
    Shortcut{"view.zoom 1.5", "Zoom in", "", "W Up"},
    Shortcut{"view.zoom 0.6667", "Zoom out", "", "S Down"},
    Shortcut{"view.pan -10%", "Pan left", "", "A Left"},
    Shortcut{"view.pan 10%", "Pan right", "", "D Right"},
};

}  // namespace

std::vector<Shortcut> shortcuts() {
  std::vector<Shortcut> all;
  const auto add_policy = [&](std::string id, const std::string& title) {
    all.push_back(
        {"policy.choose " + id, "Policy: " + title, "Rewrite", "",
         [id](const Viewer& viewer) { return viewer.graph().wish().policy.rewriter == id; }});
  };
  for (const Rewriter* rewriter : rewriters()) {
    add_policy(std::string(rewriter->id), std::string(rewriter->title));
  }
  add_policy(std::string(kPolicyOff), std::string(kPolicyOff));
  all.insert(all.end(), kOfPolicy.begin(), kOfPolicy.end());
  for (const render::View& view : render::views()) {
    all.push_back({"view.tab " + std::string(view.word), std::string(view.title), "View", "",
                   [&view](const Viewer& viewer) { return viewer.view.tab == ui::tab_of(view); },
                   view.needs_trace ? has_trace : nullptr});
  }
  all.insert(all.end(), kOfView.begin(), kOfView.end());
  for (const char* word : render::kColorByWords) {
    const render::ColorBy color = render::color_by_of(word);
    all.push_back({fmt::format("view.color {}", word), fmt::format("Levels coloured by {}", word),
                   "View", "",
                   [color](const Viewer& viewer) { return viewer.view.levels_color == color; }});
    all.push_back({fmt::format("scope.color {}", word), fmt::format("Scopes coloured by {}", word),
                   "View", "",
                   [color](const Viewer& viewer) { return viewer.view.boxes.color == color; }});
  }
  for (std::size_t i = 1; i <= ui::kBookmarks; ++i) {
    all.push_back({fmt::format("bookmark.keep {}", i), fmt::format("Keep as bookmark {}", i), "",
                   fmt::format("Ctrl+{}", i)});
    all.push_back({fmt::format("bookmark.go {}", i), fmt::format("Go to bookmark {}", i), "",
                   fmt::format("{}", i)});
  }
  int number = 0;
  for (const ShippedLesson& lesson : shipped_lessons()) {
    all.push_back({"lesson.start " + std::string(lesson.word),
                   fmt::format("{} {}", ++number, lesson.title), "Tutorial", "",
                   [&lesson](const Viewer& viewer) { return is_played(viewer, lesson); }});
  }
  return all;
}

}  // namespace tideline::app
