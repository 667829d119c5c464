#include "app/session/log_document.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "app/session/session.h"
#include "tests/support/made_summaries.h"
#include "tests/support/temporary_folder.h"

namespace tideline::app {
namespace {

using LogPtr = std::shared_ptr<const ui::LogContents>;

std::string points(const char* tag, int first, int count) {
  std::string bytes;
  for (int step = first; step < first + count; ++step) {
    bytes += test::summary_record(step, test::simple_value(tag, static_cast<float>(step)));
  }
  return bytes;
}

void append(const std::string& path, const std::string& bytes) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary | std::ios::app) << bytes;
}

// A log in a session whose window can be woken, or without one.
struct OpenLog {
  explicit OpenLog(bool has_window)
      : session(has_window ? std::function<void()>([this] { ++wakes; }) : nullptr) {}

  void open(const std::string& path) {
    OpenRequest request;
    request.graph.path = path;
    id = session.open(*find_document_kind("log"), request);
    session.wait();
  }
  LogPtr contents() const {
    const auto* log = dynamic_cast<const LogDocument*>(session.find(id)->document.get());
    REQUIRE(log != nullptr);
    return log->contents();
  }
  // As the window does, until `is_reached` or for ten seconds.
  bool poll_until(const std::function<bool(const LogPtr&)>& is_reached) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (std::chrono::steady_clock::now() < end) {
      session.poll();
      if (is_reached(contents())) return true;
      session.wait_for_one();
    }
    return false;
  }

  std::atomic<int> wakes = 0;  // before the session, whose threads use it
  Session session;
  DocumentId id = DocumentId::kNone;
};

std::size_t points_of(const LogPtr& log) {
  return log->events->series().empty() ? 0 : log->events->series()[0].points.size();
}

}  // namespace

TEST_CASE("A log lists its runs and tags by name, and its values") {
  const test::TemporaryFolder folder;
  append(folder.file("b/tfevents"), points("loss", 0, 3) + points("accuracy", 5, 2));
  append(folder.file("a/tfevents"), points("loss", 10, 4));
  OpenLog log(false);
  log.open(folder.file(""));
  const LogPtr contents = log.contents();
  REQUIRE(contents);
  const events::EventLog& events = *contents->events;
  REQUIRE(contents->runs.size() == 2);
  CHECK(events.runs()[contents->runs[0]] == "a");
  CHECK(events.runs()[contents->runs[1]] == "b");
  REQUIRE(contents->tags.size() == 2);
  CHECK(contents->tags[0].name == "accuracy");
  CHECK(contents->tags[1].name == "loss");
  REQUIRE(contents->tags[1].series.size() == 2);
  CHECK(events.series()[contents->tags[1].series[0]].points.size() == 4);
  const events::Series& first = events.series()[contents->tags[1].series[1]];
  CHECK(contents->run_begins_s[first.run] == first.points.front().wall_time);
}

TEST_CASE("In a window a log that grows is read on, and new files are found") {
  const test::TemporaryFolder folder;
  append(folder.file("tfevents.1"), points("loss", 0, 3));
  OpenLog log(true);
  log.open(folder.file(""));
  REQUIRE(points_of(log.contents()) == 3);
  const LogPtr before = log.contents();
  append(folder.file("tfevents.1"), points("loss", 3, 5));
  CHECK(log.poll_until([](const LogPtr& now) { return points_of(now) == 8; }));
  CHECK(points_of(before) == 3);  // what was shown is not changed
  append(folder.file("eval/tfevents.2"), points("loss", 0, 1));
  CHECK(log.poll_until([](const LogPtr& now) { return now->runs.size() == 2; }));
  // Without news nothing is shown anew: three more looks later it is still the same.
  const LogPtr last = log.contents();
  const int wakes = log.wakes;
  CHECK(log.poll_until([&](const LogPtr&) { return log.wakes > wakes + 3; }));
  CHECK(log.contents() == last);
}

TEST_CASE("An added log is read on as the first one is, until it is taken away") {
  const test::TemporaryFolder folder;
  append(folder.file("one/b/tfevents"), points("loss", 0, 3));
  append(folder.file("two/a/tfevents"), points("loss", 0, 4));
  append(folder.file("two/tfevents"), points("rate", 0, 1));
  OpenLog log(true);
  log.open(folder.file("one"));
  const auto document = [&]() -> LogDocument& {
    return dynamic_cast<LogDocument&>(*log.session.find(log.id)->document);
  };
  const auto names = [](const LogPtr& now) {
    std::vector<std::string> found;
    for (const std::uint32_t run : now->runs) found.push_back(now->events->runs()[run]);
    return found;
  };
  using Names = std::vector<std::string>;
  document().add(folder.file("two"));
  CHECK(log.poll_until([](const LogPtr& now) { return !now->added.empty(); }));
  // Those of the first log keep their places.
  CHECK(names(log.contents()) == Names{"b", "two", "two/a"});
  // The same again, and what is no log, is refused; what is there stays.
  const auto before = log.session.journal().messages().size();
  document().add(folder.file("two"));
  document().add(folder.file("nowhere"));
  CHECK(log.poll_until(
      [&](const LogPtr&) { return log.session.journal().messages().size() == before + 2; }));
  CHECK(names(log.contents()) == Names{"b", "two", "two/a"});
  // Both are read on.
  append(folder.file("one/b/tfevents"), points("loss", 3, 2));
  append(folder.file("two/a/tfevents"), points("loss", 4, 2));
  append(folder.file("two/c/tfevents"), points("loss", 0, 1));
  CHECK(log.poll_until([&](const LogPtr& now) {
    return now->events->counts().rows == 13 && names(now) == Names{"b", "two", "two/a", "two/c"};
  }));
  // A second log of the same name gets another one.
  append(folder.file("other/two/tfevents"), points("loss", 0, 1));
  document().add(folder.file("other/two"));
  CHECK(log.poll_until([](const LogPtr& now) { return now->added.size() == 2; }));
  CHECK(log.contents()->added[1].name == "two 2");
  CHECK_FALSE(document().remove("three"));
  const std::uint64_t order = log.contents()->order;
  REQUIRE(document().remove("two"));
  CHECK(log.poll_until([](const LogPtr& now) { return now->added.size() == 1; }));
  CHECK(names(log.contents()) == Names{"b", "two 2"});
  CHECK(log.contents()->events->counts().rows == 6);
  CHECK(log.contents()->order > order);  // rows have other places
  append(folder.file("one/b/tfevents"), points("loss", 5, 1));
  CHECK(log.poll_until([](const LogPtr& now) { return now->events->counts().rows == 7; }));
}

TEST_CASE("Without a window a log is read once, and what is incomplete at its end is said") {
  const test::TemporaryFolder folder;
  const std::string whole = points("loss", 0, 3);
  append(folder.file("tfevents"), whole.substr(0, whole.size() - 4));
  OpenLog log(false);
  log.open(folder.file(""));
  CHECK(points_of(log.contents()) == 2);
  CHECK(log.contents()->diagnostics.entries().size() == 1);
  append(folder.file("tfevents"), whole.substr(whole.size() - 4));
  log.session.poll();
  log.session.wait();
  CHECK(points_of(log.contents()) == 2);
}

}  // namespace tideline::app
