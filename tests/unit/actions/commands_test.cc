#include "app/actions/commands.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <set>

#include "app/actions/lesson_player.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/actions/action_samples.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using app::Action;
using app::Viewer;
using test::Args;
using test::Desk;
using test::kCheckpoint;
using test::kLesson;
using test::kLog;
using test::open_tutorial;
using test::TemporaryFolder;

// A state in which the action is possible, if it is not one of a log.
void prepare(Viewer& viewer, const TemporaryFolder& folder, std::string_view action) {
  app::open_graph(viewer, {.graph = {.path = std::string(TIDELINE_SOURCE_DIR) +
                                             "/tests/data/graphs/mlp.meta"}});
  open_tutorial(viewer, 50);
  REQUIRE(app::run_action(viewer, "measure.open", {trace_in(folder)}));
  viewer.session.wait();
  REQUIRE(app::run_action(viewer, "graph.batch-size", {"100"}));
  // Of 62 MiB, 37 are there at every op.
  REQUIRE(app::run_action(viewer, "policy.set", {"device-memory", "58MiB"}));
  if (action == "graph.copy-way") REQUIRE(app::run_action(viewer, "graph.fit"));  // a long search
  test::settle(viewer);
  viewer.view.tab = ui::Tab::kLevels;
  viewer.view.player = 1;
  viewer.write_picture = [](Viewer&, const app::PictureRequest&) -> Status { return {}; };
  for (const auto& [name, value] : {std::pair("device-memory", "64GiB"), {"swapin-ahead", "5"}}) {
    REQUIRE(app::run_action(viewer, "policy.set", {name, value}));
  }
  REQUIRE(app::run_action(viewer, "scope.set", {"loss", "never"}));
  REQUIRE(app::run_action(viewer, "policy.set", {"swapin-ahead", "6"}));
  viewer.graph().undo();
  viewer.session.wait();
  for (const char* name : {"fc1/Relu", "conv1/Relu", "fc2/add"}) {
    if (app::run_action(viewer, "select.op", {name})) continue;
    REQUIRE(app::run_action(viewer, "search.find", {"op:Relu"}));
  }
  viewer.view.history_at = 1;
  viewer.view.search = "Relu";
  viewer.view.stretch = ui::TimeStretch{1, 2};
  viewer.view.levels = ui::LevelStretch{1, 2};
}

}  // namespace

TEST_CASE("Every action does what it should and refuses what it must", "[session]") {
  const TemporaryFolder folder;
  const auto all = test::action_samples(folder);
  for (const Action& action : app::actions()) {
    INFO(action.id);
    const auto sample = all.find(action.id);
    REQUIRE(sample != all.end());
    Desk viewer;
    prepare(viewer, folder, action.id);
    if (action.id.starts_with("log.")) {
      REQUIRE(app::run_action(viewer, "document.open", {"log", kLog}));
      test::settle(viewer);
      REQUIRE(app::run_action(viewer, "log.enlarge", {"loss_1"}));
    }
    if (action.id == "scope.loop" || action.id == "scope.enter" || action.id == "scope.leave") {
      const std::string loops = TIDELINE_SOURCE_DIR "/tests/data/graphs/while_nested.meta";
      REQUIRE(app::run_action(viewer, "file.open", {loops}));
      test::settle(viewer);
      REQUIRE(app::run_action(viewer, "view.tab", {"scopes"}));
      REQUIRE(app::run_action(viewer, "scope.loop", {"outer/while_context"}));
    }
    if (action.id == "log.remove") {
      REQUIRE(app::run_action(viewer, "log.add", {test::kOtherLog}));
      test::settle(viewer);
    }
    if (action.id.starts_with("checkpoint.")) {
      REQUIRE(app::run_action(viewer, "document.open", {"checkpoint", kCheckpoint}));
      test::settle(viewer);
    }
    if (action.id.starts_with("lesson.")) {
      REQUIRE(app::run_action(viewer, "lesson.open", {kLesson}));
      app::settle_lesson(viewer);
    }
    if (action.id.starts_with("diff.")) {
      REQUIRE(app::run_action(viewer, "diff.of", {"original", "current"}));
      test::settle(viewer);
    }
    if (action.id.starts_with("bookmark.")) {
      REQUIRE(app::run_action(viewer, "bookmark.keep", {"1"}));
    }
    if (action.id == "policy.take-tried") {
      REQUIRE(app::run_action(viewer, "policy.auto", {"on"}));
      test::settle(viewer);
    }
    if (action.id == "policy.revert") {
      REQUIRE(app::run_action(viewer, "policy.set", {"excl-output-by-scopes", "nowhere"}));
      test::settle(viewer);
    }
    for (const Args& bad : sample->second.bad) {
      INFO((bad.empty() ? "" : bad.back()));
      const auto status = app::run_action(viewer, action.id, bad);
      viewer.session.wait();
      REQUIRE_FALSE(status);
      CHECK(status.error().message.find(action.id) == 0);
    }
    if (action.id == "job.cancel") {
      viewer.graph().reload();  // so that there is something to cancel
      while (!app::run_action(viewer, action.id) && viewer.session.is_busy()) viewer.session.poll();
      viewer.session.wait();
      continue;
    }
    const auto status = app::run_action(viewer, action.id, sample->second.good);
    INFO((status ? std::string() : status.error().message));
    CHECK(status);
    viewer.session.wait();
    app::poll(viewer);
    const auto failure = viewer.session.journal().take_failure();
    INFO((failure ? failure->message : std::string()));
    CHECK_FALSE(failure);
  }
}

