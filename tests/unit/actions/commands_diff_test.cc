#include <catch2/catch.hpp>

#include "app/actions/commands.h"
#include "app/actions/ui_model.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using app::run_action;
using test::Desk;
using test::open_tutorial;
using test::settle;
using Open = std::vector<std::string>;

const ui::DiffState& shown(Desk& viewer) {
  (void)app::make_ui_model(viewer);
  settle(viewer);
  return app::make_ui_model(viewer).diff;
}

}  // namespace

TEST_CASE("The diff view finds what the policy changes as soon as it is shown", "[session]") {
  Desk viewer;
  open_tutorial(viewer, 20);
  CHECK_FALSE(viewer.graph().shown_changes());
  REQUIRE(run_action(viewer, "view.tab", {"diff"}));
  const ui::DiffState& diff = shown(viewer);
  REQUIRE(diff.changes);
  CHECK(diff.before == "original");
  CHECK(diff.after == "current");
  CHECK(diff.changes->has_same_values);
  CHECK(diff.changes->counts.added > 0);
}

TEST_CASE("Scopes of the diff open with all around them, and ops are picked", "[session]") {
  Desk viewer;
  open_tutorial(viewer, 20);
  const auto early = run_action(viewer, "diff.expand", {"*"});
  REQUIRE_FALSE(early);
  REQUIRE(run_action(viewer, "diff.of", {"original", "current"}));
  settle(viewer);
  REQUIRE(run_action(viewer, "diff.expand", {"*"}));
  REQUIRE(viewer.view.diff.open.size() > 2);
  const std::string scope = viewer.view.diff.open.back();
  REQUIRE(run_action(viewer, "diff.toggle", {scope}));
  CHECK_FALSE(std::count(viewer.view.diff.open.begin(), viewer.view.diff.open.end(), scope));
  REQUIRE(run_action(viewer, "diff.toggle", {scope}));
  REQUIRE(run_action(viewer, "diff.collapse", {"*"}));
  CHECK(viewer.view.diff.open.empty());
  const auto gone = run_action(viewer, "diff.expand", {"nowhere"});
  REQUIRE_FALSE(gone);
  CHECK(gone.error().message.find("nothing differs in a scope 'nowhere'") != std::string::npos);

  REQUIRE(run_action(viewer, "diff.pick", {"conv1/Relu"}));
  CHECK(viewer.view.diff.op == "conv1/Relu");
  CHECK(app::selected_op(viewer) == viewer.graph().snapshot()->graph->graph().find("conv1/Relu"));
  viewer.view.tab = ui::Tab::kDiff;
  const ui::DiffState& diff = shown(viewer);
  REQUIRE(diff.text);
  CHECK(diff.text->op == "conv1/Relu");
  const auto kept = diff.text;
  CHECK(shown(viewer).text == kept);  // not made again for each frame
  CHECK_FALSE(run_action(viewer, "diff.pick", {"conv9/Relu"}));
}

TEST_CASE("Plans are remembered, files compared, and the lists scrolled", "[session]") {
  const test::TemporaryFolder folder;
  Desk viewer;
  open_tutorial(viewer, 20);
  REQUIRE(run_action(viewer, "diff.remember", {"A"}));
  REQUIRE(run_action(viewer, "diff.of", {"A", "current"}));
  settle(viewer);
  CHECK(viewer.graph().changes().changes->verdict == "A and current are equal");
  REQUIRE(run_action(viewer, "diff.file", {test::tutorial()}));
  settle(viewer);
  CHECK(viewer.view.tab == ui::Tab::kDiff);
  CHECK(viewer.graph().changes().changes->verdict == "original and tutorial_mnist.meta are equal");
  CHECK_FALSE(run_action(viewer, "diff.of", {"B", "current"}));
  REQUIRE(run_action(viewer, "diff.scroll", {"tree", "5"}));
  REQUIRE(run_action(viewer, "diff.scroll", {"tree", "-9"}));
  CHECK(viewer.view.diff.scroll_rows == 0);
  REQUIRE(run_action(viewer, "diff.scroll", {"text", "4"}));
  CHECK(viewer.view.diff.text_scroll_rows == 4);
  REQUIRE(run_action(viewer, "diff.overlay", {"on"}));
  CHECK(viewer.view.diff.is_overlay);
}

}  // namespace tideline
