#include "app/actions/session_file.h"

#include <fstream>
#include <sstream>

#include "app/actions/commands.h"
#include "app/actions/session_keeper.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

namespace fs = std::filesystem;
using test::Desk;

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// A graph of its own, whose folder can be written.
std::string copied_tutorial(const test::TemporaryFolder& folder, const char* name = "g.meta") {
  fs::copy_file(test::tutorial(), folder.file(name));
  return folder.file(name);
}

void open(Desk& desk, const std::string& path) {
  app::open_graph(desk, {.graph = {.path = path}});
  test::settle(desk);
  REQUIRE(desk.graph().snapshot());
}

void change(Desk& desk) {
  const std::vector<std::pair<const char*, app::Words>> actions = {
      {"policy.mode", {"lms2"}},         {"policy.set", {"swapout-threshold", "40"}},
      {"scope.set", {"conv1", "never"}}, {"tensor.keep", {"conv2/Relu:0"}},
      {"graph.batch-size", {"77"}},      {"graph.shape", {"input/Placeholder=?x784"}},
      {"view.tab", {"memory"}},          {"view.range", {"3", "20"}},
      {"view.color", {"type"}},          {"scope.color", {"time"}},
      {"select.op", {"conv1/Conv2D"}}};
  for (const auto& [id, words] : actions) {
    const auto answer = app::run_action(desk, id, words);
    INFO(id << ": " << (answer ? "" : answer.error().message));
    CHECK(answer);
    test::settle(desk);
  }
}

std::string last_message(const Desk& desk) {
  const auto& messages = desk.opened.journal().messages();
  return messages.empty() ? "" : messages.back().text;
}

}  // namespace

TEST_CASE("a session file takes another window to the same policy and view", "[session]") {
  const test::TemporaryFolder folder;
  const std::string graph = copied_tutorial(folder);
  Desk before;
  open(before, graph);
  CHECK_FALSE(app::run_action(before, "session.save", {folder.file("none.tideline")}));
  change(before);
  const std::string path = folder.file("a b.tideline");
  REQUIRE(app::run_action(before, "session.save", {path}));
  CHECK_FALSE(app::run_action(before, "session.save", {path}));  // not over a file
  CHECK(app::run_action(before, "session.save", {path, "force"}));

  Desk desk;
  open(desk, graph);
  // Whatever is wanted before: a budget of the window, and a rule.
  REQUIRE(app::run_action(desk, "policy.set", {"device-memory", "1GiB"}));
  REQUIRE(app::run_action(desk, "tensor.keep", {"fc1/Relu:0"}));
  const auto answer = app::run_action(desk, "session.take-up", {path});
  INFO((answer ? "" : answer.error().message));
  REQUIRE(answer);
  test::settle(desk);
  CHECK(desk.graph().wish() == before.graph().wish());
  CHECK(desk.view.tab == ui::Tab::kMemory);
  CHECK(desk.view.levels_color == render::ColorBy::kType);
  CHECK(desk.view.boxes.color == render::ColorBy::kTime);
  CHECK(desk.view.axis == before.view.axis);
  CHECK(desk.view.selected == before.view.selected);
  REQUIRE(app::run_action(desk, "session.save", {folder.file("again.tideline")}));
  CHECK(read(folder.file("again.tideline")) == read(path));
}

TEST_CASE("a session file keeps the loop that is shown and what was moved aside", "[session]") {
  const test::TemporaryFolder folder;
  const std::string graph = folder.file("g.meta");
  fs::copy_file(TIDELINE_SOURCE_DIR "/tests/data/graphs/while_nested.meta", graph);
  Desk before;
  open(before, graph);
  REQUIRE(app::run_action(before, "scope.aside", {"on", "save"}));
  REQUIRE(app::run_action(before, "scope.loop", {"outer/inner/Enter"}));
  REQUIRE(app::run_action(before, "scope.aside", {"off", "outer/inner/Enter"}));
  const std::string text = app::session_looks(before);
  Desk desk;
  open(desk, graph);
  CHECK(app::take_up_session(desk, text, "s").empty());
  CHECK(desk.view.boxes.loop == "outer/inner/while_context");
  CHECK(desk.view.boxes.open == before.view.boxes.open);
  // What only the whole graph has is no box of the loop.
  CHECK(desk.view.boxes.aside == render::AsideBoxes{{"outer/inner/Enter", false}});
  REQUIRE(app::run_action(before, "scope.loop"));
  Desk whole;
  open(whole, graph);
  CHECK(app::take_up_session(whole, app::session_looks(before), "s").empty());
  CHECK(whole.view.boxes.aside == before.view.boxes.aside);
}

