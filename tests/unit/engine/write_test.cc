#include "app/engine/write.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "app/session/graph_document.h"
#include "core/base/source_bytes.h"
#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

using app::GraphDocument;
using app::Journal;
using app::WriteKind;
using test::TemporaryFolder;

const std::string kTutorial =
    std::string(TIDELINE_SOURCE_DIR) + "/assets/samples/tutorial_mnist.meta";

void open(GraphDocument& document, const std::string& path = kTutorial) {
  app::Wish wish;
  wish.policy.rewriter = "lms2";
  set_value(wish.policy, "swapout-threshold", 50);
  set_value(wish.policy, "swapin-ahead", 3);
  set_value(wish.policy, "swapin-groupby", 2);
  document.open({.graph = {.path = path}}, wish);
  document.wait();
  REQUIRE(document.snapshot());
}

std::string read(const std::string& path) {
  const auto bytes = open_bytes(path);
  REQUIRE(bytes);
  return std::string((*bytes)->bytes());
}

std::optional<Error> write(GraphDocument& document, Journal& journal, WriteKind kind,
                           const std::string& path, bool force = false) {
  REQUIRE(document.write({kind, path, force}));
  document.wait();
  return journal.take_failure();
}

std::int64_t lines(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

}  // namespace

TEST_CASE("A written graph is no longer unwritten, until the wish changes", "[session]") {
  const TemporaryFolder folder;
  Journal journal;
  GraphDocument document({journal});
  open(document);
  document.change([&] {
    app::Wish wish = document.wish();
    set_value(wish.policy, "swapin-ahead", 4);
    return wish;
  }());
  document.wait();
  CHECK(document.is_unwritten());
  REQUIRE_FALSE(write(document, journal, WriteKind::kGraph, folder.file("out.meta")));
  CHECK_FALSE(document.is_unwritten());
  CHECK(journal.messages().back().text.ends_with(" ops"));
  document.undo();
  CHECK(document.is_unwritten());
}

TEST_CASE("Neither another file nor the open one is replaced unless forced", "[session]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("g.meta");
  std::filesystem::copy_file(kTutorial, path);
  Journal journal;
  GraphDocument document({journal});
  open(document, path);
  const auto refused = write(document, journal, WriteKind::kGraph, path);
  REQUIRE(refused);
  CHECK(refused->message.starts_with(path));
  CHECK(read(path) == read(kTutorial));
  REQUIRE_FALSE(write(document, journal, WriteKind::kGraph, path, true));
  CHECK(read(path) != read(kTutorial));
  const auto plan = write(document, journal, WriteKind::kPlan, path, true);
  REQUIRE(plan);
  CHECK(plan->message.find("is the open graph") != std::string::npos);
}

TEST_CASE("A disk that is full or a place that is none leave the work and a message", "[session]") {
  const TemporaryFolder folder;
  Journal journal;
  GraphDocument document({journal});
  open(document);
  for (const std::string& path :
       {std::string("/dev/full"), folder.file("no/such/folder/g.pb"), folder.file("g.unknown")}) {
    for (const WriteKind kind : {WriteKind::kGraph, WriteKind::kCsv, WriteKind::kPlan}) {
      if (kind != WriteKind::kGraph && path.ends_with("g.unknown")) continue;
      const auto failure = write(document, journal, kind, path);
      REQUIRE(failure);
      CHECK(failure->message.find(path) != std::string::npos);
    }
  }
  CHECK(document.snapshot());
  CHECK(folder.entries() == 0);
}

TEST_CASE("Tables hold every swap-in and every step", "[session]") {
  const TemporaryFolder folder;
  Journal journal;
  GraphDocument document({journal});
  open(document);
  REQUIRE_FALSE(write(document, journal, WriteKind::kCsv, folder.file("a.csv")));
  const app::Snapshot& snapshot = *document.snapshot();
  CHECK(lines(read(folder.file("a.csv"))) == 1 + swap_in_count(snapshot.plan().swaps()));
  CHECK(lines(read(folder.file("a.steps.csv"))) ==
        1 + static_cast<std::int64_t>(snapshot.devices[0].after->timeline.schedule.size()));
}

TEST_CASE("Both tables appear or none does", "[session]") {
  const TemporaryFolder folder;
  Journal journal;
  GraphDocument document({journal});
  open(document);
  std::filesystem::create_directory(folder.file("a.steps.csv"));
  CHECK(write(document, journal, WriteKind::kCsv, folder.file("a.csv"), true));
  CHECK_FALSE(std::filesystem::exists(folder.file("a.csv")));
}

TEST_CASE("The log has both graphs", "[session]") {
  const TemporaryFolder folder;
  Journal journal;
  GraphDocument document({journal});
  open(document);
  REQUIRE_FALSE(write(document, journal, WriteKind::kLog, folder.file("log")));
  CHECK(std::filesystem::is_directory(folder.file("log/original")));
  CHECK(std::filesystem::is_directory(folder.file("log/rewritten")));
}

TEST_CASE("There is no plan to write while the policy is off", "[session]") {
  const TemporaryFolder folder;
  Journal journal;
  GraphDocument document({journal});
  document.open({.graph = {.path = kTutorial}});
  document.wait();
  CHECK(write(document, journal, WriteKind::kPlan, folder.file("plan.json")));
  CHECK(folder.entries() == 0);
}

}  // namespace tideline
