#include "app/session/lesson.h"

#include <catch2/catch.hpp>

#include "core/base/output_file.h"
#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

using app::parse_lesson;

constexpr const char* kLesson =
    "# for nobody\n"
    "lesson A title\n"
    "graph g.meta\n"
    "graph.batch-size 8\n"
    "\n"
    "step First\n"
    "caption One line,\n"
    "caption and another.\n"
    "spotlight policy/swapout threshold\n"
    "begin view.tab memory\n"
    "ask How many?\n"
    "reveal swaps\n"
    "hint Try 20.\n"
    "policy.set swapout-threshold 20\n"
    "expect swaps >= 1\n"
    "step Second\n"
    "caption The end.\n"
    "spotlight-op conv1/Relu\n";

std::vector<std::string> reasons(const std::string& text) {
  std::vector<std::string> all;
  for (const auto& mistake : parse_lesson(text, "a.lesson").mistakes)
    all.push_back(std::to_string(mistake.line) + ": " + mistake.reason);
  return all;
}

}  // namespace

TEST_CASE("A lesson is cut into steps, and each line goes to its place", "[lesson]") {
  const auto parsed = parse_lesson(kLesson, "folder/a.lesson");
  CHECK(parsed.mistakes.empty());
  CHECK(parsed.lesson.title == "A title");
  CHECK(parsed.lesson.graph.text == "folder/g.meta");
  REQUIRE(parsed.lesson.steps.size() == 2);
  const app::LessonStep& first = parsed.lesson.steps[0];
  CHECK(first.title == "First");
  CHECK(first.caption == "One line, and another.");
  CHECK(first.spotlight.text == "policy/swapout threshold");
  CHECK(first.question.text == "How many?");
  CHECK(first.reveal.text == "swaps");
  CHECK(first.hint == "Try 20.");
  // What prepares the lesson is what prepares its first step.
  REQUIRE(first.begin.size() == 2);
  CHECK(first.begin[0].text == "graph.batch-size 8");
  CHECK(first.begin[1].text == "view.tab memory");
  REQUIRE(first.deeds.size() == 1);
  CHECK(first.deeds[0].number == 14);
  REQUIRE(first.checks.size() == 1);
  CHECK(first.checks[0].text == "swaps >= 1");
  CHECK(parsed.lesson.steps[1].spotlight_op.text == "conv1/Relu");
}

TEST_CASE("What is missing from a lesson is told with the line where it is missing", "[lesson]") {
  CHECK(reasons("") ==
        std::vector<std::string>{"1: it has no title; expected a line such as: lesson Levels",
                                 "1: it has no graph; expected a line such as: graph chain.meta",
                                 "1: it has no step; expected lines such as: step Find the last "
                                 "reader"});
  const std::string head = "lesson A\ngraph g.meta\n";
  CHECK(reasons(head + "caption early\nstep S\ncaption c\n").at(0) ==
        "3: caption: expected in a step");
  CHECK(reasons(head + "step S\n").at(0).find("3: the step has no caption") == 0);
  CHECK(reasons(head + "step S\ncaption c\nask Why?\n").at(0).find("5: ask: expected") == 0);
  CHECK(reasons(head + "step S\ncaption c\nanswer 3\n").at(0).find("3: the step has an answer") ==
        0);
  CHECK(reasons(head + "step S\ncaption c\nview.tab memory\n").at(0).find("5: the step has some") ==
        0);
  CHECK(
      reasons(head + "step S\ncaption c\nexpect swaps == 1\n").at(0).find("3: the step has a c") ==
      0);
  CHECK(reasons(head + "step S\ncaption c\nspotlight a\nspotlight b\n").at(0) ==
        "6: spotlight is already in line 5");
  CHECK(reasons(head + "step S\ncaption c\ngraph h.meta\n").at(0) ==
        "5: graph: expected before the first step");
}

TEST_CASE("A file with a mistake is no lesson, and the message names the line", "[lesson]") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("a.lesson");
  CHECK(app::read_lesson(path).error().code == Code::kNotFound);
  REQUIRE(write_file(path, "lesson A\ngraph g.meta\nstep S\n", false));
  const auto read = app::read_lesson(path);
  REQUIRE_FALSE(read);
  CHECK(read.error().message.find(path + ":3: ") == 0);
  CHECK(app::is_lesson_path(path));
  CHECK_FALSE(app::is_lesson_path("lesson.meta"));
}

}  // namespace tideline
