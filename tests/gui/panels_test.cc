#include <catch2/catch.hpp>

#include "core/rewrite/lms/scope_rules.h"
#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

using ui::Intent;
using ui::Intents;

Intents clicked(Driver& driver, std::string_view label) {
  driver.take();
  driver.click(label);
  return driver.take();
}

}  // namespace

TEST_CASE("An empty window says how to open a graph", "[panels]") {
  const auto fixture = empty_fixture();
  Driver driver(fixture->model);
  CHECK(clicked(driver, "welcome/Open the sample") == Intents{{"file.open-sample"}});
  CHECK(clicked(driver, "welcome/Open...") == Intents{{"file.open-dialog"}});
  CHECK(clicked(driver, "welcome/recent//home/ann/logs/run1") ==
        Intents{{"file.open", {"/home/ann/logs/run1"}}});
}

TEST_CASE("A menu's line asks for its action, and a disabled one for nothing", "[panels]") {
  const auto fixture = empty_fixture();
  Driver driver(fixture->model);
  driver.click("menu/Edit");
  CHECK(clicked(driver, "menu/Edit/Undo: swapin ahead 3 \u2192 5") == Intents{{"edit.undo"}});
  driver.click("menu/Edit");
  CHECK(clicked(driver, "menu/Edit/Redo").empty());
}

TEST_CASE("Dragging a slider asks for each number on the way", "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.drag("policy/swapout threshold", 40, 0);
  const Intents asked = driver.take();
  REQUIRE(asked.size() > 1);
  for (const Intent& intent : asked) {
    CHECK(intent.action == "policy.set");
    CHECK(intent.arguments.at(0) == "swapout-threshold");
  }
  CHECK(std::stoi(asked.back().arguments.at(1)) > 50);
}

TEST_CASE("The mode is chosen from a list", "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.click("policy/mode");
  CHECK(clicked(driver, "policy/mode/lms1") == Intents{{"policy.choose", {"lms1"}}});
}

TEST_CASE("How the step is simulated is chosen from a list, and whose order from another",
          "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model, 1400, 2400);
  driver.click("policy/More parameters");
  driver.click("policy/more/executor");
  CHECK(clicked(driver, "policy/more/executor/GPU") ==
        Intents{{"graph.as-run", {"modelled", "gpu"}}});
  driver.click("policy/step");
  CHECK(clicked(driver, "policy/step/as in the file") == Intents{{"graph.as-run", {"off"}}});
  driver.click("policy/step");
  CHECK(clicked(driver, "policy/step/exactly, by TensorFlow") ==
        Intents{{"graph.as-run", {"exact"}}});
  fixture->model.run = kAsInFile;
  driver.frames(2);
  CHECK_FALSE(driver.has("policy/more/executor"));
}

TEST_CASE("Mode lms1 shows its own parameters, mode off none", "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  CHECK_FALSE(driver.has("policy/tensors"));
  fixture->policy.rewriter = "lms1";
  driver.frames(2);
  CHECK(driver.has("policy/tensors"));
  CHECK(driver.has("policy/lower bound"));
  CHECK_FALSE(driver.has("policy/swapout threshold"));
  CHECK(clicked(driver, "policy/fuse swap-ins") == Intents{{"policy.set", {"fuse-swapins", "on"}}});
  fixture->policy.rewriter = "off";
  driver.frames(2);
  CHECK_FALSE(driver.has("policy/tensors"));
  CHECK(driver.has("policy/device budget"));
}

TEST_CASE("Texts and lists are typed into fields under the heading of further parameters",
          "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model, 1400, 2400);
  CHECK_FALSE(driver.has("policy/more/host device"));
  CHECK(clicked(driver, "policy/More parameters").empty());
  CHECK(clicked(driver, "policy/more/Keras") == Intents{{"policy.set", {"keras", "on"}}});
  CHECK(clicked(driver, "policy/more/excl-output-by-types").empty());
  driver.type("Conv2D,Relu");
  CHECK(driver.take().empty());
  driver.press(ImGuiKey_Enter);
  CHECK(driver.take() == Intents{{"policy.set", {"excl-output-by-types", "Conv2D,Relu"}}});
}

TEST_CASE("A field that is left after a change has its text, one that is only clicked asks nothing",
          "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model, 1400, 2400);
  driver.click("policy/More parameters");
  driver.click("policy/more/serialization");
  driver.click("policy/more/serialization by size");
  CHECK(driver.take().empty());
  driver.type("4GiB");
  driver.click("policy/more/host budget");
  CHECK(driver.take() == Intents{{"policy.set", {"serialization-by-size", "4GiB"}}});
}