TEST_CASE("The table is in order: unique names, known groups, no key twice", "[session]") {
  std::set<std::string_view> ids;
  std::set<std::string> keys;
  const auto check_keys = [&](std::string_view text) {
    std::string key;
    for (const char c : std::string(text) + " ") {
      if (c != ' ') {
        key += c;
        continue;
      }
      INFO(key);
      if (!key.empty()) CHECK(keys.insert(key).second);
      key.clear();
    }
  };
  for (const Action& action : app::actions()) {
    INFO(action.id);
    CHECK(ids.insert(action.id).second);
    CHECK(action.run != nullptr);
    bool is_optional = false;
    for (const app::ArgumentSpec& spec : action.arguments()) {
      CHECK((spec.is_optional || !is_optional));
      is_optional = spec.is_optional;
    }
    CHECK(action.help.ends_with("."));
    CHECK((action.menu.empty() || app::required_count(action.arguments()) == 0));
    check_keys(action.keys);
  }
  for (const app::Shortcut& shortcut : app::shortcuts()) {
    INFO(shortcut.id);
    CHECK(ids.insert(shortcut.id).second);
    CHECK(app::find_action(shortcut.id.substr(0, shortcut.id.find(' '))) != nullptr);
    check_keys(shortcut.keys);
  }
}

TEST_CASE("An action that needs a graph says so when there is none", "[session]") {
  Desk viewer;
  for (const auto& [id, arguments] : {std::pair<const char*, Args>{"policy.mode", {"lms2"}},
                                      {"file.write", {"x.pb"}},
                                      {"view.fit", {}},
                                      {"select.op", {"a"}},
                                      {"edit.copy-python", {}}}) {
    const auto status = app::run_action(viewer, id, arguments);
    REQUIRE_FALSE(status);
    CHECK(status.error().message.find("no graph is open") != std::string::npos);
  }
  CHECK_FALSE(app::run_action(viewer, "policy.explode"));
  CHECK_FALSE(app::run_action(viewer, ""));
}

TEST_CASE("A shortcut brings its arguments", "[session]") {
  Desk viewer;
  REQUIRE(app::run_action(viewer, "view.tab memory"));
  CHECK(viewer.view.tab == ui::Tab::kMemory);
  for (const auto& info : app::action_infos(viewer)) {
    if (info.id == "view.tab memory") CHECK(info.checked);
    if (info.id == "view.tab levels") CHECK_FALSE(info.checked);
    if (info.id == "edit.undo") CHECK_FALSE(info.enabled);
  }
}

TEST_CASE("What is asked for is read in one way", "[session]") {
  const auto call = app::parse_call("policy.set swapin-ahead", {"5"});
  REQUIRE(call);
  CHECK(call->action->id == "policy.set");
  CHECK(call->words == Args{"swapin-ahead", "5"});
  // Arguments that are words of their own are taken as they are.
  CHECK(app::parse_call("select.op", {" a b "})->words == Args{" a b "});
  for (const char* wrong :
       {"", " ", " policy.set", "policy.set ", "policy.set  swapin-ahead", "\tpolicy.set",
        "policy.set\tswapin-ahead", "policy.set\nfile.quit", "\xc2\xa0policy.set", "Policy.Set",
        "policy", "policy. set", "\"policy.set\"", "policy.set swapin-ahead "}) {
    INFO(wrong);
    CHECK_FALSE(app::parse_call(wrong, {"5"}));
  }
  for (const app::Shortcut& shortcut : app::shortcuts()) {
    INFO(shortcut.id);
    CHECK(app::parse_call(shortcut.id));
  }
}

TEST_CASE("Intents run in their order, and what fails is a message", "[session]") {
  Desk viewer;
  app::run_intents(
      viewer, {{"view.tab", {"memory"}}, {"view.tab", {"nothing"}}, {"view.theme", {"light"}}});
  CHECK(viewer.view.theme == render::ThemeKind::kLight);
  REQUIRE(viewer.session.journal().messages().size() == 1);
  CHECK(viewer.session.journal().messages()[0].text.starts_with("view.tab: "));
}

TEST_CASE("Actions answer with what they found or made", "[session]") {
  Desk viewer;
  open_tutorial(viewer, 50);
  const auto selected = app::run_action(viewer, "select.op", {"fc1/Relu"});
  REQUIRE(selected);
  CHECK(std::get<TensorId>(*selected) == *viewer.view.selected);
  const auto copied = app::run_action(viewer, "edit.copy-command-line");
  REQUIRE(copied);
  CHECK(std::get<std::string>(*copied) == viewer.clipboard);
  const auto opened = app::run_action(
      viewer, "file.open", {std::string(TIDELINE_SOURCE_DIR) + "/tests/data/graphs/mlp.meta"});
  REQUIRE(opened);
  CHECK(viewer.session.find(std::get<app::DocumentId>(*opened)) != nullptr);
  const auto nothing = app::run_action(viewer, "view.tab", {"memory"});
  REQUIRE(nothing);
  CHECK(std::holds_alternative<std::monostate>(*nothing));
}

TEST_CASE("Actions say themselves whether they are slow", "[session]") {
  CHECK(app::find_action("file.open")->is_slow());
  CHECK(app::find_action("file.write")->needs_results());
  CHECK_FALSE(app::find_action("file.reload")->needs_results());
  CHECK_FALSE(app::find_action("view.tab")->is_slow());
}

}  // namespace tideline
