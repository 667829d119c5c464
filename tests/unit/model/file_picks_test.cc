#include "render/model/file_picks.h"

#include <catch2/catch.hpp>

#include "tests/unit/session/viewer_fixture.h"

namespace tideline::ui {

TEST_CASE("Loss, train op and inputs are found in the tutorial's file", "[picks]") {
  test::Desk desk;
  test::open_tutorial(desk);
  const app::OpenedGraph& opened = *desk.graph().snapshot()->graph;
  const FilePicks picks = file_picks(opened.graph(), opened.file->levels);
  const auto has = [](const std::vector<std::string>& names, const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  CHECK(has(picks.losses, "loss/sparse_softmax_cross_entropy_loss/value:0"));
  REQUIRE_FALSE(picks.train_ops.empty());
  CHECK(picks.train_ops.front() == "adam_optimizer/Adam");
  CHECK(has(picks.inputs, "Placeholder"));
  CHECK(has(picks.inputs, "Placeholder_1"));
  CHECK(picks.losses.size() <= kMostPicks);
}

}  // namespace tideline::ui
