#include "app/actions/check_lesson.h"

#include "core/base/parse.h"
#include "core/base/source_bytes.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

// Of a lesson with the lines `step` in its only step. `labels` are the widgets of its window.
std::vector<std::string> mistakes(const std::string& step,
                                  const std::vector<std::string>& labels = {}) {
  test::Desk desk;
  const std::string folder = std::string(TIDELINE_SOURCE_DIR) + "/assets/tutorials/lessons/";
  const std::string text =
      "lesson L\ngraph chain.meta\ngraph.batch-size 4096\nstep S\ncaption c\nhint h\n" + step;
  const app::WidgetLabels widgets = [&labels](app::Viewer&) { return labels; };
  std::vector<std::string> all;
  for (const auto& one : app::check_lesson(desk, text, folder + "x.lesson", widgets))
    all.push_back(std::to_string(one.line) + ": " + one.reason);
  return all;
}

}  // namespace

TEST_CASE("A lesson without a mistake has none", "[lesson]") {
  CHECK(mistakes("select.op x\nexpect selected == x\n").empty());
}

TEST_CASE("The lesson that the README of the tutorials shows has no mistake", "[lesson]") {
  const std::string folder = TIDELINE_SOURCE_DIR "/assets/tutorials/";
  const auto readme = open_bytes(folder + "README.md");
  REQUIRE(readme);
  // The first block that is indented.
  std::string lesson;
  std::string_view rest = (*readme)->bytes();
  while (!rest.empty()) {
    const std::string_view line = take_until(rest, '\n');
    if (line.starts_with("    ")) {
      lesson += std::string(line.substr(4)) + "\n";
    } else if (!line.empty() && !lesson.empty()) {
      break;
    }
  }
  REQUIRE(lesson.find("lesson The first swap") != std::string::npos);
  test::Desk desk;
  std::string all;
  for (const auto& one : app::check_lesson(desk, lesson, folder + "lessons/x.lesson", {}))
    all += std::to_string(one.line) + ": " + one.reason + "\n";
  CHECK(all == "");
}

TEST_CASE("A mistake of each kind in a lesson is told with its line and the reason", "[lesson]") {
  const auto unknown = mistakes("policy.sett swapout-threshold 3\nexpect swaps >= 1\n");
  REQUIRE(unknown.size() == 1);
  CHECK(unknown[0] == "7: 'policy.sett' is not an action; expected one such as policy.set");
  CHECK(mistakes("file.write /tmp/x.pb\nexpect swaps >= 1\n")[0].find(
            "7: file.write is not for lessons") == 0);
  CHECK(mistakes("lesson.next\nexpect swaps >= 1\n")[0].find("7: lesson.next is not for lessons") ==
        0);
  const auto argument = mistakes("view.tab nowhere\nexpect tab == memory\n");
  REQUIRE(argument.size() == 1);
  CHECK(argument[0].find("7: view.tab: invalid value 'nowhere'") == 0);
  const auto quantity = mistakes("select.op x\nexpect swapz >= 1\n");
  REQUIRE(quantity.size() == 1);
  CHECK(quantity[0].find("8: expect: 'swapz' is not a quantity") == 0);
  CHECK(mistakes("select.op x\nexpect swaps =< 1\n")[0].find("8: expect: invalid value '=<'") == 0);
  CHECK(mistakes("select.op x\nexpect device-peak <= big\n")[0].find(
            "8: expect: invalid value 'big'") == 0);
  CHECK(mistakes("ask Why?\nreveal swapz\n")[0].find("8: reveal: 'swapz' is not a quantity") == 0);
  const auto no_number = mistakes("select.op x\nexpect swaps > many\n");
  REQUIRE(no_number.size() == 1);
  CHECK(no_number[0].find("8: invalid value 'many'") == 0);
  const auto fails = mistakes("select.op nobody\nexpect selected == nobody\n");
  REQUIRE(fails.size() == 1);
  CHECK(fails[0].find("7: select.op: ") == 0);
  const auto unmet = mistakes("select.op x\nexpect selected == layer0/out\n");
  REQUIRE(unmet.size() == 1);
  CHECK(unmet[0] ==
        "8: expect: does not hold after what the step does: selected is x, expected == "
        "layer0/out");
  const auto idle = mistakes("select.op x\nexpect tab == levels\n");
  REQUIRE(idle.size() == 1);
  CHECK(idle[0].find("8: expect: holds before anything is done") == 0);
  CHECK(mistakes("spotlight-op nobody\n") ==
        std::vector<std::string>{"7: spotlight-op: no op is called 'nobody'"});
}

TEST_CASE("A spotlight on a widget that is not there is told, with those of the same panel",
          "[lesson]") {
  const std::vector<std::string> window = {"policy/mode", "policy/swapout threshold", "menu/File"};
  CHECK(mistakes("spotlight policy/mode\n", window).empty());
  const auto missed = mistakes("spotlight policy/treshold\n", window);
  REQUIRE(missed.size() == 1);
  CHECK(missed[0] ==
        "7: spotlight: the window has no widget 'policy/treshold' in this step; expected "
        "one such as 'policy/mode', 'policy/swapout threshold'");
}

TEST_CASE("A lesson whose graph is missing or broken is told so at the line of the graph",
          "[lesson]") {
  const auto of_graph = [](const std::string& graph) {
    test::Desk desk;
    const std::string text = "lesson L\ngraph " + graph + "\nstep S\ncaption c\n";
    return app::check_lesson(desk, text, TIDELINE_SOURCE_DIR "/assets/x.lesson", {});
  };
  const auto missing = of_graph("nowhere.meta");
  REQUIRE(missing.size() == 1);
  CHECK(missing[0].line == 2);
  CHECK(missing[0].reason.find("nowhere.meta is not there") != std::string::npos);
  const auto broken = of_graph("../README.md");
  REQUIRE(broken.size() == 1);
  CHECK(broken[0].line == 2);
}

}  // namespace tideline
