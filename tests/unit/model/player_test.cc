#include "render/model/player.h"

#include <catch2/catch.hpp>

namespace tideline::ui {

TEST_CASE("the player walks the levels at its speed, and stops at their end", "[model]") {
  ViewState view;
  view.player_speed = 4;
  play(view, 10);
  CHECK(view.is_playing);
  CHECK(view.player == 0);
  advance_player(view, 10, 0.5);
  CHECK(view.player == 2);
  view.is_playing = false;
  advance_player(view, 10, 5);
  CHECK(view.player == 2);
  play(view, 10);  // goes on where it was
  CHECK(view.player == 2);
  advance_player(view, 10, 100);
  CHECK(*view.player > 9.9);
  CHECK(*view.player < 10);
  CHECK_FALSE(view.is_playing);
  play(view, 10);  // from the beginning
  CHECK(view.player == 0);
  leave_player(view);
  CHECK_FALSE(view.player);
  CHECK_FALSE(view.is_playing);
  advance_player(view, 10, 1);
  CHECK_FALSE(view.player);
}

TEST_CASE("what is visible goes along with the player", "[model]") {
  ViewState view;
  view.axis = {20, 10};
  play(view, 100);
  CHECK(view.player == 20);
  advance_player(view, 100, 3);  // to 32
  CHECK(view.player == 32);
  CHECK(view.axis == AxisRange{31.5, 10});
  put_player(view, 50, 100);
  CHECK_FALSE(view.is_playing);
  CHECK(view.axis == AxisRange{49.5, 10});
  put_player(view, 1000, 100);
  CHECK(*view.player < 100);
  CHECK(view.axis.first == 90);
  view.axis = {0, 10};  // the user looks elsewhere and plays again
  play(view, 100);
  CHECK(view.player == 0);
}

TEST_CASE("playing shows levels, or memory by level", "[model]") {
  ViewState view;
  view.tab = Tab::kMemory;
  play(view, 10);
  CHECK(view.tab == Tab::kMemory);
  view.memory_axis = AxisKind::kStep;
  play(view, 10);
  CHECK(view.tab == Tab::kLevels);
}

}  // namespace tideline::ui
