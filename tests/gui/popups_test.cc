#include "render/ui/popups.h"

#include <catch2/catch.hpp>

#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

using ui::Intents;
using ui::Popup;

ui::FolderListing some_folder() {
  return {"/data/graphs", false, {{"old", true, 0}, {"mnist.meta", false, 85238}}, ""};
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

TEST_CASE("The dialog that opens has the keyboard in its path", "[popups]") {
  const auto fixture = empty_fixture();
  fixture->model.folder = some_folder();
  fixture->model.file_filters = {{"Graphs", {".meta"}}, {"All files", {}}};
  fixture->model.folder->entries.push_back({"notes.txt", false, 9});
  Driver driver(fixture->model);
  driver.view.popup = Popup::kOpen;
  driver.view.browser_text = "left over";
  driver.frames(3);
  CHECK_FALSE(driver.has("open/entries/notes.txt"));
  driver.click("open/files");
  driver.click("open/files/All files");
  driver.frames(2);
  CHECK(driver.has("open/entries/notes.txt"));
  driver.view.popup = Popup::kNone;
  driver.frames(2);
  driver.view.popup = Popup::kOpen;
  driver.frames(3);
  driver.type("mn");
  driver.frames(2);
  CHECK(driver.has("open/entries/mnist.meta"));
  CHECK_FALSE(driver.has("open/entries/old/"));
  driver.type("ist.meta");
  driver.press(ImGuiKey_Enter);
  CHECK(driver.take() == Intents{{"file.open", {"/data/graphs/mnist.meta"}}});
  CHECK(driver.view.popup == Popup::kNone);
}

TEST_CASE("Folders are typed into, and Enter goes into one", "[popups]") {
  const auto fixture = empty_fixture();
  fixture->model.folder = some_folder();
  Driver driver(fixture->model);
  driver.after_frame = [&] {  // as the app, which lists what is browsed
    for (const ui::Intent& intent : driver.intents) {
      if (intent.action == "file.browse") fixture->model.folder->path = intent.arguments[0];
    }
  };
  driver.view.popup = Popup::kOpen;
  driver.frames(3);
  driver.type("old");
  driver.press(ImGuiKey_Enter);
  driver.frames(2);
  CHECK(driver.view.browser_text == "/data/graphs/old/");
  CHECK(driver.take() == Intents{{"file.browse", {"/data/graphs/old"}}});
  driver.press(ImGuiKey_Enter);  // a folder that is typed whole is opened
  driver.frames(2);
  CHECK(driver.take() == Intents{{"file.open", {"/data/graphs/old"}}});
  driver.view.popup = Popup::kOpen;
  driver.frames(3);
  driver.type("/data/other/mnist.meta");
  driver.press(ImGuiKey_Enter);
  driver.frames(3);
  CHECK(driver.take().back() == ui::Intent{"file.open", {"/data/other/mnist.meta"}});
}

TEST_CASE("Enter on a name that is not there opens nothing, and the dialog says so", "[popups]") {
  const auto fixture = empty_fixture();
  fixture->model.folder = some_folder();
  Driver driver(fixture->model);
  driver.view.popup = Popup::kOpen;
  driver.frames(3);
  driver.type("resnet.meta");
  driver.press(ImGuiKey_Enter);
  driver.frames(2);
  CHECK(driver.take().empty());
  CHECK(driver.view.popup == Popup::kOpen);
}

TEST_CASE("Enter writes, each form to its own path", "[popups]") {
  const auto fixture = tutorial();
  fixture->model.folder = some_folder();
  Driver driver(fixture->model);
  driver.view.popup = Popup::kWrite;
  driver.frames(3);
  driver.type("/tmp/out.meta");
  driver.press(ImGuiKey_Enter);
  CHECK(driver.take() == Intents{{"file.write", {"/tmp/out.meta"}}});
  CHECK(driver.view.popup == Popup::kNone);
  const std::vector<std::pair<std::string, Intents>> forms = {
      {"TensorBoard log", {{"file.write-log", {"/tmp/a.csv.json.svg"}}}},
      {"Plan", {{"file.write-plan", {"/tmp/b.json"}}}},
      {"Tables", {{"file.write-csv", {"/tmp/c.csv"}}}},
      {"Picture", {{"file.write-picture", {"/tmp/d.svg", "levels"}}}},
      {"Window", {{"file.write-picture", {"/tmp/e.png", "window"}}}}};
  for (const auto& [form, intents] : forms) {
    INFO(form);
    driver.view.popup = Popup::kWrite;
    driver.frames(3);
    driver.click("write/" + form);
    driver.frames(2);
    driver.type(intents[0].arguments[0]);
    driver.press(ImGuiKey_Enter);
    CHECK(driver.take() == intents);
  }
  CHECK(driver.view.write_paths[0] == "/tmp/out.meta");
}

TEST_CASE("A plan is not written into a graph's name", "[popups]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.view.popup = Popup::kWrite;
  driver.view.write_form = ui::WriteForm::kPlan;
  driver.view.write_paths[2] = "/tmp/x_lms.meta";
  driver.frames(3);
  driver.press(ImGuiKey_Enter);
  driver.click("write/Write");
  CHECK(driver.take().empty());
  CHECK(driver.view.popup == Popup::kWrite);
}

TEST_CASE("Replacing a file is a question that keeps the dialog open", "[popups]") {
  const auto fixture = tutorial();
  fixture->model.write_place.exists = true;
  Driver driver(fixture->model);
  driver.view.popup = Popup::kWrite;
  driver.frames(3);
  driver.type("/tmp/out.meta");
  driver.press(ImGuiKey_Enter);
  driver.frames(2);
  CHECK(driver.take().empty());
  REQUIRE(driver.has("write/Replace"));
  driver.press(ImGuiKey_Escape);
  driver.frames(2);
  CHECK(driver.view.popup == Popup::kWrite);
  CHECK_FALSE(driver.has("write/Replace"));
  driver.click("write/Write");
  driver.frames(2);
  driver.click("write/Replace");
  CHECK(driver.take() == Intents{{"file.write", {"/tmp/out.meta", "force"}}});
  CHECK(driver.view.popup == Popup::kNone);
}

TEST_CASE("What an earlier window left unwritten has a button that restores it", "[popups]") {
  const auto fixture = empty_fixture();
  Driver driver(fixture->model);
  driver.frames(2);
  CHECK_FALSE(driver.has("unwritten/Restore"));
  fixture->model.unwritten_before = {"/home/a/unwritten-before-1.sh"};
  driver.frames(2);
  driver.click("unwritten/Restore");
  CHECK(driver.take() == Intents{{"file.restore", {"/home/a/unwritten-before-1.sh"}}});
  driver.click("unwritten/Dismiss");
  CHECK(driver.take() == Intents{{"file.forget-unwritten"}});
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
