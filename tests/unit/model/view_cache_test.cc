#include "render/model/view_cache.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "app/actions/commands.h"
#include "app/actions/ui_model.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline::ui {
namespace {

// How many ops have a kind other than the first.
std::int64_t marked(const render::LevelsPaint& paint) {
  const auto& kinds = paint.ops.kind_of;
  return std::count_if(kinds.begin(), kinds.end(), [](std::uint8_t kind) { return kind > 0; });
}

}  // namespace

TEST_CASE("colours of levels are made anew for other plans, words, themes and graphs", "[model]") {
  test::Desk desk;
  test::open_tutorial(desk);
  ViewCache cache;
  const auto paint = [&]() -> const render::LevelsPaint* {
    const UiModel& model = app::make_ui_model(desk);
    cache.update(model, desk.view);
    return cache.levels_paint(*model.scene, desk.view);
  };
  CHECK(paint() == nullptr);  // phases
  desk.view.levels_color = render::ColorBy::kSwap;
  REQUIRE(paint() != nullptr);
  CHECK(marked(*paint()) == 0);
  REQUIRE(app::run_action(desk, "policy.mode", {"lms2"}));
  REQUIRE(app::run_action(desk, "policy.set", {"swapout-threshold", "20"}));
  test::settle(desk);
  CHECK(marked(*paint()) > 0);
  const render::Color dark = paint()->ops.colors[1];
  desk.view.theme = render::ThemeKind::kColorBlindSafe;
  CHECK(paint()->ops.colors[1] == render::palette(desk.view.theme).swap_out);
  CHECK(paint()->ops.colors[1] != dark);
  desk.view.levels_color = render::ColorBy::kType;
  CHECK(paint()->ops.colors.size() > 3);
  const std::size_t ops = paint()->ops.kind_of.size();
  app::open_graph(
      desk, {.graph = {.path = std::string(TIDELINE_SOURCE_DIR) + "/tests/data/graphs/mlp.meta"}});
  test::settle(desk);
  desk.view.levels_color = render::ColorBy::kType;  // of the other document
  CHECK(paint()->ops.kind_of.size() != ops);
  CHECK(paint()->boxes.size() == cache.ops()->boxes.size());
}

}  // namespace tideline::ui
