#include "app/session/write.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "app/session/session.h"
#include "core/base/mapped_file.h"
#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

using session::Session;
using session::WriteKind;
using test::TemporaryFolder;

const std::string kTutorial =
    std::string(TIDELINE_SOURCE_DIR) + "/assets/samples/tutorial_mnist.meta";

void open(Session& session, const std::string& path = kTutorial) {
  session::Wish wish;
  wish.policy.rewriter = "lms2";
  set_value(wish.policy, "swapout-threshold", 50);
  set_value(wish.policy, "swapin-ahead", 3);
  set_value(wish.policy, "swapin-groupby", 2);
  session.open({.graph = {.path = path}}, wish);
  session.wait();
  REQUIRE(session.snapshot());
}

std::string read(const std::string& path) {
  const auto bytes = open_bytes(path);
  REQUIRE(bytes);
  return std::string((*bytes)->bytes());
}

std::optional<Error> write(Session& session, WriteKind kind, const std::string& path,
                           bool force = false) {
  REQUIRE(session.write({kind, path, force}));
  session.wait();
  return session.take_failure();
}

std::int64_t lines(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

}  // namespace

TEST_CASE("A written graph is no longer unwritten, until the wish changes", "[session]") {
  const TemporaryFolder folder;
  Session session;
  open(session);
  session.change([&] {
    session::Wish wish = session.wish();
    set_value(wish.policy, "swapin-ahead", 4);
    return wish;
  }());
  session.wait();
  CHECK(session.is_unwritten());
  REQUIRE_FALSE(write(session, WriteKind::kGraph, folder.file("out.meta")));
  CHECK_FALSE(session.is_unwritten());
  CHECK(session.messages().back().text.ends_with(" ops"));
  session.undo();
  CHECK(session.is_unwritten());
}

TEST_CASE("Neither another file nor the open one is replaced unless forced", "[session]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("g.meta");
  std::filesystem::copy_file(kTutorial, path);
  Session session;
  open(session, path);
  const auto refused = write(session, WriteKind::kGraph, path);
  REQUIRE(refused);
  CHECK(refused->message.starts_with(path));
  CHECK(read(path) == read(kTutorial));
  REQUIRE_FALSE(write(session, WriteKind::kGraph, path, true));
  CHECK(read(path) != read(kTutorial));
  const auto plan = write(session, WriteKind::kPlan, path, true);
  REQUIRE(plan);
  CHECK(plan->message.find("is the open graph") != std::string::npos);
}

TEST_CASE("A disk that is full or a place that is none leave the work and a message", "[session]") {
  const TemporaryFolder folder;
  Session session;
  open(session);
  for (const std::string& path :
       {std::string("/dev/full"), folder.file("no/such/folder/g.pb"), folder.file("g.unknown")}) {
    for (const WriteKind kind : {WriteKind::kGraph, WriteKind::kCsv, WriteKind::kPlan}) {
      if (kind != WriteKind::kGraph && path.ends_with("g.unknown")) continue;
      const auto failure = write(session, kind, path);
      REQUIRE(failure);
      CHECK(failure->message.find(path) != std::string::npos);
    }
  }
  CHECK(session.snapshot());
  CHECK(folder.entries() == 0);
}

TEST_CASE("Tables hold every swap-in and every step", "[session]") {
  const TemporaryFolder folder;
  Session session;
  open(session);
  REQUIRE_FALSE(write(session, WriteKind::kCsv, folder.file("a.csv")));
  const session::Snapshot& snapshot = *session.snapshot();
  CHECK(lines(read(folder.file("a.csv"))) == 1 + snapshot.plan().swap_in_count());
  CHECK(lines(read(folder.file("a.steps.csv"))) ==
        1 + static_cast<std::int64_t>(snapshot.devices[0].after->timeline.schedule.size()));
}

TEST_CASE("Both tables appear or none does", "[session]") {
  const TemporaryFolder folder;
  Session session;
  open(session);
  std::filesystem::create_directory(folder.file("a.steps.csv"));
  CHECK(write(session, WriteKind::kCsv, folder.file("a.csv"), true));
  CHECK_FALSE(std::filesystem::exists(folder.file("a.csv")));
}

TEST_CASE("The log has both graphs", "[session]") {
  const TemporaryFolder folder;
  Session session;
  open(session);
  REQUIRE_FALSE(write(session, WriteKind::kLog, folder.file("log")));
  CHECK(std::filesystem::is_directory(folder.file("log/original")));
  CHECK(std::filesystem::is_directory(folder.file("log/rewritten")));
}

TEST_CASE("There is no plan to write while the policy is off", "[session]") {
  const TemporaryFolder folder;
  Session session;
  session.open({.graph = {.path = kTutorial}});
  session.wait();
  CHECK(write(session, WriteKind::kPlan, folder.file("plan.json")));
  CHECK(folder.entries() == 0);
}

}  // namespace tideline
