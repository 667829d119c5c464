// The actions of the step player. Tested by unit/actions/commands_view_test.cc.
#include <array>

#include "app/actions/commands.h"
#include "render/model/player.h"

namespace tideline::app {
namespace {

Answered play_or_pause(Viewer& viewer, const Arguments&) {
  if (viewer.view.is_playing) {
    viewer.view.is_playing = false;
  } else {
    ui::play(viewer.view, level_count(viewer));
  }
  return {};
}

Answered put(Viewer& viewer, const Arguments& arguments) {
  const double level = arguments.decimal(0);
  const int count = level_count(viewer);
  if (level >= count) {
    return bad_argument(fmt::format("{}", level), fmt::format("a level from 0 to {}", count - 1));
  }
  ui::put_player(viewer.view, level, count);
  return {};
}

Answered set_speed(Viewer& viewer, const Arguments& arguments) {
  viewer.view.player_speed = arguments.decimal(0);
  return {};
}

Answered leave(Viewer& viewer, const Arguments&) {
  ui::leave_player(viewer.view);
  return {};
}

bool has_levels(const Viewer& viewer) {
  return has_graph(viewer) && level_count(viewer) > 0;
}
bool has_player(const Viewer& viewer) {
  return has_graph(viewer) && viewer.view.player.has_value();
}
std::string play_title(const Viewer& viewer) {
  return viewer.view.is_playing ? "Pause the step" : "Play the step";
}

constexpr std::array kPlayerTable = {
    action(
        "player.play", "Play the step", "View", "P", {},
        "Let a cursor walk the levels, while tensors move and memory rises and falls, or stop it.",
        play_or_pause, has_levels, play_title),
    for_pages(action("player.at", "Show a moment of the step", "", "",
                     {decimal("LEVEL", 0, kMostDecimal, "a level of at least 0")},
                     "Put the cursor of the step player at a level, or between two.", put,
                     has_levels)),
    action("player.speed", "Set the speed of the step player", "", "",
           {decimal("LEVELS", ui::kLeastSpeed, ui::kMostSpeed, "a number from 0.25 to 1000")},
           "Levels a second.", set_speed),
    for_pages(action("player.leave", "Leave the step player", "View", "", {},
                     "Take the cursor of the step player away.", leave, has_player)),
};

}  // namespace

constinit const std::span<const Action> kPlayerActions = kPlayerTable;

}  // namespace tideline::app
