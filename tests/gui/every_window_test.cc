// The whole window in three sizes with three sizes of letters, of five graphs and of everything
// else that can be open: what is written is whole and lies on nothing else, and all is in reach.
// Themes change colours alone.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "render/model/result_lines.h"
#include "tests/gui/support/drawn_texts.h"
#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"
#include "tests/gui/support/opened_graph.h"

namespace tideline::gui {
namespace {

using ui::Side;
using ui::Tab;

struct Size {
  float width, height;
};
constexpr Size kSizes[] = {{1600, 1000}, {1280, 720}, {800, 600}};
constexpr float kFonts[] = {16, 24, 32};
constexpr const char* kDozenLetters = "layer_1/relu";

const char* pane_of(Side side) {
  switch (side) {
    case Side::kNone: break;
    case Side::kLeft: return "/left_";
    case Side::kRight: return "/right_";
  }
  return "";
}

// A window, and what was written on it.
struct Seen {
  const ui::UiModel& model;
  Driver& driver;
  const DrawnTexts& texts;
};

bool is_written(const DrawnTexts& texts, const std::string& pane, const std::string& text) {
  const auto& all = texts.texts();
  return std::any_of(all.begin(), all.end(), [&](const DrawnText& drawn) {
    return drawn.pane.find(pane) != std::string::npos && drawn.text == text && drawn.is_seen() &&
           !drawn.is_cut();
  });
}

// Draws the view in each size, also with a side in front of the centre where that is possible.
template <typename Check>
void in_every_window(const ui::UiModel& model, const ui::ViewState& first, const Check& check) {
  for (const float font : kFonts) {
    ui::ViewState view = first;
    view.font_px = font;
    Driver driver(model, kSizes[0].width, kSizes[0].height, view);
    DrawnTexts texts;
    for (const Size size : kSizes) {
      ImGui::GetIO().DisplaySize = {size.width, size.height};
      for (const Side side : {Side::kNone, Side::kLeft, Side::kRight}) {
        driver.view.open_side = side;
        driver.frames(3);
        if (driver.view.open_side != side) continue;  // it stands beside the centre
        INFO(size.width << " x " << size.height << ", font " << font << pane_of(side));
        texts.clear();
        driver.frames(1);
        CHECK(texts.texts().size() > 10);
        for (const std::string& fault : texts.faults(pane_of(side))) FAIL_CHECK(fault);
        check(Seen{model, driver, texts});
      }
      driver.view.open_side = Side::kNone;
    }
  }
}

void check_result_line(const Seen& seen) {
  CHECK(seen.driver.has("result line/line"));
  const std::string title = ui::result_card(seen.model, seen.driver.view.device).title;
  INFO(title);
  CHECK(title.find("\u2192") != std::string::npos);
  CHECK(is_written(seen.texts, "/result line_", title));
}

// All that the tab offers stands there, whole.
void check_toolbar(const Seen& seen) {
  std::vector<std::string> written = {"Levels", "Memory", "Timeline", "Fit", "original"};
  if (seen.driver.view.tab == Tab::kLevels) {
    written.insert(written.end(), {"Play", "candidates", "control edges"});
  } else {
    written.insert(written.end(), {"by level", "detail", "0.50"});
  }
  for (const std::string& text : written) {
    INFO(text);
    CHECK(is_written(seen.texts, "/toolbar_", text));
  }
  // Below it there is still a chart.
  const bool is_levels = seen.driver.view.tab == Tab::kLevels;
  const render::Rect chart = seen.driver.rect(is_levels ? "levels/canvas" : "memory/canvas");
  CHECK(chart.height() > 0.2F * ImGui::GetIO().DisplaySize.y);
  CHECK(chart.width() > 0.3F * ImGui::GetIO().DisplaySize.x);
}

// A dozen letters of a name have room in the column. Returns whether the table was there.
bool check_tensor_column(const Seen& seen, const std::string& table) {
  const std::string heading = table + "/headings/tensor";
  if (!seen.driver.has(heading)) return false;
  const ImFont* font = seen.driver.fonts().small;
  const float dozen = font->CalcTextSizeA(font->FontSize, 1e6F, 0, kDozenLetters).x;
  CHECK(seen.driver.rect(heading).width() >= dozen);
  return true;
}

void check_graph(const std::string& name) {
  const auto opened = open_graph(name);
  const ui::UiModel& model = opened->model();
  for (const Tab tab : {Tab::kLevels, Tab::kMemory}) {
    INFO(name << (tab == Tab::kLevels ? " levels" : " memory"));
    ui::ViewState view = opened->viewer.view;
    view.tab = tab;
    int windows = 0, swaps = 0, lives = 0;
    in_every_window(model, view, [&](const Seen& seen) {
      ++windows;
      check_result_line(seen);
      swaps += check_tensor_column(seen, "swaps") ? 1 : 0;
      if (seen.driver.view.open_side != Side::kNone) return;  // in front of the rest
      check_toolbar(seen);
      lives += check_tensor_column(seen, "live") ? 1 : 0;
    });
    CHECK(windows > 9);  // some with a side in front
    CHECK(swaps == 9);   // beside the centre, or in front of it
    CHECK(lives == (tab == Tab::kMemory ? 9 : 0));
  }
}

void check_texts(const ui::UiModel& model, const ui::ViewState& view) {
  int windows = 0;
  in_every_window(model, view, [&windows](const Seen&) { ++windows; });
  CHECK(windows >= 9);
}

}  // namespace

TEST_CASE("Every window has all of its texts: the tutorial", "[every]") {
  check_graph("tutorial");
}
TEST_CASE("Every window has all of its texts: resnet50", "[every]") {
  check_graph("resnet50");
}
TEST_CASE("Every window has all of its texts: the transformer", "[every]") {
  check_graph("transformer");
}
TEST_CASE("Every window has all of its texts: a net like VGG", "[every]") {
  check_graph("vgg");
}
TEST_CASE("Every window has all of its texts: 100,000 ops", "[every]") {
  check_graph("100k");
}

TEST_CASE("Every window has all of its texts: a traced step on all tabs, and while it is played",
          "[every]") {
  const auto fixture = traced_swaps();
  fixture->model.fit.card = some_fit();
  ui::ViewState view;
  select(*fixture, view, "gradients/layer1/ReluGrad");
  for (const Tab tab : {Tab::kLevels, Tab::kMemory, Tab::kTimeline, Tab::kFit}) {
    INFO("tab " << static_cast<int>(tab));
    view.tab = tab;
    check_texts(fixture->model, view);
  }
  view.tab = Tab::kMemory;
  view.memory_axis = ui::AxisKind::kMeasuredTime;
  check_texts(fixture->model, view);
  view.memory_axis = ui::AxisKind::kLevel;
  for (const Tab tab : {Tab::kLevels, Tab::kMemory}) {
    view.tab = tab;
    view.player = 9;
    check_texts(fixture->model, view);
  }
}

TEST_CASE("Every window has all of its texts: the stretch of a timeline", "[every]") {
  const auto fixture = traced_swaps();
  ui::ViewState view;
  view.tab = Tab::kTimeline;
  view.stretch = ui::TimeStretch{300, 420};
  view.trace = {250, 220};
  check_texts(fixture->model, view);
}

TEST_CASE("Every window has all of its texts: logs, a checkpoint, nothing", "[every]") {
  check_texts(empty_fixture()->model, {});
  const auto checkpoint = trained_checkpoint();
  ui::ViewState view;
  for (const ui::CheckpointPage page :
       {ui::CheckpointPage::kTensors, ui::CheckpointPage::kComparison,
        ui::CheckpointPage::kBackends}) {
    INFO("checkpoint " << static_cast<int>(page));
    view.checkpoint.page = page;
    check_texts(checkpoint->model, view);
  }
  const auto log = logged_pages();
  for (const ui::LogPage page :
       {ui::LogPage::kScalars, ui::LogPage::kHistograms, ui::LogPage::kDistributions,
        ui::LogPage::kImages, ui::LogPage::kText, ui::LogPage::kGraphs}) {
    INFO("log " << static_cast<int>(page));
    view.log.page = page;
    check_texts(log->model, view);
  }
}

}  // namespace tideline::gui
