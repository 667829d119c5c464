// Lessons as a page plays them: opened as the source of a session, and gone through by its actions.
#include "app/web/lessons.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/session/shipped_lessons.h"
#include "tests/unit/web/server_fixture.h"

namespace tideline {
namespace {

using nlohmann::json;
using test::lines;
using test::Reply;
using test::Server;

namespace fs = std::filesystem;

const fs::path kLessons = test::kSource / "assets/tutorials/lessons";

Reply open(Server& server, const json& source, const json& resume = nullptr) {
  const Reply reply = server.post("sessions", {{"source", source}, {"resume", resume}});
  if (reply.status == 201) server.id = reply.json()["id"];
  return reply;
}

// What the page is told of the lesson after this.
json step_after(Server& server, const std::vector<std::vector<std::string>>& actions) {
  const Reply reply = server.act({{"do", lines(actions)}, {"wait_ms", 20'000}});
  INFO(reply.body.substr(0, 500));
  CHECK(reply.status == 200);
  return reply.json()["lesson"];
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("Each of the ten lessons is played on a page to its end, with Next too early first",
          "[lesson][routes]") {
  const json about = Server().get("about").json();
  REQUIRE(about["lessons"].size() == 10);
  for (const json& lesson : about["lessons"]) {
    INFO(lesson["word"]);
    Server server;
    REQUIRE(open(server, {{"lesson", lesson["word"]}}).status == 201);
    json step = step_after(server, {});
    CHECK(step["lesson"] == lesson["title"]);
    const int steps = step["steps"];
    for (int number = 1; number <= steps; ++number) {
      INFO(number);
      REQUIRE(step["step"] == number);
      CHECK(step["busy"] == false);
      if (step["has_checks"] == true) {
        CHECK(step["done"] == false);
        step = step_after(server, {{"lesson.next"}});
        CHECK(step["step"] == number);
        CHECK(step["problem"].get<std::string>().find("expected") != std::string::npos);
        CHECK(step["hint"] != "");
      }
      const bool is_asked = step["question"] != "";
      if (is_asked) step = step_after(server, {{"lesson.guess", "17"}});
      CHECK((step["guess"] == "17") == is_asked);
      step = step_after(server, {{"lesson.show"}});
      CHECK(step["done"] == true);
      CHECK((step["answer"] != "") == is_asked);
      step = step_after(server, {{"lesson.next"}});
    }
    CHECK(step == nullptr);
    CHECK(server.state()["graph"].is_object());
  }
}

TEST_CASE("On a page a step is begun again, gone back to, and left, as in the window",
          "[lesson][routes]") {
  Server server;
  REQUIRE(open(server, {{"lesson", "first-swap"}}).status == 201);
  json step = step_after(server, {{"lesson.show"}});
  const json shown = server.state();
  CHECK(shown["graph"]["swaps"] >= 1);
  CHECK(shown["resume"] == nullptr);  // the lesson itself is what is opened again
  step = step_after(server, {{"lesson.reset"}});
  CHECK(step["done"] == false);
  CHECK(server.state()["graph"]["swaps"] == 0);
  step = step_after(server, {{"lesson.show"}});
  step = step_after(server, {{"lesson.next"}});
  CHECK(step["step"] == 2);
  CHECK(step["spotlight"] == "policy/swapout threshold");
  step = step_after(server, {{"policy.mode", "off"}, {"lesson.next"}});
  CHECK(step["problem"] != "");
  step = step_after(server, {{"lesson.back"}});
  CHECK(step["step"] == 1);
  // A closed graph comes back with its step.
  step = step_after(server, {{"file.close"}});
  CHECK(step["elsewhere"] == true);
  step = step_after(server, {{"lesson.reset"}});
  CHECK(step["elsewhere"] == false);
  step = step_after(server, {{"lesson.show"}});
  step = step_after(server, {{"lesson.end"}});
  CHECK(step == nullptr);
  const json over = server.state();
  CHECK(over["graph"]["swaps"] >= 1);
  REQUIRE(over["resume"].is_array());
  // A session that is opened again after the end has the graph and no lesson.
  REQUIRE(open(server, {{"lesson", "first-swap"}}, over["resume"]).status == 201);
  const json again = server.state();
  CHECK(again["lesson"] == nullptr);
  CHECK(again["graph"]["swaps"] == over["graph"]["swaps"]);
}

TEST_CASE("An op that a step points at is marked in the levels of the page", "[lesson][routes]") {
  Server server;
  REQUIRE(open(server, {{"lesson", "levels"}}).status == 201);
  (void)step_after(server, {});
  const auto picture = [&] {
    return server.get("sessions/" + server.id + "/picture?view=levels&w=800&h=300").json()["list"];
  };
  const json before = picture();
  const json step = step_after(server, {{"lesson.next"}});
  CHECK(step["spotlight"] == "levels/canvas");
  CHECK(picture() != before);
}

TEST_CASE("Texts of a lesson name the key that the page has", "[lesson][routes]") {
  Server server;
  REQUIRE(open(server, {{"lesson", "levels"}}).status == 201);
  const json step = step_after(server, {{"lesson.next"}, {"lesson.hint"}});
  CHECK(step["caption"].get<std::string>().find("press / and type") != std::string::npos);
  CHECK(step["hint"].get<std::string>().find("Ctrl+F") == std::string::npos);
}

TEST_CASE("The lessons that come along open their own graphs and nothing beside them",
          "[lesson][routes]") {
  Server server;
  const auto is_read = [&](const fs::path& path) {
    return open(server, {{"path", path.string()}}).status == 201;
  };
  CHECK(is_read(kLessons / "chain.meta"));
  for (const char* other : {"make_graphs.py", "../lessons/chain.meta", "../digits.py",
                            "../slides.txt", "../../samples/../tutorials/README.md", "."}) {
    INFO(other);
    CHECK_FALSE(is_read(kLessons / other));
  }
  CHECK_FALSE(is_read("/etc/passwd"));
  const json sources = server.get("sources").json();
  CHECK(sources["lessons"].empty());
  CHECK(sources["folders"].dump().find("lessons") == std::string::npos);
  CHECK(server.get("sources?folder=" + kLessons.string()).status == 422);
  for (const char* word : {"nothing", "../levels", "01_levels.lesson", "levels "}) {
    INFO(word);
    const Reply reply = open(server, {{"lesson", word}});
    CHECK(reply.status == 422);
    CHECK(reply.json()["error"]["message"].get<std::string>().find("first-swap") !=
          std::string::npos);
  }
  CHECK(open(server, {{"lesson", "levels"}, {"path", test::tutorial()}}).status == 422);
}

TEST_CASE("A lesson of one's own is played by its path, with its graph, from folders served alone",
          "[lesson][routes]") {
  const test::TemporaryFolder folder;
  const fs::path inside = folder.file("served");
  const std::string step = "step One\ncaption Read.\n";
  fs::create_directories(inside);
  fs::copy_file(kLessons / "chain.meta", inside / "mine.meta");
  fs::copy_file(kLessons / "chain.meta", folder.file("outside.meta"));
  write(inside / "mine.lesson", "lesson Mine\ngraph mine.meta\n" + step);
  write(inside / "reaches.lesson", "lesson Out\ngraph ../outside.meta\n" + step);
  write(inside / "passwd.lesson", "lesson Out\ngraph /etc/passwd\n" + step);
  write(inside / "wrong.lesson", "lesson Wrong\n");
  write(folder.file("outside.lesson"), "lesson Out\ngraph outside.meta\n" + step);
  Server server({}, inside);
  const json listed = server.get("sources").json()["lessons"];
  CHECK(listed.size() == 4);
  CHECK(std::any_of(listed.begin(), listed.end(), [&](const json& one) {
    return one["path"] == (inside / "mine.lesson").string();
  }));
  REQUIRE(open(server, {{"path", (inside / "mine.lesson").string()}}).status == 201);
  CHECK(step_after(server, {})["lesson"] == "Mine");
  CHECK(step_after(server, {{"lesson.next"}}) == nullptr);
  for (const char* name : {"reaches.lesson", "passwd.lesson"}) {
    INFO(name);
    const Reply reply = open(server, {{"path", (inside / name).string()}});
    CHECK(reply.status == 422);
    const std::string message = reply.json()["error"]["message"];
    CHECK(message.find(std::string(name) + ":2: graph: ") != std::string::npos);
  }
  CHECK(open(server, {{"path", folder.file("outside.lesson")}}).status == 422);
  const Reply wrong = open(server, {{"path", (inside / "wrong.lesson").string()}});
  CHECK(wrong.status == 422);
  CHECK(wrong.json()["error"]["message"].get<std::string>().find("wrong.lesson:1: ") !=
        std::string::npos);
}

}  // namespace tideline
