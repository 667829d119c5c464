#include "app/actions/lesson_player.h"

#include <algorithm>
#include <filesystem>

#include "app/actions/check_lesson.h"
#include "app/actions/commands.h"
#include "app/actions/ui_model.h"
#include "app/session/shipped_lessons.h"
#include "core/base/source_bytes.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using test::Desk;

void run(Desk& desk, std::string_view id, const app::Words& words = {}) {
  const auto answer = app::run_action(desk, id, words);
  INFO((answer ? std::string() : answer.error().message));
  REQUIRE(answer);
  app::settle_lesson(desk);
}

void start(Desk& desk, const std::string& word) {
  run(desk, "lesson.start", {word});
}

ui::LessonCard card(const Desk& desk) {
  const auto found = app::lesson_card(desk);
  REQUIRE(found);
  return *found;
}

// To the step of that number, as "Show me" goes.
void go_to(Desk& desk, std::size_t step) {
  while (card(desk).step < step) {
    run(desk, "lesson.show");
    run(desk, "lesson.next");
  }
}

}  // namespace

TEST_CASE("The lessons that come with the program have no mistakes and can be played to the end",
          "[lesson]") {
  REQUIRE(app::shipped_lessons().size() == 10);
  for (const app::ShippedLesson& shipped : app::shipped_lessons()) {
    INFO(shipped.file);
    const auto path = app::lesson_path(shipped);
    REQUIRE(path);
    const auto text = open_bytes(*path);
    REQUIRE(text);
    Desk checked;
    std::string mistakes;
    for (const auto& one : app::check_lesson(checked, (*text)->bytes(), *path, {}))
      mistakes += std::to_string(one.line) + ": " + one.reason + "\n";
    CHECK(mistakes.empty());
    // As a learner who is shown everything.
    Desk desk;
    start(desk, std::string(shipped.word));
    CHECK(card(desk).lesson == shipped.title);
    std::size_t guesses = 0;
    for (std::size_t step = 1; desk.lesson.lesson != nullptr; ++step) {
      INFO(card(desk).title);
      CHECK(card(desk).step == step);
      guesses += card(desk).question.empty() ? 0 : 1;
      run(desk, "lesson.show");
      CHECK(card(desk).is_done);
      CHECK(card(desk).answer.empty() == card(desk).question.empty());
      run(desk, "lesson.next");
      REQUIRE(step < 10);
    }
    if (shipped.word != "towers") CHECK(guesses >= 1);
  }
}

TEST_CASE("Every lesson stays at a step that is not done, says what is missing, and hints",
          "[lesson]") {
  for (const app::ShippedLesson& shipped : app::shipped_lessons()) {
    INFO(shipped.file);
    Desk desk;
    start(desk, std::string(shipped.word));
    while (desk.lesson.lesson != nullptr) {
      const ui::LessonCard before = card(desk);
      INFO(before.title);
      if (before.has_checks) {
        CHECK_FALSE(before.is_done);
        CHECK(before.hint.empty());
        run(desk, "lesson.next");
        const ui::LessonCard after = card(desk);
        CHECK(after.step == before.step);
        CHECK(after.problem.find("expected") != std::string::npos);
        CHECK_FALSE(after.hint.empty());
      }
      run(desk, "lesson.show");
      run(desk, "lesson.next");
    }
  }
}

TEST_CASE("A step that asks is done after a guess, which stands beside the answer", "[lesson]") {
  Desk desk;
  start(desk, "first-swap");
  go_to(desk, 2);
  CHECK(card(desk).question.find("How many tensors") == 0);
  run(desk, "policy.set", {"swapout-threshold", "24"});
  CHECK(card(desk).is_done);
  CHECK(card(desk).answer.empty());
  run(desk, "lesson.next");
  CHECK(card(desk).step == 2);
  CHECK(card(desk).problem.empty());  // what is done has no problem; the hint remains
  run(desk, "lesson.guess", {"4"});
  CHECK(card(desk).guess == "4");
  CHECK(card(desk).answer.find("5. ") == 0);
  run(desk, "lesson.next");
  CHECK(card(desk).step == 3);
  CHECK(card(desk).guess.empty());
}

TEST_CASE("A lesson survives wrong turns: another document, a closed graph, undo", "[lesson]") {
  Desk desk;
  start(desk, "late");
  go_to(desk, 2);
  const app::Wish begun = desk.graph().wish();
  run(desk, "policy.set", {"swapin-ahead", "3"});
  run(desk, "policy.mode", {"off"});
  run(desk, "lesson.next");
  CHECK(card(desk).step == 2);
  run(desk, "edit.undo");
  run(desk, "edit.undo");
  run(desk, "edit.undo");
  run(desk, "file.open", {test::tutorial()});
  test::settle(desk);
  CHECK(card(desk).is_elsewhere);
  CHECK_FALSE(card(desk).is_done);
  run(desk, "lesson.next");
  CHECK(card(desk).step == 2);
  run(desk, "lesson.reset");
  CHECK_FALSE(card(desk).is_elsewhere);
  CHECK(desk.graph().wish() == begun);
  run(desk, "file.close");
  CHECK(card(desk).is_elsewhere);
  run(desk, "lesson.show");
  CHECK(card(desk).is_done);
  run(desk, "lesson.back");
  CHECK(card(desk).step == 1);
  CHECK(app::find_expectation(desk, {"ahead", "==", "1"})->holds);
}

TEST_CASE("Quitting does not ask about the graph of a lesson", "[lesson]") {
  Desk desk;
  start(desk, "first-swap");
  run(desk, "lesson.show");
  static_cast<void>(app::make_ui_model(desk));
  CHECK_FALSE(desk.graph().is_unwritten());
  run(desk, "lesson.end");
  CHECK_FALSE(app::lesson_card(desk));
  CHECK(desk.graph().snapshot());
  const auto refused = app::run_action(desk, "lesson.next");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("no lesson is played") != std::string::npos);
}

TEST_CASE("A lesson is opened like any file, and one without its graph is refused", "[lesson]") {
  Desk desk;
  const auto path = app::lesson_path(app::shipped_lessons().front());
  REQUIRE(path);
  run(desk, "file.drop", {*path});
  CHECK(card(desk).lesson == "Levels");
  app::Lesson lost = *desk.lesson.lesson;
  lost.graph.text = "/nowhere/chain.meta";
  const auto started = app::start_lesson(desk, lost);
  REQUIRE_FALSE(started);
  CHECK(started.error().message.find(":3: the graph /nowhere/chain.meta is not there") !=
        std::string::npos);
  CHECK(card(desk).lesson == "Levels");
}

}  // namespace tideline
