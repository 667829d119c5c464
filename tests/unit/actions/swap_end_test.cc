#include "app/actions/swap_end.h"

#include <catch2/catch.hpp>

#include "app/actions/commands.h"
#include "tests/support/test_data.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using app::run_action;
using test::Desk;

void open_swapped(app::Viewer& viewer, const char* name, int batch, int threshold, int ahead) {
  app::Wish wish;
  wish.policy.rewriter = "lms2";
  set_value(wish.policy, "swapout-threshold", threshold);
  set_value(wish.policy, "swapin-ahead", ahead);
  set_value(wish.policy, "swapin-groupby", 0);
  app::open_graph(viewer, {.graph = {.path = test::graph_file(name).string()}, .batch_size = batch},
                  wish);
  test::settle(viewer);
  REQUIRE(viewer.graph().snapshot());
}

// The levels of the producer and of the last reader of what is selected.
struct Way {
  double producer = 0, last = 0;
};
Way way_of_selected(const app::Viewer& viewer) {
  const app::Snapshot& snapshot = *viewer.graph().snapshot();
  const LevelMap& levels = snapshot.graph->file->levels;
  Way way;
  for (const PlannedSwap& swap : snapshot.plan().swaps()) {
    if (swap.tensor.op != viewer.view.selected->op) continue;
    way.producer = levels.level(swap.tensor.op);
    for (const PlannedSwapIn& in : swap.swap_ins) {
      for (const OpId reader : in.consumers) {
        way.last = std::max(way.last, static_cast<double>(levels.level(reader)));
      }
    }
  }
  return way;
}

bool is_shown(const app::Viewer& viewer, double level) {
  const ui::AxisRange& axis = viewer.view.axis;
  return level >= axis.first && level + 1 <= axis.first + axis.span;
}

void check_three_keys(app::Viewer& viewer) {
  const std::size_t swaps = viewer.graph().snapshot()->plan().swaps().size();
  REQUIRE(swaps > 10);
  for (std::size_t i = 0; i < swaps; i += 5) {
    const std::size_t from = 7 * i % 480;  // both graphs have more levels
    REQUIRE(run_action(viewer, "view.range", {std::to_string(from), std::to_string(from + 29)}));
    REQUIRE(run_action(viewer, "select.next-swap"));
    const Way way = way_of_selected(viewer);
    REQUIRE(run_action(viewer, "view.fit-selection"));
    CHECK(is_shown(viewer, way.producer));
    CHECK(app::shown_end(viewer) == app::SwapEnd::kOut);
    REQUIRE(run_action(viewer, "view.fit-selection"));
    CHECK(is_shown(viewer, way.last));
    CHECK(app::shown_end(viewer) == app::SwapEnd::kIn);
    // And back.
    REQUIRE(run_action(viewer, "view.fit-selection"));
    CHECK(is_shown(viewer, way.producer));
  }
}

}  // namespace

TEST_CASE("Three keys lead from any levels to a swap, its producer and its last reader: resnet50",
          "[session]") {
  Desk viewer;
  open_swapped(viewer, "resnet50.meta", 16, 100, 50);
  check_three_keys(viewer);
}

TEST_CASE(
    "Three keys lead from any levels to a swap, its producer and its last reader: transformer",
    "[session]") {
  Desk viewer;
  open_swapped(viewer, "transformer.meta", 8, 60, 10);
  check_three_keys(viewer);
}

TEST_CASE("The end of a swap that is shown stays with the next one, other levels stay as they are",
          "[session]") {
  Desk viewer;
  open_swapped(viewer, "resnet50.meta", 16, 100, 50);
  REQUIRE(run_action(viewer, "view.range", {"200", "229"}));
  REQUIRE(run_action(viewer, "select.next-swap"));
  CHECK(viewer.view.axis == ui::AxisRange{200, 30});
  CHECK_FALSE(app::shown_end(viewer));
  REQUIRE(run_action(viewer, "view.fit-selection"));
  REQUIRE(run_action(viewer, "view.fit-selection"));
  REQUIRE(run_action(viewer, "select.next-swap"));
  CHECK(app::shown_end(viewer) == app::SwapEnd::kIn);
  CHECK(is_shown(viewer, way_of_selected(viewer).last));
  REQUIRE(run_action(viewer, "select.previous-swap"));
  CHECK(app::shown_end(viewer) == app::SwapEnd::kIn);
  // An op that is not swapped is fitted as before, with its readers.
  REQUIRE(run_action(viewer, "search.find", {"op:Placeholder"}));
  CHECK_FALSE(app::show_end(viewer, app::SwapEnd::kOut));
  REQUIRE(run_action(viewer, "view.fit-selection"));
}

}  // namespace tideline
