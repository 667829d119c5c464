#include "app/gui/keys.h"

#include <catch2/catch.hpp>

#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

KeyPress key(std::string name, bool ctrl = false, bool shift = false, bool alt = false) {
  return {std::move(name), ctrl, shift, alt};
}

}  // namespace

TEST_CASE("A chord means its keys and no others", "[keys]") {
  CHECK(matches("Ctrl+Shift+Z", key("Z", true, true)));
  CHECK_FALSE(matches("Ctrl+Shift+Z", key("Z", true)));
  CHECK_FALSE(matches("Ctrl+Z", key("Z", true, true)));
  CHECK(matches("Alt+Left", key("Left", false, false, true)));
  CHECK(matches("F1", key("F1")));
  CHECK(matches("Ctrl++", key("+", true)));
  CHECK_FALSE(matches("", key("Z")));
  CHECK_FALSE(matches("Hyper+Z", key("Z")));
}

TEST_CASE("A question mark is one with and without Shift", "[keys]") {
  CHECK(matches("?", key("?")));
  CHECK(matches("?", key("?", false, true)));
}

TEST_CASE("An action has any of its keys, unless it is disabled", "[keys]") {
  const auto fixture = empty_fixture();
  CHECK(intent_of(key("R", true), fixture->model, false) == ui::Intent{"file.reload"});
  CHECK(intent_of(key("F5"), fixture->model, false) == ui::Intent{"file.reload"});
  CHECK_FALSE(intent_of(key("Y", true), fixture->model, false));
  CHECK_FALSE(intent_of(key("J"), fixture->model, false));
}

TEST_CASE("While a text is typed its letters and its own keys are left alone", "[keys]") {
  const auto fixture = empty_fixture();
  CHECK(intent_of(key("."), fixture->model, false) == ui::Intent{"select.next-swap"});
  CHECK_FALSE(intent_of(key("."), fixture->model, true));
  CHECK_FALSE(intent_of(key("Z", true), fixture->model, true));
  CHECK_FALSE(intent_of(key("Home"), fixture->model, true));
  CHECK(intent_of(key("O", true), fixture->model, true) == ui::Intent{"file.open-dialog"});
}

TEST_CASE("W zooms in, S out, A and D move", "[keys]") {
  const auto fixture = tutorial();
  ui::ViewState view;
  REQUIRE(navigate("W", fixture->model, view));
  CHECK(view.axis.span == 94 / 1.4);
  const double first = view.axis.first;
  navigate("D", fixture->model, view);
  CHECK(view.axis.first > first);
  navigate("A", fixture->model, view);
  // Forth and back by the same is rounded twice.
  CHECK(view.axis.first == Approx(first));
  navigate("S", fixture->model, view);
  CHECK(view.axis == ui::AxisRange{});
  CHECK_FALSE(navigate("Q", fixture->model, view));
}

TEST_CASE("Nothing is navigated where nothing is open", "[keys]") {
  const auto fixture = empty_fixture();
  ui::ViewState view;
  CHECK_FALSE(navigate("W", fixture->model, view));
}

}  // namespace tideline::gui
