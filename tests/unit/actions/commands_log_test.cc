#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "app/actions/commands.h"
#include "app/actions/ui_model.h"
#include "app/session/log_document.h"
#include "core/events/hparams.h"
#include "tests/support/made_summaries.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline::app {
namespace {

using test::Desk;

const std::string kLogs = TIDELINE_SOURCE_DIR "/tests/data/logs";

void open_log(Viewer& viewer, const std::string& path) {
  REQUIRE(run_action(viewer, "document.open", {"log", path}));
  test::settle(viewer);
  REQUIRE(make_ui_model(viewer).log);
}

}  // namespace

TEST_CASE("A traced step of a log is opened with the graph of its run", "[session]") {
  Desk viewer;
  open_log(viewer, kLogs + "/tf1_mlp");
  const auto& traces = make_ui_model(viewer).log->traces;
  REQUIRE(traces.size() > 1);
  const ui::LogContents::LoggedStep first = traces.front();
  const ui::LogContents::LoggedStep last = traces.back();
  CHECK_FALSE(run_action(viewer, "log.open-trace", {first.run, "nothing"}));
  REQUIRE(run_action(viewer, "log.open-trace", {first.run, first.tag}));
  test::settle(viewer);
  REQUIRE(viewer.graph().snapshot());
  CHECK(viewer.view.memory_axis == ui::AxisKind::kMeasuredTime);
  const ui::UiModel& model = make_ui_model(viewer);
  REQUIRE(model.scene);
  REQUIRE(model.scene->measured != nullptr);
  CHECK(model.scene->measured->place.find("'" + first.tag + "'") != std::string::npos);
  // Another one is measured with the graph that is open.
  REQUIRE(run_action(viewer, "document.show", {"1"}));
  REQUIRE(run_action(viewer, "log.open-trace", {last.run, last.tag}));
  test::settle(viewer);
  CHECK(viewer.session.documents().size() == 2);
  CHECK(viewer.graph().trace().tag == last.tag);
  CHECK(make_ui_model(viewer).scene->measured->place.find("'" + last.tag + "'") !=
        std::string::npos);
}

TEST_CASE("What of a log is shown can be chosen by actions", "[session]") {
  Desk viewer;
  CHECK_FALSE(run_action(viewer, "log.page", {"images"}));  // no log is open
  open_log(viewer, kLogs + "/tf2_keras");
  REQUIRE(run_action(viewer, "log.page", {"images"}));
  CHECK(viewer.view.log.page == ui::LogPage::kImages);
  CHECK_FALSE(run_action(viewer, "log.page", {"pictures"}));
  viewer.view.log.rows[3] = 1;
  REQUIRE(run_action(viewer, "log.step", {"7"}));
  CHECK(viewer.view.log.step == 7);
  CHECK(viewer.view.log.rows.empty());
  REQUIRE(run_action(viewer, "log.step"));
  CHECK_FALSE(viewer.view.log.step);
  REQUIRE(run_action(viewer, "log.axis", {"relative"}));
  CHECK(viewer.view.log.look.axis == render::LogAxis::kRelative);
  REQUIRE(run_action(viewer, "log.smoothing", {"0.5"}));
  CHECK(viewer.view.log.look.smoothing_0_1 == 0.5);
  REQUIRE(run_action(viewer, "log.filter", {"tags", "loss"}));
  CHECK(viewer.view.log.tag_filter == "loss");
  REQUIRE(run_action(viewer, "log.filter", {"tags"}));
  CHECK(viewer.view.log.tag_filter.empty());
}