TEST_CASE("the session of a function is not that of its file", "[session]") {
  const test::TemporaryFolder folder;
  const std::string graph = folder.file("g.pb");
  fs::copy_file(TIDELINE_SOURCE_DIR "/tests/data/graphs/tf2_controlflow.pb", graph);
  const auto open_body = [&](Desk& desk) {
    app::open_graph(desk, {.graph = {.path = graph, .function = "while_body_14487"}});
    test::settle(desk);
    REQUIRE(desk.graph().snapshot());
  };
  Desk desk;
  app::SessionKeeper keeper(desk, folder.file("sessions"));
  open_body(desk);
  keeper.take_up_opened();
  REQUIRE(app::run_action(desk, "view.tab", {"scopes"}));
  REQUIRE(keeper.save());
  CHECK_FALSE(fs::exists(app::session_path(graph)));
  std::ofstream(app::session_path(graph)) << "# of the graph\n";
  Desk next;
  app::SessionKeeper again(next, folder.file("sessions"));
  open_body(next);
  again.take_up_opened();
  CHECK(next.view.tab == ui::Tab::kScopes);
  CHECK(last_message(next).find("is no session of this graph") == std::string::npos);
}

TEST_CASE("a session file neither opens nor writes, and says which lines it left out",
          "[session]") {
  const test::TemporaryFolder folder;
  Desk desk;
  open(desk, copied_tutorial(folder));
  const std::string written = folder.file("out.pb");
  const std::string text = "# a comment\n\ngraph.batch-size 9\nfile.write " + written +
                           "\npolicy.mode lms9\nfile.quit\nview.tab memory\n\"open\n"
                           "graph.as-run exact\n";
  const auto problems = app::take_up_session(desk, text, "s");
  test::settle(desk);
  CHECK(desk.graph().wish().batch_size == 9);
  CHECK(desk.view.tab == ui::Tab::kMemory);
  CHECK_FALSE(fs::exists(written));
  CHECK_FALSE(desk.wants_quit);
  CHECK_FALSE(desk.graph().wish().is_exact());
  REQUIRE(problems.size() == 5);
  CHECK(problems[0].starts_with("s:4: file.write: a session file cannot do this"));
  CHECK(problems[1].starts_with("s:5: policy.mode: "));
  CHECK(problems[2].starts_with("s:6: file.quit: a session file cannot do this"));
  CHECK(problems[3].starts_with("s:8: "));
  CHECK(problems[4].starts_with("s:9: graph.as-run: a session file cannot do this"));
}

TEST_CASE("a window keeps the session of a graph beside it", "[session]") {
  const test::TemporaryFolder folder;
  const std::string graph = copied_tutorial(folder);
  app::Wish wish;
  {
    Desk before;
    app::SessionKeeper keeper(before, folder.file("sessions"));
    open(before, graph);
    keeper.take_up_opened();
    REQUIRE(keeper.save());
    CHECK_FALSE(fs::exists(app::session_path(graph)));  // nothing was changed
    change(before);
    REQUIRE(keeper.save());
    wish = before.graph().wish();
  }
  CHECK(fs::exists(app::session_path(graph)));
  CHECK_FALSE(fs::exists(folder.file("sessions")));
  {
    Desk desk;
    app::SessionKeeper keeper(desk, folder.file("sessions"));
    open(desk, graph);
    keeper.take_up_opened();
    test::settle(desk);
    CHECK(desk.graph().wish() == wish);
    CHECK_FALSE(desk.graph().is_unwritten());
    CHECK(desk.view.tab == ui::Tab::kMemory);
    CHECK(last_message(desk).find("g.meta.tideline: taken up where it was left") !=
          std::string::npos);
    // It begins anew, and so does the next window.
    REQUIRE(app::run_action(desk, "policy.reset"));
    REQUIRE(app::run_action(desk, "graph.batch-size", {"none"}));
    REQUIRE(app::run_action(desk, "graph.shape", {"input/Placeholder="}));
    REQUIRE(app::run_action(desk, "view.tab", {"levels"}));
    REQUIRE(app::run_action(desk, "view.color", {"phase"}));
    REQUIRE(app::run_action(desk, "scope.color", {"scope"}));
    REQUIRE(app::run_action(desk, "view.fit"));
    desk.view.selected.reset();
    keeper.take_up_opened();
    REQUIRE(keeper.save());
    CHECK_FALSE(fs::exists(app::session_path(graph)));
  }
}

