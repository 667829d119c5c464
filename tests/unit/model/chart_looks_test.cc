#include "render/model/chart_looks.h"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/actions/commands.h"
#include "app/actions/ui_model.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using Json = nlohmann::json;

constexpr render::Rect kArea = {0, 0, 1100, 500};

struct Shown : test::Desk {
  explicit Shown(int threshold = 50) { test::open_tutorial(*this, threshold); }
  const ui::UiModel& model() {
    const ui::UiModel& made = app::make_ui_model(*this);
    cache.update(made, view);
    return made;
  }
  ui::ViewCache cache;
};

}  // namespace

TEST_CASE("pictures of levels and memory follow the view") {
  Shown desk;
  const ui::UiModel& model = desk.model();
  desk.view.axis = {20, 30};
  const Json levels = Json::parse(
      ui::picture_json(ui::levels_look(model, desk.view, desk.cache, kArea), model.revision));
  CHECK(levels["schema"] == "tideline.picture/1");
  CHECK(levels["revision"] == model.revision);
  CHECK(levels["first"] == 20);
  CHECK(levels["span"] == 30);
  CHECK(levels["count"] == 94);
  CHECK(levels["axis"] == Json({7.5, 1092.5}));
  CHECK(levels["list"].size() > 100);
  const Json memory = Json::parse(
      ui::picture_json(ui::memory_look(model, desk.view, desk.cache, kArea), model.revision));
  for (const char* key : {"first", "span", "count", "axis"}) CHECK(memory[key] == levels[key]);
  // Bands are for the tab; its steps have a range of their own.
  desk.view.tab = ui::Tab::kMemory;
  desk.view.memory_axis = ui::AxisKind::kStep;
  const render::MemoryLook look = ui::memory_look(model, desk.view, desk.cache, kArea);
  CHECK(look.show_bands);
  CHECK(look.memory->axis == render::MemoryAxis::kStep);
  CHECK(look.range.span == 0);
  CHECK(Json::parse(ui::picture_json(look, 1))["count"] == look.memory->count);
}

TEST_CASE("the themes differ in colours alone") {
  Shown desk;
  const ui::UiModel& model = desk.model();
  Json before =
      Json::parse(ui::picture_json(ui::levels_look(model, desk.view, desk.cache, kArea), 1));
  desk.view.theme = render::ThemeKind::kLight;
  Json after =
      Json::parse(ui::picture_json(ui::levels_look(model, desk.view, desk.cache, kArea), 1));
  CHECK(before["colors"] != after["colors"]);
  CHECK(before["texts"] == after["texts"]);
  CHECK(before["list"].size() == after["list"].size());
}

TEST_CASE("measured time is an axis only where there is some") {
  Shown desk;
  const ui::UiModel& model = desk.model();
  desk.view.tab = ui::Tab::kMemory;
  desk.view.memory_axis = ui::AxisKind::kMeasuredTime;
  CHECK(ui::memory_axis_of(desk.view, *model.scene) == render::MemoryAxis::kLevel);
  desk.view.memory_axis = ui::AxisKind::kStep;
  desk.view.tab = ui::Tab::kLevels;
  CHECK(ui::memory_axis_of(desk.view, *model.scene) == render::MemoryAxis::kLevel);
  CHECK(&ui::memory_range(desk.view, render::MemoryAxis::kMeasuredTime) == &desk.view.times);
}

TEST_CASE("rows keep within what there is to see") {
  Shown desk;
  const ui::UiModel& model = desk.model();
  ui::zoom_rows(desk.view, kArea, 1000, 300);
  CHECK(desk.view.y_zoom == 64);
  render::LevelsLook look = ui::levels_look(model, desk.view, desk.cache, kArea);
  ui::limit_rows(desk.view, look);
  CHECK(look.y_zoom == 64);
  CHECK(desk.view.y_scroll_px > 0);
  desk.view.y_scroll_px = 1e9;
  ui::limit_rows(desk.view, look);
  CHECK(desk.view.y_scroll_px == render::most_scroll_px(look));
  CHECK(look.y_scroll_px == desk.view.y_scroll_px);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  desk.view.y_zoom = nan;
  desk.view.y_scroll_px = nan;
  ui::limit_rows(desk.view, look);
  CHECK(desk.view.y_zoom == 1);
  CHECK(desk.view.y_scroll_px == 0);
}

}  // namespace tideline
