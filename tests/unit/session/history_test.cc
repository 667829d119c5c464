#include "app/session/history.h"

#include <catch2/catch.hpp>

namespace tideline {
namespace {

using app::History;
using app::Wish;

Wish ahead(int levels) {
  Wish wish;
  set_value(wish.policy, "swapin-ahead", levels);
  return wish;
}

}  // namespace

TEST_CASE("Undo and redo walk through the wishes and say what they do", "[session]") {
  History history;
  history.reset(ahead(1));
  CHECK(history.undo_title().empty());
  CHECK_FALSE(history.undo());
  CHECK(history.change(ahead(2), ""));
  CHECK(history.change(ahead(5), ""));
  CHECK(history.undo_title() == "swapin-ahead 2 -> 5");
  REQUIRE(history.undo());
  CHECK(history.current() == ahead(2));
  CHECK(history.redo_title() == "swapin-ahead 2 -> 5");
  REQUIRE(history.undo());
  CHECK(history.current() == ahead(1));
  REQUIRE(history.redo());
  REQUIRE(history.redo());
  CHECK_FALSE(history.redo());
  CHECK(history.current() == ahead(5));
}

TEST_CASE("A slider that is dragged is one step, two drags are two", "[session]") {
  History history;
  history.reset(ahead(1));
  for (const int levels : {2, 3, 4}) history.change(ahead(levels), "swapin-ahead");
  history.end_gesture();
  for (const int levels : {5, 6}) history.change(ahead(levels), "swapin-ahead");
  CHECK(history.undo_title() == "swapin-ahead 4 -> 6");
  history.undo();
  CHECK(history.undo_title() == "swapin-ahead 1 -> 4");
  history.undo();
  CHECK(history.undo_title().empty());
}

TEST_CASE("A slider that is dragged back where it was leaves no step", "[session]") {
  History history;
  history.reset(ahead(1));
  history.change(ahead(2), "swapin-ahead");
  history.change(ahead(1), "swapin-ahead");
  CHECK(history.undo_title().empty());
}

TEST_CASE("A change after undo forgets what was undone; the same wish is no change", "[session]") {
  History history;
  history.reset(ahead(1));
  history.change(ahead(2), "");
  history.undo();
  CHECK_FALSE(history.change(ahead(1), ""));
  CHECK_FALSE(history.redo_title().empty());
  history.change(ahead(7), "");
  CHECK(history.redo_title().empty());
}

TEST_CASE("The history has an end", "[session]") {
  History history;
  for (int i = 0; i < 1000; ++i) history.change(ahead(i), "");
  std::size_t steps = 0;
  while (history.undo()) ++steps;
  CHECK(steps == History::kMostSteps);
}

TEST_CASE("A wish is replaced within its step", "[session]") {
  History history;
  history.reset(ahead(1));
  history.change(ahead(2), "");
  history.amend(ahead(4));
  CHECK(history.undo_title() == "swapin-ahead 1 -> 4");
  history.undo();
  CHECK(history.current() == ahead(1));
  history.redo();
  CHECK(history.current() == ahead(4));
}

}  // namespace tideline
