#include "app/actions/ui_model.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "app/actions/commands.h"
#include "app/engine/folder.h"
#include "app/engine/op_card.h"
#include "core/base/output_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using app::make_ui_model;
using app::run_action;
using app::Viewer;
using test::Desk;
using test::open_tutorial;

}  // namespace

TEST_CASE("The model of an empty app says that nothing is there", "[session]") {
  Desk viewer;
  const ui::UiModel& model = make_ui_model(viewer);
  CHECK_FALSE(model.scene);
  CHECK(model.swaps.empty());
  CHECK(model.path.empty());
  CHECK_FALSE(model.actions.empty());
  REQUIRE(model.policy != nullptr);
}

TEST_CASE("The model shows graph, swaps, titles and messages", "[session]") {
  Desk viewer;
  open_tutorial(viewer, 50);
  REQUIRE(run_action(viewer, "policy.set", {"swapin-ahead", "4"}));
  CHECK(make_ui_model(viewer).is_stale);
  test::settle(viewer);
  const ui::UiModel& model = make_ui_model(viewer);
  CHECK_FALSE(model.is_stale);
  REQUIRE(model.scene);
  CHECK(model.scene->plan == &viewer.graph().snapshot()->plan());
  CHECK(model.format == "metagraph, binary, 83.24 KiB");
  CHECK(static_cast<std::int64_t>(model.swaps.size()) ==
        swap_in_count(viewer.graph().snapshot()->plan().swaps()));
  CHECK(model.undo_title == "swapin-ahead 3 -> 4");
  CHECK(model.unwritten);
  REQUIRE(model.scope_totals != nullptr);
  CHECK(model.scope_totals->bytes.size() == model.scene->scopes->scopes.size());
  CHECK(model.scope_totals->swapped.size() == model.scope_totals->bytes.size());
}

TEST_CASE("The selected op has a card; its reasons come a little later", "[session]") {
  Desk viewer;
  open_tutorial(viewer, 50);
  REQUIRE(run_action(viewer, "select.op", {"fc1/Relu"}));
  (void)make_ui_model(viewer);
  test::settle(viewer);
  const ui::UiModel& model = make_ui_model(viewer);
  REQUIRE(model.selected);
  CHECK(model.selected->name == "fc1/Relu");
  CHECK(model.selected->type == "Relu");
  CHECK(model.selected->phase == "forward");
  CHECK(model.selected->scope == "fc1");
  REQUIRE(model.selected->outputs.size() == 1);
  CHECK(model.selected->outputs[0].shape == "[?,1024]");
  CHECK_FALSE(model.selected->outputs[0].why.empty());
  CHECK(model.selected->outputs[0].memory.starts_with("device "));
  CHECK(model.selected->inputs == std::vector<std::string>{"fc1/add:0"});
  CHECK_FALSE(model.selected->consumers.empty());
  CHECK(model.selected->attributes[0] == std::pair<std::string, std::string>("T", "DT_FLOAT"));
}

TEST_CASE("Constants show their values", "[session]") {
  Desk viewer;
  open_tutorial(viewer);
  const Graph& graph = viewer.graph().snapshot()->graph->graph();
  const OpId op = graph.find("reshape/Reshape/shape");
  REQUIRE(op.valid());
  const ui::OpCard card = app::op_card(*viewer.graph().snapshot(), nullptr, op);
  const auto value = std::find_if(card.attributes.begin(), card.attributes.end(),
                                  [](const auto& entry) { return entry.first == "value"; });
  REQUIRE(value != card.attributes.end());
  CHECK(value->second == "DT_INT32 [4] {-1, 28, 28, 1}");
}

TEST_CASE("Searching fills the hits, and a new search replaces them", "[session]") {
  Desk viewer;
  open_tutorial(viewer);
  viewer.view.search = "op:Conv2D";
  CHECK(make_ui_model(viewer).search_hits ==
        std::vector<std::string>{"conv1/Conv2D", "conv2/Conv2D"});
  viewer.view.search = "scope:conv1 op:relu";
  CHECK(make_ui_model(viewer).search_hits == std::vector<std::string>{"conv1/Relu"});
  viewer.view.search = "";
  CHECK(make_ui_model(viewer).search_total == 0);
}

TEST_CASE("The folder is there while files are chosen", "[session]") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("z"));
  REQUIRE(write_file(folder.file("b.pb"), "12345", true));
  REQUIRE(write_file(folder.file(".hidden"), "", true));
  Desk viewer;
  viewer.view.browser_folder = folder.file("");
  CHECK_FALSE(make_ui_model(viewer).folder);
  REQUIRE(run_action(viewer, "file.open-dialog"));
  const auto& listing = make_ui_model(viewer).folder;
  REQUIRE(listing);
  REQUIRE(listing->entries.size() == 2);
  CHECK(listing->entries[0].is_folder);
  CHECK(listing->entries[1].name == "b.pb");
  CHECK(listing->entries[1].bytes == 5);
  REQUIRE(run_action(viewer, "file.browse", {folder.file("nowhere")}));
  CHECK_FALSE(make_ui_model(viewer).folder->error.empty());
}

}  // namespace tideline