TEST_CASE("Without a plan for the policy nothing can be written, and one click goes back",
          "[panels]") {
  const auto fixture = tutorial();
  fixture->model.policy_error = "excl-output-by-scopes: no op is in 'nowhere'";
  Driver driver(fixture->model);
  CHECK(clicked(driver, "result/Write graph...").empty());
  CHECK(clicked(driver, "result/Write TB log...").empty());
  CHECK(clicked(driver, "result/Go back to the last valid policy") == Intents{{"policy.revert"}});
  fixture->model.policy_error.clear();
  driver.frames(2);
  CHECK_FALSE(driver.has("result/Go back to the last valid policy"));
  CHECK(clicked(driver, "result/Write graph...") == Intents{{"file.write-dialog"}});
}

TEST_CASE("Swaps that do not lower the peak are told, and kept with one click", "[panels]") {
  const auto fixture = tutorial();
  REQUIRE(idle_swaps(fixture->snapshot->effects()).count > 0);
  Driver driver(fixture->model, 1400, 2400);
  CHECK(clicked(driver, "result/Keep all of these") == Intents{{"tensor.keep-idle"}});
  const auto none = gui::fixture("assets/samples/tutorial_mnist.meta", lms2(90, 3, 2), 100);
  REQUIRE(idle_swaps(none->snapshot->effects()).count == 0);
  CHECK_FALSE(Driver(none->model, 1400, 2400).has("result/Keep all of these"));
}

TEST_CASE("A plan that raises the peak does not look like success", "[panels]") {
  const auto worse = gui::fixture("assets/samples/tutorial_mnist.meta", lms2(10, 3, 0), 256);
  const auto& device = worse->snapshot->devices.front();
  REQUIRE(device.after->timeline.device_peak > device.original->before.timeline.device_peak);
  CHECK(Driver(worse->model).has("result/raised"));
  const auto better = tutorial();
  CHECK_FALSE(Driver(better->model).has("result/raised"));
}

TEST_CASE("The result says how long a step takes, and what that rests on", "[panels]") {
  const auto swapped = tutorial();
  Driver driver(swapped->model, 1400, 2400);
  for (const char* label : {"result/step", "result/copies", "result/range"}) {
    CHECK(driver.has(label));
  }
  const auto off = gui::fixture("assets/samples/tutorial_mnist.meta", Policy(), 100);
  Driver without(off->model, 1400, 2400);
  CHECK(without.has("result/step"));
  CHECK_FALSE(without.has("result/copies"));
}

TEST_CASE("Tuning needs a budget", "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  CHECK(clicked(driver, "policy/Tune to budget").empty());
  fixture->policy.budget = MemoryBudget{.device = Bytes{64} << 20U};
  driver.frames(2);
  CHECK(clicked(driver, "policy/Tune to budget") == Intents{{"policy.tune"}});
  CHECK(clicked(driver, "policy/automatic") == Intents{{"policy.auto", {"on"}}});
}

TEST_CASE("A scope is never swapped, or one of the only ones, by a choice of three", "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  CHECK(clicked(driver, "scopes/conv1/rule").empty());
  CHECK(clicked(driver, "scopes/conv1/rule/never swap") ==
        Intents{{"scope.set", {"conv1", "never"}}});
  driver.click("scopes/conv1/rule");
  CHECK(clicked(driver, "scopes/conv1/rule/only these") ==
        Intents{{"scope.set", {"conv1", "only"}}});
  set_value(fixture->policy, "excl-output-by-scopes", std::vector<std::string>{"conv1"});
  driver.frames(2);
  driver.click("scopes/conv1/rule");
  CHECK(clicked(driver, "scopes/conv1/rule/automatic") ==
        Intents{{"scope.set", {"conv1", "auto"}}});
  driver.click("scopes/conv1/rule");
  CHECK(clicked(driver, "scopes/conv1/rule/never swap").empty());  // it is that already
}

TEST_CASE("Rules of scopes are said above the tree, and cleared there", "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  CHECK_FALSE(driver.has("scopes/Clear"));
  for (const char* mode : {"lms2", "lms1"}) {
    fixture->policy.rewriter = mode;
    REQUIRE(
        set_scope_rule(fixture->policy, *fixture->model.scene->graph, "conv1", ScopeRule::kNever));
    driver.frames(2);
    CHECK(clicked(driver, "scopes/Clear") == Intents{{"scope.clear"}});
  }
}

TEST_CASE("Headings of sections and columns explain themselves", "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  for (const char* label : {"headings/Scopes", "scopes/headings/swap", "scopes/headings/size",
                            "headings/Swaps", "swaps/headings/slack"}) {
    INFO(label);
    const std::string hint = std::string(label) + "/hint";
    CHECK_FALSE(driver.has(hint));
    driver.move_to(middle(driver.rect(label)));
    driver.frames(2);
    CHECK(driver.has(hint));
  }
}

