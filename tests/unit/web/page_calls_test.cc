// What pages may ask for, and that no spelling of what they may not passes.
#include "app/web/page_calls.h"

#include <set>

#include "tests/unit/web/server_fixture.h"

namespace tideline {
namespace {

using app::Action;
using app::Fronts;
using nlohmann::json;
using test::lines;
using test::Reply;
using test::Server;

// A new action is not in it until somebody has asked: does it end the program, run code, open a
// further document, or use a path without asking `resolved`?
const std::set<std::string_view> kForPages = {"bookmark.drop",
                                              "bookmark.go",
                                              "bookmark.keep",
                                              "bookmark.put",
                                              "checkpoint.compare",
                                              "checkpoint.select",
                                              "checkpoint.verify",
                                              "diff.collapse",
                                              "diff.expand",
                                              "diff.file",
                                              "diff.of",
                                              "diff.overlay",
                                              "diff.pick",
                                              "diff.remember",
                                              "diff.scroll",
                                              "diff.toggle",
                                              "edit.copy-command-line",
                                              "edit.copy-python",
                                              "edit.redo",
                                              "edit.undo",
                                              "file.close",
                                              "file.open-dialog",
                                              "file.reload",
                                              "file.write",
                                              "file.write-csv",
                                              "file.write-dialog",
                                              "file.write-log",
                                              "file.write-picture",
                                              "file.write-plan",
                                              "graph.as-run",
                                              "graph.batch-size",
                                              "graph.branch",
                                              "graph.copy-way",
                                              "graph.fit",
                                              "graph.rounds",
                                              "graph.shape",
                                              "help.about",
                                              "help.keys",
                                              "help.messages",
                                              "help.palette",
                                              "job.cancel",
                                              "lesson.back",
                                              "lesson.end",
                                              "lesson.guess",
                                              "lesson.hint",
                                              "lesson.next",
                                              "lesson.reset",
                                              "lesson.show",
                                              "log.axis",
                                              "log.enlarge",
                                              "log.filter",
                                              "log.outliers",
                                              "log.page",
                                              "log.runs",
                                              "log.smoothing",
                                              "log.step",
                                              "log.text",
                                              "log.width",
                                              "levels.clear",
                                              "levels.select",
                                              "measure.close",
                                              "measure.open",
                                              "measure.open-dialog",
                                              "player.at",
                                              "player.leave",
                                              "policy.auto",
                                              "policy.choose",
                                              "policy.mode",
                                              "policy.reset",
                                              "policy.revert",
                                              "policy.set",
                                              "policy.take-tried",
                                              "policy.tune",
                                              "profile.set",
                                              "scope.aside",
                                              "scope.clear",
                                              "scope.collapse",
                                              "scope.color",
                                              "scope.direction",
                                              "scope.expand",
                                              "scope.loop",
                                              "scope.pick",
                                              "scope.set",
                                              "scope.toggle",
                                              "scope.trace",
                                              "search.find",
                                              "search.next",
                                              "search.open",
                                              "select.back",
                                              "select.clear",
                                              "select.forward",
                                              "select.next-swap",
                                              "select.op",
                                              "select.previous-swap",
                                              "tensor.ahead",
                                              "tensor.auto",
                                              "tensor.keep",
                                              "tensor.keep-idle",
                                              "tensor.swap",
                                              "timeline.clear",
                                              "timeline.select",
                                              "view.axis",
                                              "view.color",
                                              "view.detail",
                                              "view.device",
                                              "view.fit",
                                              "view.fit-selection",
                                              "view.pan",
                                              "view.range",
                                              "view.rows",
                                              "view.tab",
                                              "view.theme",
                                              "view.toggle",
                                              "view.zoom"};

// `id` with `argument` as somebody would write it who wants that a check reads one thing and the
// action another.
std::vector<app::Words> disguises(const std::string& id, const std::string& argument) {
  std::vector<app::Words> all = {{id, argument},
                                 {id},
                                 {id + " " + argument},
                                 {id + " "},
                                 {"", id, argument},
                                 {" ", id},
                                 {id + "  " + argument},
                                 {"\"" + id + "\"", argument},
                                 {"'" + id + " " + argument + "'"},
                                 {id + "\\", argument},
                                 {"view.tab", id, argument},
                                 {id + "#", argument}};
  for (const char* blank : {" ", "  ", "\t", "\n", "\r", "\r\n", "\v", "\f", "\xc2\xa0",
                            "\xe2\x80\x83", "\xe3\x80\x80", "\xe2\x80\x8b", "\xef\xbb\xbf"}) {
    all.push_back({blank + id, argument});
    all.push_back({blank + id + " " + argument});
    all.push_back({id + blank, argument});
    all.push_back({id + blank + argument});
  }
  std::string upper = id;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  all.push_back({upper, argument});
  const std::size_t dot = id.find('.');
  all.push_back({id.substr(0, dot), id.substr(dot + 1), argument});
  all.push_back({id.substr(0, dot) + " " + id.substr(dot + 1) + " " + argument});
  return all;
}

}  // namespace

TEST_CASE("Every action says whether pages may run it, and a new one is closed to them",
          "[page_calls]") {
  CHECK(Action{}.fronts == Fronts::kProgram);
  std::set<std::string_view> open;
  for (const Action& action : app::actions()) {
    if (action.fronts == Fronts::kAll) open.insert(action.id);
    const auto call = web::parse_page_call({std::string(action.id)});
    INFO(action.id);
    CHECK(call.has_value() == kForPages.contains(action.id));
  }
  CHECK(open == kForPages);
  // The others run code, open documents, end the program or show what pages do not.
  CHECK(app::actions().size() > kForPages.size() + 25);
}

TEST_CASE("A leading blank or arguments in one word pass no action that is closed to pages",
          "[page_calls]") {
  int tried = 0;
  const auto try_all = [&](const std::string& id, const std::string& argument) {
    for (const app::Words& words : disguises(id, argument)) {
      const auto call = web::parse_page_call(words);
      INFO(json(words).dump(-1, ' ', true));
      ++tried;
      // What passes is another action, whose arguments are nothing but arguments.
      if (call) CHECK(call->action->id == "view.tab");
    }
  };
  for (const Action& action : app::actions()) {
    if (action.fronts == Fronts::kProgram) try_all(std::string(action.id), "now");
  }
  CHECK(tried > 25 * 60);
  CHECK_FALSE(web::parse_page_call({" view.tab memory"}));
  CHECK_FALSE(web::parse_page_call({"view.tab  memory"}));
  CHECK(web::parse_page_call({"view.tab memory"}));
  CHECK(web::parse_page_call({"view.tab", "memory"}));
}

TEST_CASE("A request for ' file.quit now' and the like is refused, and changes nothing",
          "[page_calls]") {
  Server server;
  server.open();
  const json before = server.state();
  for (const char* id : {"file.quit", "file.open", "file.drop", "document.open", "document.close",
                         "checkpoint.backends", "log.open-graph", "file.browse"}) {
    for (const app::Words& words : disguises(id, test::tutorial())) {
      if (words.front() == "view.tab") continue;
      INFO(json(words).dump(-1, ' ', true));
      CHECK(server.act({{"do", lines({words})}}).status == 422);
      const Reply opened = server.post(
          "sessions", {{"source", {{"path", test::tutorial()}}}, {"resume", lines({words})}});
      CHECK(opened.status == 422);
    }
  }
  const json after = server.state();
  CHECK(after["graph"] == before["graph"]);
  CHECK(after["resume"] == before["resume"]);
}

TEST_CASE("A file that exists is not replaced by arguments in one word", "[page_calls]") {
  Server server;
  server.open();
  CHECK(server.act({{"do", lines({{"policy.mode lms2"}})}, {"wait_ms", 20'000}}).status == 200);
  CHECK(server.act({{"do", lines({{"file.write out.pb"}})}, {"wait_ms", 20'000}}).status == 200);
  CHECK(server.act({{"do", lines({{"file.write out.pb"}})}}).code() == "exists");
  CHECK(server.act({{"do", lines({{"file.write ../out.pb"}})}}).status == 422);
  CHECK(server.act({{"do", lines({{" file.write out.pb force"}})}}).status == 422);
}

}  // namespace tideline