TEST_CASE("the session of another graph is offered, and never written over", "[session]") {
  const test::TemporaryFolder folder;
  const std::string graph = copied_tutorial(folder);
  const std::string other = "# tideline session, sha256 " + std::string(64, 'a') +
                            "\ngraph.batch-size 5\nview.tab memory\n";
  std::ofstream(app::session_path(graph)) << other;
  Desk desk;
  app::SessionKeeper keeper(desk, folder.file("sessions"));
  open(desk, graph);
  keeper.take_up_opened();
  CHECK_FALSE(desk.graph().wish().batch_size);
  CHECK(last_message(desk).find("is no session of this graph") != std::string::npos);
  change(desk);
  REQUIRE(keeper.save());
  CHECK(read(app::session_path(graph)) == other);
  REQUIRE(fs::exists(folder.file("sessions")));
  Desk next;
  app::SessionKeeper again(next, folder.file("sessions"));
  open(next, graph);
  again.take_up_opened();
  CHECK(next.graph().wish().batch_size == 77);
  REQUIRE(app::run_action(next, "session.take-up"));
  CHECK(next.graph().wish().batch_size == 5);
}

TEST_CASE("a session is left alone where it is not wanted", "[session]") {
  const test::TemporaryFolder folder;
  const std::string graph = copied_tutorial(folder);
  std::string digest;
  {
    Desk desk;
    open(desk, graph);
    digest = app::session_digest(*desk.graph().snapshot()->graph->file);
  }
  std::ofstream(app::session_path(graph))
      << "# tideline session, sha256 " << digest << "\ngraph.batch-size 5\n";
  SECTION("the settings say so") {
    Desk desk;
    app::SessionKeeper keeper(desk, folder.file("sessions"));
    REQUIRE(app::run_action(desk, "session.keep"));
    open(desk, graph);
    keeper.take_up_opened();
    CHECK_FALSE(desk.graph().wish().batch_size);
    change(desk);
    REQUIRE(keeper.save());
    CHECK(read(app::session_path(graph)).find("lms2") == std::string::npos);
  }
  SECTION("the graph was opened with a policy") {
    Desk desk;
    app::SessionKeeper keeper(desk, folder.file("sessions"));
    app::Wish wish;
    wish.policy.rewriter = "lms2";
    for (const char* name : {"swapout-threshold", "swapin-ahead", "swapin-groupby"}) {
      set_value(wish.policy, name, 3);
    }
    app::open_graph(desk, {.graph = {.path = graph}}, wish);
    test::settle(desk);
    keeper.take_up_opened();
    CHECK(desk.graph().wish() == wish);
  }
  SECTION("the graph comes with the program") {
    Desk desk;
    app::SessionKeeper keeper(desk, folder.file("sessions"));
    open(desk, test::tutorial());
    keeper.take_up_opened();
    change(desk);
    REQUIRE(keeper.save());
    CHECK_FALSE(fs::exists(app::session_path(test::tutorial())));
    CHECK(fs::exists(folder.file("sessions")));
  }
  SECTION("the graph is a lesson's, also when the lesson has ended") {
    Desk desk;
    app::SessionKeeper keeper(desk, folder.file("sessions"));
    REQUIRE(app::run_action(desk, "lesson.start", {"first-swap"}));
    test::settle(desk);
    REQUIRE(desk.graph().snapshot());
    keeper.take_up_opened();
    REQUIRE(app::run_action(desk, "lesson.end"));
    keeper.take_up_opened();
    REQUIRE(app::run_action(desk, "graph.batch-size", {"77"}));
    test::settle(desk);
    REQUIRE(keeper.save());
    CHECK_FALSE(fs::exists(app::session_path(desk.graph().snapshot()->graph->file->path())));
    CHECK_FALSE(fs::exists(folder.file("sessions")));
  }
}