TEST_CASE("Fields under further parameters are as wide as the panel, so no name is cut",
          "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model, 1400, 2400);
  driver.click("policy/More parameters");
  const float panel = driver.rect("policy/More parameters").width();
  for (const char* name : {"excl-output-by-scopes", "incl-input-by-types", "keep tensors"}) {
    CHECK(driver.rect(std::string("policy/more/") + name).width() > 0.8F * panel);
  }
}

TEST_CASE("A scope opens on a click, and closes on the next one", "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  CHECK_FALSE(driver.has("scopes/conv1/Variable"));
  driver.click("scopes/conv1");
  CHECK(driver.view.open_scopes.size() == 1);
  CHECK(driver.has("scopes/conv1/Variable"));
  driver.click("scopes/conv1");
  CHECK_FALSE(driver.has("scopes/conv1/Variable"));
}

TEST_CASE("The filter of the scopes takes words and regular expressions", "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.click("scopes/filter");
  driver.type("^conv.$");
  driver.frames(2);
  CHECK(driver.view.scope_filter == "^conv.$");
  CHECK(driver.has("scopes/conv1"));
  CHECK_FALSE(driver.has("scopes/reshape"));
}

TEST_CASE("Words in the filter of the scopes are looked for in whole paths, in any case",
          "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.view.scope_filter = "FC1/VAR";
  driver.frames(2);
  CHECK(driver.has("scopes/fc1/Variable"));
  CHECK_FALSE(driver.has("scopes/conv1"));
}

TEST_CASE("The result offers to write and to copy", "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model, 1400, 1200);
  CHECK(clicked(driver, "result/Write graph...") == Intents{{"file.write-dialog"}});
  CHECK(clicked(driver, "result/Copy command line") == Intents{{"edit.copy-command-line"}});
  CHECK(clicked(driver, "result/Copy Python call") == Intents{{"edit.copy-python"}});
}

TEST_CASE("The peaks of a traced step stand on the card with their parts, and are explained",
          "[panels]") {
  const auto plain = tutorial();
  Driver without(plain->model);
  CHECK(without.has("result/parts"));
  CHECK_FALSE(without.has("result/measured"));
  const auto logged = fixture("tests/data/logs/tf1_mlp", Policy());
  Driver driver(logged->model);
  driver.move_to(middle(driver.rect("result/measured")));
  driver.frames(2);
  CHECK(driver.has("result/hint"));
}

TEST_CASE("The inspector explains, overrides and leads on", "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  CHECK_FALSE(driver.has("inspector/conv1/Relu:0/Swap"));
  select(*fixture, driver.view, "conv1/Relu");
  driver.frames(2);
  CHECK(clicked(driver, "inspector/conv1/Relu:0/Keep on device") ==
        Intents{{"tensor.keep", {"conv1/Relu:0"}}});
  CHECK(clicked(driver, "inspector/conv1/Relu:0/Swap") ==
        Intents{{"tensor.swap", {"conv1/Relu:0"}}});
  driver.click("inspector/rule");
  CHECK(clicked(driver, "inspector/rule/never swap") == Intents{{"scope.set", {"conv1", "never"}}});
  CHECK(clicked(driver, "inspector/inputs/conv1/add:0") == Intents{{"select.op", {"conv1/add:0"}}});
}

TEST_CASE("The status bar cancels what is going on, and opens the messages", "[panels]") {
  const auto fixture = tutorial();
  fixture->model.job = ui::JobStatus{"Reading big.pb", "ops", 0.5};
  fixture->model.messages = {{ui::MessageKind::kError, "big.pb: byte 7: expected a field"}};
  Driver driver(fixture->model);
  CHECK(clicked(driver, "status/Cancel") == Intents{{"job.cancel"}});
  driver.click("status/messages");
  CHECK(driver.view.popup == ui::Popup::kMessages);
}

TEST_CASE("Side panels give way to the centre when they are hidden", "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  const render::Rect before = driver.rect("levels/canvas");
  driver.view.show_left = driver.view.show_right = driver.view.show_bottom = false;
  driver.frames(2);
  const render::Rect after = driver.rect("levels/canvas");
  CHECK(after.width() > before.width() + 500);
  CHECK(after.height() > before.height() + 100);
  CHECK_FALSE(driver.has("policy/mode"));
}

TEST_CASE("Splitters follow the mouse within limits", "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.drag("splitter left", 60, 0);
  CHECK(driver.view.left_px == 360);  // 300 at first
  driver.drag("splitter left", -2000, 0);
  CHECK(driver.view.left_px == 230);
  const float share = driver.view.bottom_share;
  driver.drag("splitter bottom", 0, -50);
  CHECK(driver.view.bottom_share > share);
}

TEST_CASE("A window too small for everything still draws everything that fits", "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model, 300, 200);
  driver.frames(3);
  CHECK(driver.vertex_count() > 0);
}

}  // namespace tideline::gui
