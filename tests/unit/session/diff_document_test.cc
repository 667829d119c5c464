// That a document compares two graphs in the background, and knows which wish the answer belongs
// to.
#include <catch2/catch.hpp>
#include <filesystem>

#include "app/session/graph_document.h"
#include "render/view/compared_memory.h"
#include "tests/support/policy_values.h"
#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

using app::Compared;
using app::GraphDocument;
using app::Journal;
using app::Wish;

const std::string kTutorial =
    std::string(TIDELINE_SOURCE_DIR) + "/assets/samples/tutorial_mnist.meta";

Wish swapping(int threshold) {
  Wish wish;
  wish.policy.rewriter = "lms2";
  set_value(wish.policy, "swapout-threshold", threshold);
  set_value(wish.policy, "swapin-ahead", 3);
  set_value(wish.policy, "swapin-groupby", 2);
  return wish;
}

struct Opened {
  Journal journal;
  GraphDocument document{{journal}};

  explicit Opened(Wish wish) {
    document.open({.graph = {.path = kTutorial}}, std::move(wish));
    document.wait();
    REQUIRE(document.snapshot());
  }
  const render::GraphChanges& compare(const Compared& sides) {
    REQUIRE(document.compare(sides));
    document.wait();
    REQUIRE(document.changes().changes);
    return *document.changes().changes;
  }
};

}  // namespace

TEST_CASE("A document compares itself with what the policy makes of it", "[session]") {
  Opened opened(swapping(20));
  GraphDocument& document = opened.document;
  CHECK_FALSE(document.changes().changes);
  document.want_changes();
  document.wait();
  const auto first = document.changes();
  REQUIRE(first.changes);
  CHECK_FALSE(first.is_stale);
  CHECK(first.changes->has_same_values);
  CHECK(first.changes->counts.added ==
        static_cast<std::int64_t>(document.snapshot()->plan().edit.added.size()));
  document.want_changes();  // the same question
  CHECK_FALSE(document.is_busy());
  document.change(swapping(40));
  CHECK(document.changes().is_stale);
  document.wait();
  document.want_changes();
  document.wait();
  REQUIRE(document.changes().changes);
  CHECK_FALSE(document.changes().is_stale);
  CHECK(document.changes().changes->counts.added < first.changes->counts.added);
}

TEST_CASE("Both graphs have the peaks of the card, and so has the file that is written",
          "[session]") {
  for (const Bytes budget : {Bytes{0}, Bytes{60} << 20U}) {
    INFO(budget);
    Wish wish = swapping(20);
    wish.batch_size = 100;
    if (budget > 0) wish.policy.budget.emplace().device = budget;
    Opened opened(wish);
    const auto snapshot = opened.document.snapshot();
    const app::DeviceResult& device = snapshot->devices.front();
    const render::GraphChanges& planned = opened.compare({"original", "current"});
    CHECK(planned.before.peak == device.peak_before());
    CHECK(planned.after.peak == device.peak());
    REQUIRE(planned.memory);
    CHECK(planned.memory->is_by_level);
    CHECK(planned.memory->layout.before.most() == device.peak_before());
    CHECK(planned.memory->layout.after.most() == device.peak());
    CHECK(planned.memory->budget == snapshot->device_budget.value_or(0));
    const test::TemporaryFolder folder;
    const std::string path = folder.file("lms.meta");
    REQUIRE(opened.document.write({.kind = app::WriteKind::kGraph, .path = path}));
    opened.document.wait();
    const render::GraphChanges& written = opened.compare({"original", path});
    CHECK(written.after.peak == device.peak());
    CHECK(written.memory->is_by_level);
    CHECK(written.memory->layout.after_peak == device.peak());
    // Of a graph without these ops it is what its own step needs.
    const std::string other = std::string(TIDELINE_SOURCE_DIR) + "/tests/data/graphs/mlp.meta";
    const render::GraphChanges& others = opened.compare({"original", other});
    CHECK(others.after.peak > 0);
    CHECK_FALSE(others.memory->is_by_level);
    CHECK(others.memory->layout.after.most() == others.after.peak);
  }
}

TEST_CASE("Without a policy there is nothing to compare, which is said", "[session]") {
  Opened opened({});
  opened.document.want_changes();
  opened.document.wait();
  CHECK_FALSE(opened.document.changes().changes);
  CHECK(opened.document.changes().why_none.find("There is no policy") != std::string::npos);
}

TEST_CASE("Two plans are compared that were remembered", "[session]") {
  Opened opened(swapping(20));
  GraphDocument& document = opened.document;
  const auto unknown = document.compare({"A", "current"});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().message == "A was not remembered; expected diff.remember A first");
  REQUIRE(document.remember("A"));
  document.change(swapping(40));
  document.wait();
  const auto& fewer = opened.compare({"A", "current"});
  CHECK(fewer.counts.removed > 0);
  CHECK(fewer.has_same_values);  // only copies are missing
  CHECK(fewer.checks.front().text == "both compute what the original does");
  REQUIRE(document.remember("B"));
  CHECK(opened.compare({"B", "current"}).verdict == "B and current are equal");
  document.close();
  document.open({.graph = {.path = kTutorial}});
  document.wait();
  CHECK_FALSE(document.compare({"A", "current"}));
}

TEST_CASE("After writing, the file is compared until the policy changes", "[session]") {
  const test::TemporaryFolder folder;
  Opened opened(swapping(20));
  GraphDocument& document = opened.document;
  const std::string path = folder.file("written.meta");
  REQUIRE(document.write({.kind = app::WriteKind::kGraph, .path = path}));
  document.wait();
  CHECK(document.compared() == Compared{"original", path});
  document.want_changes();
  document.wait();
  REQUIRE(document.changes().changes);
  CHECK(document.changes().changes->has_same_values);
  CHECK(document.changes().changes->after.title == "written.meta");
  document.change(swapping(40));
  document.wait();
  CHECK(document.compared() == Compared{});

  // What was chosen stays, and a file that is written again is read again.
  REQUIRE(document.compare({"original", path}));
  document.wait();
  const auto before = document.changes().changes;
  document.change(swapping(60));
  document.wait();
  CHECK(document.compared() == Compared{"original", path});
  REQUIRE(document.write({.kind = app::WriteKind::kGraph, .path = path, .force = true}));
  document.wait();
  CHECK(document.changes().is_stale);
  document.want_changes();
  document.wait();
  CHECK(document.changes().changes->counts.added < before->counts.added);
}

TEST_CASE("What is asked while a plan is made is compared when it is there", "[session]") {
  Opened opened(swapping(20));
  GraphDocument& document = opened.document;
  document.change(swapping(40));
  REQUIRE(document.compare({}));
  document.wait();
  REQUIRE(document.changes().changes);
  CHECK_FALSE(document.changes().is_stale);
}

TEST_CASE("A file that cannot be compared is said, and read again when asked again", "[session]") {
  const test::TemporaryFolder folder;
  Opened opened({});
  GraphDocument& document = opened.document;
  const std::string path = folder.file("other.meta");
  REQUIRE(document.compare({"original", path}));
  document.wait();
  CHECK_FALSE(document.changes().changes);
  CHECK(document.changes().why_none.find(path) != std::string::npos);
  CHECK(opened.journal.take_failure());
  std::filesystem::copy_file(kTutorial, path);
  CHECK(opened.compare({"original", path}).verdict == "original and other.meta are equal");
}

}  // namespace tideline
