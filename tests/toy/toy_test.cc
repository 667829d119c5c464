// A rewriter appears in every front without a word about it there.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/actions/commands.h"
#include "app/actions/copy_as.h"
#include "app/actions/script.h"
#include "app/actions/ui_model.h"
#include "core/events/open_graph.h"
#include "core/io/digest.h"
#include "core/rewrite/policy_parameters.h"
#include "render/model/result_lines.h"
#include "render/view/op_layout.h"
#include "tests/support/temporary_folder.h"
#include "tests/toy/run.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {

TEST_CASE("A toy rewriter is a mode of rewrite, and its plan says its options", "[toy]") {
  const test::TemporaryFolder folder;
  const std::string graph = folder.file("copied.meta");
  const std::string plan = folder.file("plan.json");
  REQUIRE(run({"rewrite", "toy", test::tutorial(), "-o", graph, "--force", "--quiet", "--copies",
               "3", "--plan-json", plan})
              .code == 0);
  const auto json = nlohmann::json::parse(std::ifstream(plan));
  CHECK(json["options"] == nlohmann::json{{"copies", 3}, {"cpu_device", "/cpu:0"}});
  CHECK(json["added"].size() == 3);
  CHECK(json["kind"] == "toy");
  CHECK(json["copies"] == 3);
  Progress silent;
  const auto written = events::open_graph({.path = graph}, silent);
  REQUIRE(written);
  CHECK(written->graph.find("plain/copy_2").valid());
  CHECK_FALSE(written->graph.find("plain/copy_3").valid());
  CHECK(json["written"]["ops"] == written->graph.op_count());
  CHECK(json["written"]["digest"] == io::sha256_hex(written->graph_bytes));
  REQUIRE(json["warnings"].size() == 1);
  CHECK(json["warnings"][0]["text"] == "nobody needs these copies; 'loud' names them");
  CHECK(json["warnings"][0]["remedy"] == "loud");
  CHECK(json["predicted"]["model"] == "faithful");
}

TEST_CASE("A toy rewriter is a policy of the other verbs, by name or by its options", "[toy]") {
  CHECK(run({"simulate", test::tutorial(), "--policy", "toy"}).code == 0);
  CHECK(run({"simulate", test::tutorial(), "--copies", "2", "--style", "fancy"}).code == 0);
  CHECK(run({"simulate", test::tutorial(), "--style", "loud"}).code == 2);
  CHECK(run({"simulate", test::tutorial(), "--copies", "2", "--lb", "3"}).code == 2);
}

TEST_CASE("A script and an undo title know the toy's parameters", "[toy]") {
  app::Session opened;
  app::Viewer viewer(opened);
  test::open_tutorial(viewer);
  REQUIRE(app::run_action(viewer, "policy.mode", {"toy"}));
  REQUIRE(app::run_action(viewer, "policy.set", {"copies", "5"}));
  test::settle(viewer);
  CHECK(viewer.graph().undo_title() == "copies 1 -> 5");
  CHECK(viewer.graph().snapshot()->plan().edit.added.size() == 5);
  CHECK_FALSE(app::run_action(viewer, "policy.set", {"copies", "many"}));
  const auto line = app::command_line({.path = "g.meta"}, {}, viewer.graph().wish(), "out.meta");
  REQUIRE(line);
  CHECK(*line == "tideline rewrite toy g.meta --copies 5 --output out.meta");
  const auto call = app::python_call({}, viewer.graph().wish());
  REQUIRE(call);
  CHECK(*call == "lms = LMS(copies=5)\n");
  const auto infos = app::action_infos(viewer);
  const auto toy = std::find_if(infos.begin(), infos.end(),
                                [](const auto& info) { return info.id == "policy.choose toy"; });
  REQUIRE(toy != infos.end());
  CHECK(toy->checked);
}

TEST_CASE("The toy's counts, reasons and warning are shown wherever a plan is", "[toy]") {
  app::Session opened;
  app::Viewer viewer(opened);
  test::open_tutorial(viewer);
  std::vector<std::string> warned;
  std::string printed;
  const auto done = app::run_script(
      viewer, "policy.mode toy\npolicy.set copies 3\nprint result\nselect.op conv1/Relu\n",
      "toy.tls",
      {[&](std::string_view text) { printed += text; },
       {},
       [&](const Warning& warning) { warned.push_back(warning_text(warning, Naming::kOption)); }});
  REQUIRE(done.exit_code == 0);
  CHECK(warned == std::vector<std::string>{"nobody needs these copies; --loud names them"});
  CHECK(printed.find("\n3 toys\nwarning: nobody needs these copies; 'loud' names them\n") !=
        std::string::npos);
  test::settle(viewer);
  const ui::UiModel& model = app::make_ui_model(viewer);
  CHECK(ui::open_state_text(model).ends_with("+3 toy   1 warning"));
  REQUIRE(model.selected);
  CHECK(model.selected->outputs[0].why == "toys like it");
  const ui::ResultCard card = ui::result_card(model, 0);
  const auto line =
      std::find_if(card.lines.begin(), card.lines.end(),
                   [](const ui::ResultLine& entry) { return entry.name == "warning"; });
  REQUIRE(line != card.lines.end());
  CHECK(line->text == "nobody needs these copies; 'loud' names them");
  CHECK(line->action == "policy.set");
  CHECK(line->arguments == std::vector<std::string>{"loud", "on"});
}

TEST_CASE("Views show the graph that a plan gives, with its parts", "[toy]") {
  app::Session opened;
  app::Viewer viewer(opened);
  test::open_tutorial(viewer);
  REQUIRE(app::run_action(viewer, "policy.mode", {"toy"}));
  REQUIRE(app::run_action(viewer, "policy.set", {"copies", "5"}));
  test::settle(viewer);
  const app::Snapshot& snapshot = *viewer.graph().snapshot();
  const std::uint32_t count = snapshot.graph->graph().op_count();
  CHECK(snapshot.shown->graph().op_count() == count + 5);
  CHECK(snapshot.shown->graph().name(OpId{count}) == "plain/copy_0");
  REQUIRE(app::run_action(viewer, "select.op", {"plain/copy_2"}));
  const ui::UiModel& model = app::make_ui_model(viewer);
  REQUIRE(model.selected);
  CHECK(model.selected->name == "plain/copy_2");
  CHECK(model.report == std::vector<std::string>{fmt::format("copied 5 tensors of {} ops", count)});
  const render::OpLayout layout = render::layout_ops(*model.scene);
  const auto band = std::find_if(layout.bands.begin(), layout.bands.end(),
                                 [](const render::Band& entry) { return entry.is_part; });
  REQUIRE(band != layout.bands.end());
  CHECK(band->name == "copies: 5 of them");
  CHECK(band->ops >= 1);  // those that a step runs
  REQUIRE(app::run_action(viewer, "policy.mode", {"off"}));
  test::settle(viewer);
  CHECK(viewer.graph().snapshot()->shown == viewer.graph().snapshot()->graph);
  CHECK_FALSE(app::make_ui_model(viewer).selected);
}

}  // namespace tideline
