// Lessons played through the panels: every click finds its widget by label.
#include <catch2/catch.hpp>

#include "app/actions/check_lesson.h"
#include "app/actions/commands.h"
#include "app/actions/lesson_player.h"
#include "app/actions/ui_model.h"
#include "app/gui/widget_labels.h"
#include "app/session/shipped_lessons.h"
#include "core/base/source_bytes.h"
#include "tests/gui/support/driver.h"

namespace tideline::gui {
namespace {

ui::ViewState with_letters(float font_px) {
  ui::ViewState view;
  view.font_px = font_px;
  return view;
}

// A window on a session, as app/gui/start.cc makes one.
class Window {
 public:
  explicit Window(float width = 1400, float height = 900,
                  float letters_px = ui::ViewState{}.font_px)
      : viewer_(session_),
        driver_(app::make_ui_model(viewer_), width, height, with_letters(letters_px)) {
    viewer_.view.font_px = letters_px;
    driver_.after_frame = [this] { take(); };
  }

  Driver& driver() { return driver_; }
  app::Viewer& viewer() { return viewer_; }

  void click(std::string_view label) {
    driver_.click(label);
    driver_.frames(3);
  }
  void run(const std::string& id, const app::Words& words = {}) {
    const auto done = app::run_action(viewer_, id, words);
    INFO((done ? std::string() : done.error().message));
    REQUIRE(done);
    driver_.view = viewer_.view;
    driver_.frames(3);
  }
  /// A slider to its place for `value`, by typing it.
  void type_value(std::string_view slider, std::string_view value) {
    driver_.control_click(slider);
    driver_.type(value);
    driver_.press(ImGuiKey_Enter);
    driver_.frames(3);
  }
  ui::LessonCard card() {
    const auto found = app::lesson_card(viewer_);
    REQUIRE(found);
    return *found;
  }

 private:
  // What the panels asked for is done, and waited for, before the next frame.
  void take() {
    viewer_.view = driver_.view;
    app::run_intents(viewer_, driver_.take());
    app::settle_lesson(viewer_);
    viewer_.graph().end_gesture();
    static_cast<void>(app::make_ui_model(viewer_));
    driver_.view = viewer_.view;
  }