TEST_CASE("A chart is enlarged, and its values are written for the runs that are shown",
          "[session]") {
  Desk viewer;
  const test::TemporaryFolder folder;
  open_log(viewer, kLogs + "/tf1_mlp");
  CHECK_FALSE(run_action(viewer, "log.write-chart", {folder.file("a.csv")}));
  CHECK_FALSE(run_action(viewer, "log.enlarge", {"nothing"}));
  viewer.view.log.page = ui::LogPage::kGraphs;
  REQUIRE(run_action(viewer, "log.enlarge", {"loss_1"}));
  CHECK(viewer.view.log.page == ui::LogPage::kScalars);
  CHECK(viewer.view.log.chart_path == "loss_1.png");
  REQUIRE(run_action(viewer, "log.write-chart", {folder.file("a.csv")}));
  std::ifstream written(folder.file("a.csv"));
  std::string line;
  std::getline(written, line);
  CHECK(line == "run,step,wall_time,value");
  std::getline(written, line);
  CHECK(line.starts_with(".,0,"));
  CHECK_FALSE(run_action(viewer, "log.write-chart", {folder.file("a.csv")}));
  viewer.view.log.hidden_runs = {"."};
  REQUIRE(run_action(viewer, "log.write-chart", {folder.file("a.csv"), "force"}));
  CHECK(std::filesystem::file_size(folder.file("a.csv")) == 25);
  viewer.view.log.hidden_runs.clear();
  viewer.view.log.run_filter = "nothing";  // as hidden
  REQUIRE(run_action(viewer, "log.write-chart", {folder.file("a.csv"), "force"}));
  CHECK(std::filesystem::file_size(folder.file("a.csv")) == 25);
  const auto refused = run_action(viewer, "log.write-chart", {folder.file("a.txt")});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find(".png, .svg or .csv") != std::string::npos);
  // A picture is what the window draws.
  app::PictureRequest asked;
  viewer.write_picture = [&](Viewer&, const app::PictureRequest& request) -> Status {
    asked = request;
    return {};
  };
  REQUIRE(run_action(viewer, "log.write-chart", {folder.file("a.svg")}));
  CHECK(asked.what == "chart");
  CHECK_FALSE(asked.force);
  REQUIRE(run_action(viewer, "log.enlarge"));
  CHECK(viewer.view.log.enlarged.empty());
}

TEST_CASE("Runs of an added log stand beside those of the first, and go again", "[session]") {
  Desk viewer;
  CHECK_FALSE(run_action(viewer, "log.add", {kLogs + "/tf1_mlp"}));  // no log is open
  open_log(viewer, kLogs + "/tf2_keras");
  CHECK_FALSE(run_action(viewer, "log.remove", {"tf1_mlp"}));
  const auto alone = make_ui_model(viewer).log;
  REQUIRE(run_action(viewer, "log.add", {kLogs + "/tf1_mlp"}));
  test::settle(viewer);
  const auto both = make_ui_model(viewer).log;
  REQUIRE(both->added.size() == 1);
  CHECK(both->added[0].name == "tf1_mlp");
  REQUIRE(both->runs.size() == alone->runs.size() + 1);
  CHECK(both->events->runs()[both->runs.back()] == "tf1_mlp");
  // What it lists is opened from where it lies.
  const auto& traces = both->traces;
  const auto own = std::find_if(traces.begin(), traces.end(),
                                [](const auto& trace) { return trace.run == "tf1_mlp"; });
  REQUIRE(own != traces.end());
  const auto graph = std::find_if(both->graphs.begin(), both->graphs.end(),
                                  [](const auto& one) { return one.run == "tf1_mlp"; });
  REQUIRE(graph != both->graphs.end());
  const DocumentId log = viewer.shown;
  REQUIRE(run_action(viewer, "log.open-graph", {"tf1_mlp", graph->tag}));
  test::settle(viewer);
  REQUIRE(viewer.graph().snapshot());
  CHECK(viewer.graph().request().graph.path == kLogs + "/tf1_mlp");
  CHECK(viewer.graph().request().graph.run == ".");
  show(viewer, log);
  REQUIRE(run_action(viewer, "log.open-trace", {"tf1_mlp", own->tag}));
  test::settle(viewer);
  CHECK(viewer.view.tab == ui::Tab::kTimeline);
  show(viewer, log);
  viewer.view.log.rows[3] = 1;
  REQUIRE(run_action(viewer, "log.remove", {"tf1_mlp"}));
  test::settle(viewer);
  CHECK(viewer.view.log.rows.empty());
  CHECK(make_ui_model(viewer).log->added.empty());
  CHECK(make_ui_model(viewer).log->runs.size() == alone->runs.size());
  CHECK(make_ui_model(viewer).log->tags.size() == alone->tags.size());
}

TEST_CASE("Images that a frame wants are decoded beside it, one after the other", "[session]") {
  Desk viewer;
  viewer.decode_image = [](std::string_view encoded) -> Result<ui::Pixels> {
    if (!encoded.starts_with("\x89PNG")) return fail(Code::kCorrupt, "no PNG");
    return ui::Pixels{1, 1, {1, 2, 3, 4}};
  };
  open_log(viewer, kLogs + "/tf2_keras");
  const ui::LogContents& log = *make_ui_model(viewer).log;
  std::vector<ui::LogRowKey> wanted;
  for (std::uint32_t i = 0; i < log.events->series().size(); ++i) {
    const events::Series& series = log.events->series()[i];
    if (series.kind != events::SeriesKind::kImage) continue;
    for (std::size_t row = 0; row < series.rows.size(); ++row) wanted.push_back({i, row});
  }
  REQUIRE(wanted.size() > 1);
  wanted.push_back({9999, 0});  // of a log that was shown before
  viewer.view.log.wanted_images = wanted;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    (void)make_ui_model(viewer);
    test::settle(viewer);
  }
  const ui::LogImages& images = *make_ui_model(viewer).log_images;
  CHECK(images.rows.size() == wanted.size() - 1);
  for (const auto& [key, row] : images.rows) {
    CHECK(row->problem.empty());
    CHECK_FALSE(row->pictures.empty());
  }
}

