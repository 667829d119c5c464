#include "render/ui/popups.h"

#include <catch2/catch.hpp>

#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

using ui::Intents;
using ui::Popup;

ui::FolderListing some_folder() {
  return {"/data/graphs", {{"old", true, 0}, {"mnist.meta", false, 85238}}, ""};
}

}  // namespace

TEST_CASE("Letters in their order are a match, beginnings of words a better one", "[popups]") {
  using ui::fuzzy_score;
  CHECK(fuzzy_score("Write graph", "wrgr"));
  CHECK_FALSE(fuzzy_score("Write graph", "gw"));
  CHECK(fuzzy_score("Write graph", ""));
  CHECK(*fuzzy_score("view.fit-selection", "fs") > *fuzzy_score("policy off scale", "fs"));
}

TEST_CASE("The palette runs the best match on Enter, and Esc closes it", "[popups]") {
  const auto fixture = empty_fixture();
  Driver driver(fixture->model);
  driver.view.popup = Popup::kPalette;
  driver.frames(3);
  driver.type("relo");
  driver.press(ImGuiKey_Enter);
  CHECK(driver.take() == Intents{{"file.reload"}});
  CHECK(driver.view.popup == Popup::kNone);
  driver.view.popup = Popup::kPalette;
  driver.frames(3);
  driver.press(ImGuiKey_Escape);
  driver.frames(2);
  CHECK(driver.view.popup == Popup::kNone);
}

TEST_CASE("Arrow keys choose in the palette, and another text begins at the best again",
          "[popups]") {
  const auto fixture = empty_fixture();
  Driver driver(fixture->model);
  driver.view.popup = Popup::kPalette;
  driver.frames(3);
  driver.press(ImGuiKey_UpArrow);  // there is nothing above the first
  driver.press(ImGuiKey_DownArrow);
  driver.press(ImGuiKey_Enter);
  CHECK(driver.take() == Intents{{"file.reload"}});
  driver.view.popup = Popup::kPalette;
  driver.frames(3);
  driver.press(ImGuiKey_DownArrow);
  driver.type("relo");
  driver.press(ImGuiKey_Enter);
  CHECK(driver.take() == Intents{{"file.reload"}});
}

TEST_CASE("The palette asks for what an action needs", "[popups]") {
  const auto fixture = empty_fixture();
  Driver driver(fixture->model);
  driver.view.popup = Popup::kPalette;
  driver.frames(3);
  driver.type("parameter");
  driver.press(ImGuiKey_Enter);
  driver.frames(2);
  CHECK(driver.take().empty());
  CHECK(driver.view.popup == Popup::kPalette);
  CHECK(driver.view.palette_text == "policy.set ");
}

TEST_CASE("The palette takes a whole line of a script", "[popups]") {
  const auto fixture = empty_fixture();
  Driver driver(fixture->model);
  driver.view.popup = Popup::kPalette;
  driver.frames(3);
  driver.type("policy.set swapin-ahead 5");
  driver.press(ImGuiKey_Enter);
  CHECK(driver.take() == Intents{{"policy.set", {"swapin-ahead", "5"}}});
}

TEST_CASE("What is no command is looked for among the ops", "[popups]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.view.popup = Popup::kPalette;
  driver.frames(3);
  driver.type("conv1/Relu");
  driver.press(ImGuiKey_Enter);
  CHECK(driver.take() == Intents{{"search.find", {"conv1/Relu"}}});
  CHECK(driver.view.popup == Popup::kSearch);
}

TEST_CASE("A hit of the search is selected and shown", "[popups]") {
  const auto fixture = tutorial();
  fixture->model.search_hits = {"conv1/Relu", "conv2/Relu"};
  fixture->model.search_total = 2;
  Driver driver(fixture->model);
  driver.view.popup = Popup::kSearch;
  driver.frames(3);
  driver.type("R");
  CHECK(driver.take() == Intents{{"search.find", {"R"}}});
  driver.click("search/conv2/Relu");
  CHECK(driver.take() == Intents{{"select.op", {"conv2/Relu"}}, {"view.fit-selection"}});
}

TEST_CASE("The file browser enters folders and opens files", "[popups]") {
  const auto fixture = empty_fixture();
  fixture->model.folder = some_folder();
  Driver driver(fixture->model);
  driver.view.popup = Popup::kOpen;
  driver.frames(3);
  driver.click("open/entries/old/");
  CHECK(driver.take() == Intents{{"file.browse", {"/data/graphs/old"}}});
  driver.click("open/Up");
  CHECK(driver.take() == Intents{{"file.browse", {"/data"}}});
  driver.click("open/entries/mnist.meta");
  CHECK(driver.take() == Intents{{"file.open", {"/data/graphs/mnist.meta"}}});
  CHECK(driver.view.popup == Popup::kNone);
}

TEST_CASE("The write dialog writes to the path that was typed, and replaces only when told",
          "[popups]") {
  const auto fixture = tutorial();
  fixture->model.folder = some_folder();
  Driver driver(fixture->model);
  driver.view.popup = Popup::kWrite;
  driver.frames(3);
  driver.type("/tmp/out.meta");
  driver.click("write/Write graph");
  CHECK(driver.take() == Intents{{"file.write", {"/tmp/out.meta"}}});
  driver.view.popup = Popup::kWrite;
  driver.frames(3);
  driver.click("write/Replace");
  CHECK(driver.take() == Intents{{"file.write", {"/tmp/out.meta", "force"}}});
}

TEST_CASE("Behind a dialog that an action has closed the window is alive", "[popups]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.view.popup = Popup::kKeys;
  driver.frames(3);
  driver.view.popup = Popup::kNone;
  driver.frames(2);
  driver.click("result/Write graph...");
  CHECK(driver.take() == Intents{{"file.write-dialog"}});
}

TEST_CASE("Escape closes an open menu or list", "[popups]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.click("menu/Edit");
  REQUIRE(driver.has("menu/Edit/Redo"));
  driver.press(ImGuiKey_Escape);
  driver.frames(1);
  CHECK_FALSE(driver.has("menu/Edit/Redo"));
  driver.click("policy/mode");
  REQUIRE(driver.has("policy/mode/lms1"));
  driver.press(ImGuiKey_Escape);
  driver.frames(1);
  CHECK_FALSE(driver.has("policy/mode/lms1"));
  CHECK(driver.take().empty());
}

TEST_CASE("The dialog for finding asks for its own example", "[popups]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.view.popup = Popup::kSearch;
  driver.frames(3);
  driver.type("bytes>10M");
  CHECK(driver.take().back() == ui::Intent{"search.find", {"bytes>10M"}});
}

TEST_CASE("Every popup can be drawn with nothing open and with a graph", "[popups]") {
  for (const bool open : {false, true}) {
    const auto fixture = open ? tutorial() : empty_fixture();
    Driver driver(fixture->model);
    for (const Popup popup :
         {Popup::kOpen, Popup::kOpenLog, Popup::kOpenTrace, Popup::kWrite, Popup::kKeys,
          Popup::kPalette, Popup::kSearch, Popup::kMessages, Popup::kAbout, Popup::kQuit}) {
      driver.view.popup = popup;
      driver.frames(3);
      CHECK(driver.view.popup == popup);
      driver.press(ImGuiKey_Escape);
      driver.frames(2);
      CHECK(driver.view.popup == Popup::kNone);
    }
  }
}

}  // namespace tideline::gui