  app::Session session_;
  app::Viewer viewer_;
  Driver driver_;
};

}  // namespace

TEST_CASE("An empty window offers ten lessons, and so does the menu", "[lesson]") {
  Window window;
  CHECK(window.driver().has("welcome/lessons/1 Levels"));
  CHECK(window.driver().has("welcome/lessons/10 Two devices"));
  window.click("menu/Tutorial");
  CHECK(window.driver().has("menu/Tutorial/10 Two devices"));
  window.click("menu/Tutorial/1 Levels");
  CHECK(window.card().lesson == "Levels");
  CHECK(window.driver().has("lesson/title"));
  CHECK(window.driver().has("levels/canvas"));
}

TEST_CASE("Lesson 3 is played with its panels, the wrong way first", "[lesson]") {
  Window window;
  window.click("welcome/lessons/3 The first swap");
  CHECK_FALSE(window.driver().has("lesson/hint text"));
  window.click("lesson/Next");
  CHECK(window.driver().has("lesson/problem"));
  CHECK(window.driver().has("lesson/hint text"));
  CHECK(window.card().step == 1);
  window.type_value("policy/swapout threshold", "44");
  CHECK(window.driver().has("lesson/done"));
  window.click("lesson/Next");
  CHECK(window.card().step == 2);
  window.click("lesson/guess");
  window.driver().type("4");
  window.click("lesson/Guess");
  CHECK(window.driver().has("lesson/your guess"));
  CHECK_FALSE(window.driver().has("lesson/answer"));
  window.type_value("policy/swapout threshold", "24");
  CHECK(window.driver().has("lesson/answer"));
  window.click("lesson/Next");
  window.click("lesson/Show me");
  CHECK(window.driver().has("lesson/done"));
  window.click("lesson/Finish");
  CHECK_FALSE(window.driver().has("lesson/title"));
}

TEST_CASE("Lesson 4 is played with its panels; Reset step and Back undo what was done",
          "[lesson]") {
  Window window;
  window.click("welcome/lessons/4 Too late");
  window.click("lesson/Next");
  CHECK(window.card().step == 2);
  window.type_value("policy/swapin ahead", "4");
  CHECK_FALSE(window.card().is_done);
  window.click("lesson/Reset step");
  CHECK(app::find_expectation(window.viewer(), {"ahead", "==", "1"})->holds);
  window.type_value("policy/swapin ahead", "8");
  CHECK(window.card().is_done);
  CHECK(window.card().answer.empty());
  window.click("lesson/Back");
  CHECK(window.card().step == 1);
  CHECK(app::find_expectation(window.viewer(), {"ahead", "==", "1"})->holds);
  window.click("lesson/Next");
  window.click("lesson/Show me");
  CHECK(window.driver().has("lesson/answer"));
  window.click("lesson/Finish");
  CHECK_FALSE(app::lesson_card(window.viewer()));
}

TEST_CASE("Lesson 7 is played with its panels, by the rule of a scope and Clear", "[lesson]") {
  Window window(1400, 1200);
  window.click("welcome/lessons/7 Scopes");
  window.click("lesson/guess");
  window.driver().type("368");
  window.click("lesson/Guess");
  window.click("scopes/layer0/rule");
  window.click("scopes/layer0/rule/never swap");
  CHECK(window.card().is_done);
  CHECK(window.card().answer.find("368.00 MiB") == 0);
  window.click("lesson/Next");
  window.run("select.op", {"layer0/out"});
  CHECK(window.driver().has("lesson/done"));
  window.click("lesson/Next");
  window.click("scopes/Clear");
  CHECK(window.driver().has("lesson/done"));
  window.click("lesson/Finish");
  CHECK_FALSE(app::lesson_card(window.viewer()));
}

TEST_CASE("Every lesson is played with its panels, the wrong way first in each step", "[lesson]") {
  for (const app::ShippedLesson& shipped : app::shipped_lessons()) {
    INFO(shipped.file);
    Window window(1280, 720, 24);
    window.run("lesson.start", {std::string(shipped.word)});
    const std::size_t steps = window.card().steps;
    for (std::size_t step = 1; step <= steps; ++step) {
      INFO("step " << step);
      const char* const next = step == steps ? "lesson/Finish" : "lesson/Next";
      REQUIRE(window.card().step == step);
      if (!window.card().is_done) {
        window.click(next);  // too early
        REQUIRE(window.card().step == step);
        CHECK(window.driver().has("lesson/problem"));
      }
      if (!window.card().question.empty()) {
        window.click("lesson/guess");
        window.driver().type("7");
        window.click("lesson/Guess");
        CHECK(window.driver().has("lesson/your guess"));
      }
      if (window.card().can_show) window.click("lesson/Show me");
      REQUIRE(window.card().is_done);
      CHECK(window.card().problem.empty());
      CHECK(window.card().question.empty() == window.card().answer.empty());
      window.click(next);
    }
    CHECK_FALSE(app::lesson_card(window.viewer()));
  }
}

TEST_CASE("A hint comes by itself after 20 seconds", "[lesson]") {
  Window window;
  window.click("welcome/lessons/3 The first swap");
  ImGui::GetIO().DeltaTime = 1;
  window.driver().frames(15);
  CHECK_FALSE(window.driver().has("lesson/hint text"));
  window.driver().frames(10);
  CHECK(window.driver().has("lesson/hint text"));
  ImGui::GetIO().DeltaTime = 1.0F / 60;
}

TEST_CASE("While another document is shown the lesson says so, and Reset step goes back",
          "[lesson]") {
  Window window;
  window.click("welcome/lessons/3 The first swap");
  window.run("file.open-sample");
  CHECK(window.driver().has("lesson/elsewhere"));
  window.click("lesson/Reset step");
  CHECK_FALSE(window.driver().has("lesson/elsewhere"));
  CHECK(window.viewer().shown == window.viewer().lesson.document);
}

TEST_CASE("The spotlight darkens all but its widget until the learner begins", "[lesson]") {
  Window window;
  window.click("welcome/lessons/3 The first swap");
  window.driver().frames(3);
  const std::size_t dark = window.driver().vertex_count();
  const render::Rect slider = window.driver().rect("policy/swapout threshold");
  window.driver().move_to({700, 5});
  window.driver().click(render::Point{(slider.x0 + slider.x1) / 2, slider.y1 + 200});
  window.driver().frames(3);
  CHECK(window.driver().view.lesson.is_touched);
  CHECK(window.driver().vertex_count() < dark);
}

TEST_CASE("In a low window the list of scopes has room while a lesson is about it", "[lesson]") {
  struct Low {
    float width, height, font;
  };
  const auto heights = [](Window& window) {
    window.run("lesson.start", {"scopes"});
    window.driver().frames(4);
    if (window.driver().has("left icons/Scopes")) window.click("left icons/Scopes");
    window.driver().frames(3);
    std::vector<float> found;
    for (const char* label : {"scopes/headings/swap", "scopes/layer0/rule", "scopes/layer2/rule"}) {
      INFO(label);
      REQUIRE(window.driver().has(label));
      found.push_back(window.driver().rect(label).height());
    }
    return found;
  };
  for (const Low low : {Low{800, 600, 15}, Low{1280, 600, 15}, Low{1280, 600, 20},
                        Low{1280, 600, 24}, Low{800, 600, 24}, Low{1366, 650, 16}}) {
    INFO(low.width << " x " << low.height << ", font " << low.font);
    const app::Words font = {std::to_string(static_cast<int>(low.font))};
    std::vector<float> in_tall;
    {
      Window tall(low.width, 1200);
      tall.run("view.font-size", font);
      in_tall = heights(tall);
    }
    Window window(low.width, low.height);
    window.run("view.font-size", font);
    CHECK(heights(window) == in_tall);  // nothing of them is cut off
    // It is not held there: the policy is a turn of the wheel away.
    const render::Rect filter = window.driver().rect("scopes/filter");
    window.driver().wheel({(filter.x0 + filter.x1) / 2, (filter.y0 + filter.y1) / 2}, 60);
    window.driver().frames(3);
    CHECK(window.driver().has("policy/mode"));
  }
}

TEST_CASE("Every widget that a lesson puts in the spotlight is there in a small window",
          "[lesson]") {
  for (const app::ShippedLesson& shipped : app::shipped_lessons()) {
    INFO(shipped.file);
    const auto path = app::lesson_path(shipped);
    REQUIRE(path);
    const auto text = open_bytes(*path);
    REQUIRE(text);
    app::Session session;
    app::Viewer viewer(session);
    std::string mistakes;
    for (const auto& one : app::check_lesson(viewer, (*text)->bytes(), *path, widget_labels))
      mistakes += std::to_string(one.line) + ": " + one.reason + "\n";
    CHECK(mistakes == "");
  }
}

}  // namespace tideline::gui
