#include "app/session/unwritten.h"

#include <fstream>

#include "app/actions/commands.h"
#include "app/actions/restore.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using test::Desk;

std::string script_of(Desk& desk) {
  return "#!/bin/sh\n" + app::unwritten_comment(desk.graph()) + "\ntideline rewrite ...\n";
}

}  // namespace

TEST_CASE("What was unwritten is restored with its policy", "[unwritten]") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("unwritten-before-1.sh");
  app::Wish wish;
  {
    Desk before;
    test::open_tutorial(before, 50);
    REQUIRE(app::run_action(before, "scope.set", {"conv1", "never"}));
    REQUIRE(app::run_action(before, "graph.batch-size", {"100"}));
    test::settle(before);
    wish = before.graph().wish();
    std::ofstream(path) << script_of(before);
  }
  Desk desk;
  desk.unwritten_before = {path};
  REQUIRE(app::run_action(desk, "file.restore"));
  CHECK(desk.unwritten_before.empty());
  test::settle(desk);
  app::finish_restoring(desk);
  test::settle(desk);
  CHECK(desk.graph().wish() == wish);
  CHECK(desk.graph().is_unwritten());
  CHECK(desk.restoring.empty());
}

TEST_CASE("A graph that is gone restores nothing, and says so", "[unwritten]") {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("a.sh")) << "# restore {\"graph\":{\"path\":\"/nowhere/x.meta\"}}\n";
  Desk desk;
  REQUIRE(app::run_action(desk, "file.restore", {folder.file("a.sh")}));
  test::settle(desk);
  app::finish_restoring(desk);
  CHECK(desk.restoring.empty());
  REQUIRE_FALSE(desk.session.journal().messages().empty());
  CHECK(desk.session.journal().messages().back().text.find("/nowhere/x.meta") != std::string::npos);
}

TEST_CASE("Damaged comments of a script are skipped", "[unwritten]") {
  CHECK(app::parse_unwritten("# restore\n# restore {}\n# restore [1]\n# restore {\"graph\":1}\n"
                             "# restore {\"graph\":{\"path\":3}}\n# restore {\"gr")
            .empty());
  const auto all = app::parse_unwritten(
      "# restore {\"graph\":{\"path\":\"a\"},\"trace\":2,\"actions\":[[],[1],3,[\"edit.undo\"]]}");
  REQUIRE(all.size() == 1);
  CHECK(all[0].request.graph.path == "a");
  CHECK(all[0].actions == ui::Intents{{"edit.undo"}});
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("a.sh")) << "echo\n";
  Desk desk;
  CHECK_FALSE(app::run_action(desk, "file.restore", {folder.file("a.sh")}));
  CHECK_FALSE(app::run_action(desk, "file.restore"));
}

}  // namespace tideline
