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

TEST_CASE("bookmarks stand on the axis that they show, at their op or in their middle") {
  Shown desk;
  const auto run = [&](const char* id, const app::Words& words) {
    const auto answer = app::run_action(desk, id, words);
    INFO(id << ": " << (answer ? "" : answer.error().message));
    REQUIRE(answer);
  };
  run("bookmark.put", {"1", "levels 10 39"});
  run("bookmark.put", {"2", "memory level", "conv1/Relu"});
  run("bookmark.put", {"3", "memory step 0 9"});
  run("bookmark.put", {"4", "levels"});
  run("bookmark.put", {"5", "scopes 0 500"});
  const ui::UiModel& model = desk.model();
  const auto places = [](const std::vector<render::BookmarkMark>& marks) {
    std::vector<std::pair<int, double>> found;
    for (const auto& mark : marks) found.emplace_back(mark.number, mark.position);
    return found;
  };
  const render::Scene& scene = *model.scene;
  const double relu = scene.levels->level(scene.graph->find("conv1/Relu")) + 0.5;
  using Places = std::vector<std::pair<int, double>>;
  const Places of_levels = {{1, 25}, {2, relu}};
  CHECK(places(ui::levels_look(model, desk.view, desk.cache, kArea).marks) == of_levels);
  CHECK(places(ui::memory_look(model, desk.view, desk.cache, kArea).marks) == of_levels);
  CHECK(places(ui::shown_part(desk.view, scene, ui::Tab::kLevels).marks) == of_levels);
  desk.view.tab = ui::Tab::kMemory;
  desk.view.memory_axis = ui::AxisKind::kStep;
  CHECK(places(ui::memory_look(model, desk.view, desk.cache, kArea).marks) == Places{{3, 5}});
  CHECK(places(ui::shown_part(desk.view, scene, ui::Tab::kScopes).marks) == Places{});
  // A picture has their numbers.
  desk.view.tab = ui::Tab::kLevels;
  const Json before = Json::parse(
      ui::picture_json(ui::levels_look(model, desk.view, desk.cache, kArea), 1))["list"];
  desk.view.bookmarks = {};
  const Json after = Json::parse(
      ui::picture_json(ui::levels_look(model, desk.view, desk.cache, kArea), 1))["list"];
  CHECK(before.size() > after.size() + 5);
}

}  // namespace tideline
