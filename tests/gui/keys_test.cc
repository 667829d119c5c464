#include "app/gui/keys.h"

#include <catch2/catch.hpp>
#include <set>

#include "app/actions/commands.h"
#include "app/gui/glfw_window.h"
#include "core/base/text.h"
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

TEST_CASE("Every key of the key sheet, Escape too, is one that the window tells", "[keys]") {
  std::set<std::string> names = {"?"};  // Shift and /, as the layout has it
  for (int code = 0; code < 512; ++code) names.insert(key_name(code));
  const auto is_told = [&](const std::string& chord) {
    for (const std::string& name : names) {
      for (int held = 0; held < 8; ++held) {
        if (matches(chord, key(name, (held & 1) != 0, (held & 2) != 0, (held & 4) != 0)))
          return true;
      }
    }
    return false;
  };
  std::vector<std::string> chords;
  const auto add = [&](std::string_view keys) {
    for (std::string& chord : split_list(keys, ' ')) chords.push_back(std::move(chord));
  };
  for (const app::Action& action : app::actions()) add(action.keys);
  for (const app::Shortcut& shortcut : app::shortcuts()) add(shortcut.keys);
  REQUIRE(chords.size() > 30);
  for (const std::string& chord : chords) {
    INFO(chord);
    CHECK(is_told(chord));
  }
}

TEST_CASE("Escape clears the selection, but not while a text is typed", "[keys]") {
  const auto fixture = tutorial();
  fixture->model.actions.push_back(
      {"select.clear", "Clear the selection", "View", "Escape", "Clear it"});
  ui::ViewState view;
  CHECK(press_key(key("Escape"), "Escape", fixture->model, view, {}) == ui::Intent{"select.clear"});
  CHECK_FALSE(press_key(key("Escape"), "Escape", fixture->model, view, {.is_typing = true}));
}

TEST_CASE("No key reaches the view behind a dialog or an open list", "[keys]") {
  const auto fixture = tutorial();
  fixture->model.actions.push_back(
      {"select.clear", "Clear the selection", "View", "Escape", "Clear it"});
  for (const bool is_dialog : {true, false}) {
    ui::ViewState view;
    view.popup = is_dialog ? ui::Popup::kKeys : ui::Popup::kNone;
    const InFront front = {.is_typing = false, .has_list = !is_dialog};
    const ui::AxisRange before = view.axis;
    for (const char* name : {".", "Home", "F1", "W", "Left", "Escape"}) {
      INFO(name);
      CHECK_FALSE(press_key(key(name), name, fixture->model, view, front));
    }
    CHECK_FALSE(press_key(key("Z", true), "Z", fixture->model, view, front));
    CHECK(view.axis == before);
    CHECK(press_key(key("Q", true), "Q", fixture->model, view, front) == ui::Intent{"file.quit"});
  }
  ui::ViewState view;
  CHECK_FALSE(press_key(key("W"), "W", fixture->model, view, {}));
  CHECK(view.axis.span > 0);
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
