#include "app/actions/file_dialogs.h"

#include <fstream>
#include <set>

#include "app/actions/commands.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using test::Desk;
using ui::WriteForm;

}  // namespace

TEST_CASE("Dialogs that open have a filter for what they are for, and all files", "[dialogs]") {
  const auto filters = app::file_filters(ui::Popup::kOpen);
  REQUIRE(filters.size() == 6);
  CHECK(filters[0].fits("resnet50.meta"));
  CHECK(filters[0].fits("events.out.tfevents.1.host"));
  CHECK(filters[0].fits("w.safetensors"));
  CHECK_FALSE(filters[0].fits("notes.txt"));
  CHECK(filters[1].fits("graph.pb"));
  CHECK_FALSE(filters[1].fits("w.safetensors"));
  CHECK(filters.back().title == "All files");
  CHECK(filters.back().fits("notes.txt"));
  CHECK(filters[0].fits("levels.lesson"));
  CHECK(app::file_filters(ui::Popup::kOpenLog).size() == 2);
  CHECK(app::file_filters(ui::Popup::kOpenLesson).front().fits("levels.lesson"));
  CHECK(app::file_filters(ui::Popup::kOpenTrace).size() == 1);
  CHECK(app::file_filters(ui::Popup::kKeys).empty());
}

TEST_CASE("CSV and plan are not proposed as x_lms.meta: each output has its own name",
          "[dialogs]") {
  std::set<std::string> names;
  for (std::size_t i = 0; i < ui::kWriteForms; ++i)
    names.insert(app::proposed_path("/data/x.meta", static_cast<WriteForm>(i), "memory"));
  CHECK(names == std::set<std::string>{"/data/x_lms.csv", "/data/x_lms.meta",
                                       "/data/x_lms.plan.json", "/data/x_lms_log",
                                       "/data/x_memory.svg", "/data/x_window.png"});
  CHECK(app::proposed_path("/data/saved/", WriteForm::kGraph, "levels") == "/data/saved_lms");
}

TEST_CASE("The dialog that writes keeps what was typed, and its picture follows the view",
          "[dialogs]") {
  Desk desk;
  test::open_tutorial(desk, 50);
  auto& paths = desk.view.write_paths;
  REQUIRE(app::run_action(desk, "file.write-dialog", {"tables"}));
  CHECK(desk.view.popup == ui::Popup::kWrite);
  CHECK(desk.view.write_form == WriteForm::kTables);
  CHECK(paths[3].ends_with("/tutorial_mnist_lms.csv"));
  CHECK(paths[4].ends_with("/tutorial_mnist_levels.svg"));
  paths[3] = "/tmp/mine.csv";
  desk.view.tab = ui::Tab::kMemory;
  REQUIRE(app::run_action(desk, "file.write-dialog"));
  CHECK(desk.view.write_form == WriteForm::kGraph);
  CHECK(paths[3] == "/tmp/mine.csv");
  CHECK(paths[4].ends_with("/tutorial_mnist_memory.svg"));
}

TEST_CASE("What is at a path is known before it is written", "[dialogs]") {
  const test::TemporaryFolder folder;
  Desk desk;
  test::open_tutorial(desk, 50);
  std::string& graph = desk.view.write_paths[0];
  graph = folder.file("a.meta");
  CHECK_FALSE(app::write_place(desk).exists);
  std::ofstream(graph) << "x";
  CHECK(app::write_place(desk).exists);
  CHECK(app::write_place(desk).problem.empty());
  graph = folder.file("a.onnx");
  CHECK(app::write_place(desk).problem.find("a.onnx") != std::string::npos);
  desk.view.write_form = WriteForm::kTables;
  desk.view.write_paths[3] = folder.file("a.csv");
  CHECK_FALSE(app::write_place(desk).exists);
  std::ofstream(folder.file("a.steps.csv")) << "x";
  CHECK(app::write_place(desk).exists);
}

}  // namespace tideline
