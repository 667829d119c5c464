// The end of a swap's bar in the level view, dragged.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "render/model/chart_looks.h"
#include "render/view/bar_end.h"
#include "tests/gui/support/drawn_texts.h"
#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

using ui::Intents;

constexpr const char* kTensor = "conv1/Relu:0";

// The level view as the driver shows it.
class Levels {
 public:
  explicit Levels(const Driver& driver, const ui::UiModel& model) {
    cache_.update(model, driver.view);
    look_ = ui::levels_look(model, driver.view, cache_, driver.rect("levels/canvas"));
  }
  // The middle of where the mouse takes hold of the end of the tensor's bar.
  [[nodiscard]] render::Point end() const {
    const render::Rect& area = look_.area;
    std::optional<render::Rect> found;
    for (float y = area.y0; y < area.y1; ++y) {
      for (float x = area.x0; x < area.x1; ++x) {
        const auto end = render::bar_end_at(look_, {x, y});
        if (!end || span(*end).tensor != tensor() || span(*end).swap_in != 0) continue;
        if (!found) found = render::Rect{x, y, x, y};
        found = render::Rect{std::min(found->x0, x), found->y0, std::max(found->x1, x), y};
      }
      if (found && y > found->y1) break;
    }
    REQUIRE(found);
    return middle(*found);
  }
  [[nodiscard]] const render::SwapSpan& span() const {
    return span(*render::bar_end_of(look_, tensor(), 0));
  }
  // Left end of a level.
  [[nodiscard]] float x(std::int32_t level) const { return render::levels_axis(look_).x(level); }

 private:
  [[nodiscard]] TensorId tensor() const { return *look_.scene->graph->find_tensor(kTensor); }
  [[nodiscard]] const render::SwapSpan& span(const render::BarEnd& end) const {
    return look_.swaps->spans[end.span];
  }

  ui::ViewCache cache_;
  render::LevelsLook look_;
};

}  // namespace

TEST_CASE("The end of a bar is dragged: the swap-in of its tensor moves", "[charts]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  const Levels levels(driver, fixture->model);
  const render::SwapSpan span = levels.span();
  const render::Point end = levels.end();
  driver.hold(end);
  REQUIRE(driver.view.bar_drag);
  CHECK(driver.view.bar_drag->level == span.in_level);
  const std::int32_t wanted = span.consumer_level - 9;
  driver.move_to({levels.x(wanted), end.y});
  DrawnTexts drawn;
  driver.frames(1);
  CHECK(driver.view.bar_drag->level == wanted);
  const std::string text = fmt::format("in at level {}, 9 ahead", wanted);
  CHECK(std::any_of(drawn.texts().begin(), drawn.texts().end(), [&](const DrawnText& shown) {
    return shown.text == text && shown.is_seen() && !shown.is_cut();
  }));
  CHECK(driver.take().empty());
  driver.let_go();
  CHECK(driver.take() == Intents{{"tensor.ahead", {kTensor, "9"}}});
  CHECK_FALSE(driver.view.bar_drag);
  CHECK(driver.view.axis == ui::AxisRange{});  // nothing was panned
  CHECK(driver.view.y_scroll_px == 0);
}

TEST_CASE("The end of a bar stays between the copy out and the reader", "[charts]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  const Levels levels(driver, fixture->model);
  const render::Point end = levels.end();
  driver.hold(end);
  driver.move_to({levels.x(0), end.y});
  driver.frames(1);
  CHECK(driver.view.bar_drag->level == levels.span().out_level + 1);
  driver.move_to({levels.x(94), end.y});
  driver.frames(1);
  CHECK(driver.view.bar_drag->level == levels.span().consumer_level - 1);
  driver.let_go();
  CHECK(driver.take() == Intents{{"tensor.ahead", {kTensor, "1"}}});
}

TEST_CASE("Escape takes a dragged end back, and a click on it selects the tensor", "[charts]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  const Levels levels(driver, fixture->model);
  const render::Point end = levels.end();
  driver.hold(end);
  driver.move_to({end.x - 100, end.y});
  driver.press(ImGuiKey_Escape);
  CHECK(driver.view.bar_drag->is_taken_back);
  driver.move_to({end.x - 120, end.y});
  driver.let_go();
  CHECK(driver.take().empty());
  CHECK_FALSE(driver.view.bar_drag);
  driver.frames(60);  // a second, so that the click is no double click
  driver.click(end);
  CHECK(driver.take() == Intents{{"select.op", {kTensor}}});
}

TEST_CASE("Over the end of a bar the cursor and the tooltip say that it can be dragged",
          "[charts]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  const Levels levels(driver, fixture->model);
  const render::Point end = levels.end();
  driver.move_to(end);
  driver.frames(1);
  CHECK(ImGui::GetMouseCursor() == ImGuiMouseCursor_ResizeEW);
  CHECK(driver.view.tooltip.find("Drag this end") != std::string::npos);
  driver.move_to({end.x - 40, end.y});
  driver.frames(1);
  CHECK(ImGui::GetMouseCursor() != ImGuiMouseCursor_ResizeEW);
  CHECK(driver.view.tooltip.find("Drag this end") == std::string::npos);
}

TEST_CASE("A drag beside the ends of the bars pans, as before", "[charts]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.wheel(middle(driver.rect("levels/canvas")), 3);
  const ui::AxisRange before = driver.view.axis;
  driver.drag("levels/canvas", 50, 0);
  CHECK_FALSE(driver.view.bar_drag);
  CHECK(driver.view.axis.first < before.first);
  CHECK(driver.take().empty());
}

}  // namespace tideline::gui