TEST_CASE("A log opens as a log, with none, one or many graphs in it", "[session]") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("deep/er/run"));
  std::ofstream(folder.file("deep/er/run/events.out.tfevents.1"), std::ios::binary)
      << test::summary_record(0, test::simple_value("loss", 1));
  std::filesystem::copy_file(folder.file("deep/er/run/events.out.tfevents.1"),
                             folder.file("any name"));
  for (const std::string& path :
       {folder.file("deep"), folder.file("deep/er/run/events.out.tfevents.1"),
        folder.file("any name"), kLogs + "/tf1_mlp", kLogs + "/tf2_keras"}) {
    CAPTURE(path);
    for (const char* action : {"file.open", "file.drop"}) {
      Desk viewer;
      REQUIRE(run_action(viewer, action, {path}));
      test::settle(viewer);
      CHECK_FALSE(viewer.session.journal().take_failure());
      REQUIRE(viewer.session.documents().size() == 1);
      CHECK(make_ui_model(viewer).log);
      CHECK(viewer.settings.recent_files == std::vector<std::string>{path});
    }
  }
  CHECK(kind_of_path(folder.file("")).id == "log");
  CHECK(kind_of_path(TIDELINE_SOURCE_DIR "/tests/data/graphs").id == "graph");
  CHECK(kind_of_path(TIDELINE_SOURCE_DIR "/tests/data/graphs/mlp.meta").id == "graph");
}

TEST_CASE("A log that is dropped on a graph opens beside it", "[session]") {
  Desk viewer;
  REQUIRE(run_action(viewer, "file.open", {test::tutorial()}));
  test::settle(viewer);
  REQUIRE(run_action(viewer, "file.drop", {kLogs + "/tf2_keras"}));
  test::settle(viewer);
  CHECK(viewer.session.documents().size() == 2);
  CHECK(make_ui_model(viewer).log);
  CHECK(viewer.settings.recent_files ==
        std::vector<std::string>{kLogs + "/tf2_keras", test::tutorial()});
}

TEST_CASE("A log without scalars opens on a page that has something", "[session]") {
  const test::TemporaryFolder folder;
  const std::string text = test::tensor_value("notes", "text", test::text_tensor({"a"}));
  std::ofstream(folder.file("tfevents"), std::ios::binary) << test::summary_record(0, text);
  Desk viewer;
  REQUIRE(run_action(viewer, "file.open", {folder.file("")}));
  test::settle(viewer);
  CHECK(viewer.view.log.page == ui::LogPage::kText);
  REQUIRE(run_action(viewer, "log.page", {"scalars"}));
  test::settle(viewer);
  CHECK(viewer.view.log.page == ui::LogPage::kScalars);
  Desk graphs;
  REQUIRE(run_action(graphs, "file.open", {kLogs + "/tf1_lstm"}));
  test::settle(graphs);
  const ui::LogContents& log = *make_ui_model(graphs).log;
  REQUIRE_FALSE(log.graphs.empty());
  const bool has_scalars = std::any_of(log.tags.begin(), log.tags.end(), [](const auto& tag) {
    return tag.kind == events::SeriesKind::kScalar;
  });
  CHECK((graphs.view.log.page == ui::LogPage::kScalars) == has_scalars);
}

TEST_CASE("Hyperparameters of a log are on its page", "[session]") {
  Desk viewer;
  open_log(viewer, TIDELINE_SOURCE_DIR "/tests/data/foreign/logs/hparams");
  REQUIRE(run_action(viewer, "log.page", {"hparams"}));
  const ui::LogContents& log = *make_ui_model(viewer).log;
  REQUIRE(log.hparams);
  CHECK(log.hparams->rows.size() == 2);
  Desk other;
  open_log(other, kLogs + "/tf1_mlp");
  CHECK_FALSE(make_ui_model(other).log->hparams);
}

TEST_CASE("Actions of a log say that no log is shown", "[session]") {
  Desk viewer;
  const auto answer = run_action(viewer, "log.page", {"images"});
  REQUIRE_FALSE(answer);
  CHECK(answer.error().message == "log.page: no log is shown; expected file.open LOGDIR first");
}

}  // namespace tideline::app
