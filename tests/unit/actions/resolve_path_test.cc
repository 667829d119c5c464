// Every action that is given a path asks Viewer::resolve_path, and touches nothing when it refuses.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <set>

#include "app/actions/commands.h"
#include "app/actions/ui_model.h"
#include "core/base/output_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using app::Action;
using app::PathUse;
using app::Viewer;
using app::Words;
using test::Desk;
using test::TemporaryFolder;

const std::string kLog = std::string(TIDELINE_SOURCE_DIR) + "/tests/data/logs/tf1_mlp";
const std::string kCheckpoint =
    std::string(TIDELINE_SOURCE_DIR) + "/tests/data/checkpoints/sliced/ckpt";

// Names of arguments that are paths. scope.set's PATH is one of scopes.
constexpr std::array<std::string_view, 9> kPaths = {
    "PATH", "FILE", "DIR", "BEFORE", "AFTER", "FOLDER", "FILE|LOGDIR", "NAME|FILE", "FILE|default"};
constexpr std::array<std::string_view, 21> kNoPaths = {
    "SCOPE",   "N|next", "BOOKMARK", "PLACE",  "OP",         "NAME|off", "NAME",
    "VALUE",   "TEXT",   "N|none",   "N|auto", "NAME=1x2x?", "LOOP=N",   "LEVELS",
    "N|+1|-1", "RUN",    "TAG",      "TENSOR", "WORDS",      "FUNCTION", "graph|log|checkpoint"};

bool takes_path(const Action& action) {
  if (action.id == "scope.set") return false;
  const auto specs = action.arguments();
  return std::any_of(specs.begin(), specs.end(), [](const app::ArgumentSpec& spec) {
    return spec.kind == app::ArgumentKind::kText &&
           std::find(kPaths.begin(), kPaths.end(), spec.name) != kPaths.end();
  });
}

void open_for(Viewer& viewer, std::string_view id) {
  if (id.starts_with("log.")) {
    REQUIRE(app::run_action(viewer, "document.open", {"log", kLog}));
    return test::settle(viewer);
  }
  if (!id.starts_with("checkpoint.")) return test::open_tutorial(viewer, 50);
  REQUIRE(app::run_action(viewer, "document.open", {"checkpoint", kCheckpoint}));
  test::settle(viewer);
}

Words words_for(const Action& action, const std::string& path) {
  if (action.id == "document.open") return {"graph", path};
  if (action.id == "diff.of") return {"original", path};
  return {path};
}

}  // namespace

TEST_CASE("Every argument of an action is known to be a path or not to be one", "[resolve_path]") {
  for (const Action& action : app::actions()) {
    for (const app::ArgumentSpec& spec : action.arguments()) {
      if (spec.kind != app::ArgumentKind::kText) continue;
      INFO(action.id << " " << spec.name);
      const bool is_path = std::find(kPaths.begin(), kPaths.end(), spec.name) != kPaths.end();
      const bool is_other =
          std::find(kNoPaths.begin(), kNoPaths.end(), spec.name) != kNoPaths.end();
      CHECK((is_path || is_other));
    }
  }
}

TEST_CASE("A path that is refused is neither read nor written by any action", "[resolve_path]") {
  std::set<std::string_view> asked;
  for (const Action& action : app::actions()) {
    if (!takes_path(action)) continue;
    INFO(action.id);
    const TemporaryFolder folder;
    Desk desk;
    open_for(desk, action.id);
    const auto documents = desk.session.documents().size();
    const auto messages = desk.session.journal().messages().size();
    const ui::Popup popup = desk.view.popup = ui::Popup::kKeys;
    int count = 0;
    desk.resolve_path = [&](const std::string& path, PathUse use) -> Result<std::string> {
      ++count;
      CHECK(path == folder.file("x.pb"));
      const bool writes = action.id.starts_with("file.write") || action.id == "session.save" ||
                          action.id == "checkpoint.convert" || action.id == "log.write-chart";
      CHECK(use == (writes ? PathUse::kWrite : PathUse::kRead));
      return fail(Code::kNotFound, "refused here");
    };
    const auto answer = app::run_action(desk, action.id, words_for(action, folder.file("x.pb")));
    REQUIRE_FALSE(answer);
    CHECK(answer.error().message == fmt::format("{}: refused here", action.id));
    CHECK(count == 1);
    test::settle(desk);
    CHECK(folder.entries() == 0);
    CHECK(desk.session.documents().size() == documents);
    CHECK(desk.session.journal().messages().size() == messages);
    CHECK(desk.view.popup == popup);
    asked.insert(action.id);
  }
  // 8 that write, 1 that converts, 13 that read, and the folder that is shown.
  CHECK(asked.size() == 23);
}

TEST_CASE("What is used is the path that the gate gives", "[resolve_path]") {
  const TemporaryFolder folder;
  Desk desk;
  test::open_tutorial(desk, 50);
  desk.resolve_path = [&](const std::string& path, PathUse) -> Result<std::string> {
    return folder.file(path);
  };
  REQUIRE(app::run_action(desk, "file.write", {"out.pb"}));
  test::settle(desk);
  CHECK(std::filesystem::exists(folder.file("out.pb")));
  REQUIRE(write_file(folder.file("mine.json"),
                     R"({"schema": "tideline.profile/1", "name": "mine"})", false));
  REQUIRE(app::run_action(desk, "profile.set", {"mine.json"}));
  CHECK(desk.graph().wish().profile.name == "mine");
}

TEST_CASE("A built-in profile is no path, and a graph is read again only if it still may be",
          "[resolve_path]") {
  Desk desk;
  test::open_tutorial(desk, 50);
  desk.resolve_path = [](const std::string&, PathUse) -> Result<std::string> {
    return fail(Code::kNotFound, "refused here");
  };
  CHECK(app::run_action(desk, "profile.set", {"v100"}));
  const auto answer = app::run_action(desk, "file.reload");
  REQUIRE_FALSE(answer);
  CHECK(answer.error().message == "file.reload: refused here");
  desk.view.popup = ui::Popup::kOpen;
  CHECK(app::make_ui_model(desk).folder->error == "refused here");
  CHECK(app::make_ui_model(desk).folder->entries.empty());
}

}  // namespace tideline