TEST_CASE("a session that was taken up is written when something changes, and not before",
          "[session]") {
  const test::TemporaryFolder folder;
  const std::string graph = copied_tutorial(folder);
  std::string digest;
  {
    Desk desk;
    open(desk, graph);
    digest = app::session_digest(*desk.graph().snapshot()->graph->file);
  }
  const std::string text =
      "# tideline session, sha256 " + digest + "\ngraph.batch-size 5\nsome.newer-action x\n";
  std::ofstream(app::session_path(graph)) << text;
  fs::permissions(graph, fs::perms::owner_read | fs::perms::owner_write);
  Desk desk;
  app::SessionKeeper keeper(desk, folder.file("sessions"));
  open(desk, graph);
  keeper.take_up_opened();
  CHECK(desk.graph().wish().batch_size == 5);
  REQUIRE(keeper.save());
  CHECK(read(app::session_path(graph)) == text);
  SECTION("by this window") {
    fs::remove(app::session_path(graph));
    std::ofstream(app::session_path(graph)) << text;
    REQUIRE(app::run_action(desk, "graph.batch-size", {"6"}));
    REQUIRE(keeper.save());
    CHECK(read(app::session_path(graph)).find("graph.batch-size 6") != std::string::npos);
  }
  SECTION("by another one meanwhile") {
    std::ofstream(app::session_path(graph)) << text << "graph.batch-size 8\n";
    REQUIRE(app::run_action(desk, "graph.batch-size", {"none"}));
    REQUIRE(keeper.save());
    CHECK(read(app::session_path(graph)) == text + "graph.batch-size 8\n");
  }
  SECTION("for those who may read the graph") {
    fs::remove(app::session_path(graph));
    REQUIRE(app::run_action(desk, "session.save", {folder.file("mine.tideline")}));
    const fs::perms mode = fs::status(folder.file("mine.tideline")).permissions();
    CHECK((mode & (fs::perms::group_all | fs::perms::others_all)) == fs::perms::none);
  }
}

TEST_CASE("a graph that is not shown keeps its view", "[session]") {
  const test::TemporaryFolder folder;
  const std::string first = copied_tutorial(folder, "a.meta");
  const std::string second = copied_tutorial(folder, "b.meta");
  Desk desk;
  app::SessionKeeper keeper(desk, folder.file("sessions"));
  open(desk, first);
  keeper.take_up_opened();
  REQUIRE(app::run_action(desk, "select.op", {"conv1/Conv2D"}));
  REQUIRE(keeper.save());
  const std::string kept = read(app::session_path(first));
  CHECK(kept.find("select.op conv1/Conv2D") != std::string::npos);
  open(desk, second);
  keeper.take_up_opened();
  REQUIRE(keeper.save());
  CHECK(read(app::session_path(first)) == kept);
  CHECK_FALSE(fs::exists(app::session_path(second)));
}

TEST_CASE("where nobody may write, the session stands beside the settings", "[session]") {
  const test::TemporaryFolder folder;
  const std::string graph = copied_tutorial(folder);
  // Not even root can put a file where a folder stands.
  fs::create_directory(app::session_path(graph));
  Desk desk;
  app::SessionKeeper keeper(desk, folder.file("sessions"));
  open(desk, graph);
  keeper.take_up_opened();
  change(desk);
  REQUIRE(keeper.save());
  CHECK(fs::is_directory(app::session_path(graph)));
  Desk next;
  app::SessionKeeper again(next, folder.file("sessions"));
  open(next, graph);
  again.take_up_opened();
  CHECK(next.graph().wish().batch_size == 77);
}

}  // namespace tideline
