#include "render/model/levels_limit.h"

#include <catch2/catch.hpp>

#include "app/actions/ui_model.h"
#include "render/model/chart_looks.h"
#include "render/model/result_lines.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

struct Limited : test::Desk {
  Limited() { test::open_tutorial(*this, 50); }
  const ui::UiModel& model() {
    const ui::UiModel& made = app::make_ui_model(*this);
    cache.update(made, view);
    return made;
  }
  ui::ViewCache cache;
};

}  // namespace

TEST_CASE("Only levels that limit are a limit, and say so", "[model]") {
  ui::ViewState view;
  CHECK(ui::limit_of(view) == nullptr);
  view.levels = ui::LevelStretch{20, 40, false};
  CHECK(ui::limit_of(view) == nullptr);
  view.levels->is_limit = true;
  REQUIRE(ui::limit_of(view) != nullptr);
  CHECK(ui::limit_label(*ui::limit_of(view)) == "Only levels 20 to 40: show all");
  CHECK(ui::levels_text({7, 7, true}) == "level 7");
}

TEST_CASE("Sums of scopes are of the ops at the levels, and parts add up to the whole", "[model]") {
  Limited desk;
  const ui::UiModel& model = desk.model();
  const render::Scene& scene = *model.scene;
  const std::int32_t last = scene.levels->count() - 1;
  const auto all = ui::totals_of_levels(scene, {0, last, true});
  CHECK(all.swapped == model.scope_totals->swapped);
  const auto low = ui::totals_of_levels(scene, {0, 30, true});
  const auto high = ui::totals_of_levels(scene, {31, last, true});
  CHECK(low.bytes[0] > 0);
  CHECK(high.bytes[0] > 0);
  for (std::size_t scope = 0; scope < all.bytes.size(); ++scope) {
    CHECK(low.bytes[scope] + high.bytes[scope] == all.bytes[scope]);
    CHECK(low.swapped[scope] + high.swapped[scope] == all.swapped[scope]);
  }
  // By hand: the outputs of all ops there.
  Bytes outputs = 0;
  for (const OpId op : ui::ops_of_levels(scene, {0, 30, true})) {
    CHECK(scene.levels->level(op) <= 30);
    outputs += scene.tensors->output_bytes(op);
  }
  CHECK(low.bytes[0] == outputs);
  // The cache has the same, and the whole again without a limit.
  desk.view.levels = ui::LevelStretch{0, 30, true};
  CHECK(desk.cache.scope_totals(model, desk.view)->bytes == low.bytes);
  desk.view.levels->is_limit = false;
  CHECK(desk.cache.scope_totals(model, desk.view) == model.scope_totals);
}

TEST_CASE("Positions of other axes stand for the levels of their ops", "[model]") {
  Limited desk;
  const render::Scene& scene = *desk.model().scene;
  const auto& levels = desk.cache.memory(scene, 0, render::MemoryAxis::kLevel);
  CHECK(ui::levels_between(scene, levels, 40.7, 20.2, true) == ui::LevelStretch{20, 40, true});
  CHECK(ui::levels_between(scene, levels, -50, 1e9, false) ==
        ui::LevelStretch{0, levels.count - 1, false});
  for (const auto axis : {render::MemoryAxis::kStep, render::MemoryAxis::kTime}) {
    const auto& memory = desk.cache.memory(scene, 0, axis);
    const auto found =
        ui::levels_between(scene, memory, memory.count * 0.3, memory.count * 0.5, true);
    REQUIRE(found);
    CHECK(found->from < found->to);
    // The stretch that is drawn holds at least what was dragged over.
    const auto at = ui::positions_of(scene, memory, *found);
    REQUIRE(at);
    for (std::int32_t position = 0; position < memory.count; ++position) {
      const auto level = ui::level_at(scene, memory, position);
      if (!level || *level < found->from || *level > found->to) continue;
      CHECK(position >= at->first);
      CHECK(position <= at->last);
    }
  }
}

TEST_CASE("The peak of a limit is the highest memory of its levels", "[model]") {
  Limited desk;
  const render::Scene& scene = *desk.model().scene;
  const ui::LevelStretch limit = {5, 20, true};
  const auto& memory = desk.cache.memory(scene, 0, render::MemoryAxis::kLevel);
  CHECK(ui::peak_position(scene, memory, nullptr) == memory.after_peak_at);
  const std::int32_t at = ui::peak_position(scene, memory, &limit);
  CHECK(at >= 5);
  CHECK(at <= 20);
  for (std::int32_t level = 5; level <= 20; ++level) {
    CHECK(memory.after.at(level) <= memory.after.at(at));
  }
  const auto& steps = desk.cache.memory(scene, 0, render::MemoryAxis::kStep);
  const std::int32_t step = ui::peak_position(scene, steps, &limit);
  const auto level = ui::level_at(scene, steps, step);
  REQUIRE(level);
  CHECK(*level >= 5);
  CHECK(*level <= 20);
  CHECK(steps.after.at(step) == memory.after.at(at));
}

TEST_CASE("The card of the result says what happens at the levels, and takes the limit back",
          "[model]") {
  Limited desk;
  const ui::UiModel& model = desk.model();
  const std::size_t usual = ui::result_card(model, 0).lines.size();
  const ui::LevelStretch limit = {20, 40, true};
  const ui::ResultCard card = ui::result_card(model, 0, &limit);
  REQUIRE(card.lines.size() == usual + 1);
  CHECK(card.lines[0].name == "levels");
  CHECK(card.lines[0].text.starts_with("levels 20 to 40: 21\ndevice "));
  CHECK(card.lines[0].action == "levels.clear");
}

TEST_CASE("A stretch is drawn over the axis that is shown", "[model]") {
  Limited desk;
  const ui::UiModel& model = desk.model();
  const auto& memory = desk.cache.memory(*model.scene, 0, render::MemoryAxis::kStep);
  const auto look = [&](const render::MemoryLayout* over) {
    return ui::stretch_look(model, desk.view, over, {}, {0, 0, 800, 300}, true);
  };
  CHECK_FALSE(look(nullptr));
  desk.view.levels = ui::LevelStretch{20, 40, true};
  REQUIRE(look(nullptr));
  CHECK(look(nullptr)->from == 20);
  CHECK(look(nullptr)->lines.front() == "levels 20 to 40: 21");
  REQUIRE(look(&memory));
  CHECK(look(&memory)->to > 40);  // many steps a level
}

}  // namespace tideline
