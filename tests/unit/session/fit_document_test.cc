// That a document answers what fits in the background, and knows which wish the answer belongs to.
#include <catch2/catch.hpp>

#include "app/session/graph_document.h"
#include "tests/support/policy_values.h"

namespace tideline {
namespace {

using app::GraphDocument;
using app::Journal;
using app::Wish;

const std::string kTutorial =
    std::string(TIDELINE_SOURCE_DIR) + "/assets/samples/tutorial_mnist.meta";

Wish of_batch(std::int64_t batch_size, Bytes device_memory = 0) {
  Wish wish;
  wish.batch_size = batch_size;
  if (device_memory > 0) wish.policy.budget = MemoryBudget{.device = device_memory, .ratio = {}};
  return wish;
}

constexpr Bytes kMuch = Bytes{64} << 30U;

struct Opened {
  Journal journal;
  GraphDocument document{{journal}};

  explicit Opened(Wish wish) {
    document.open({.graph = {.path = kTutorial}}, std::move(wish));
    document.wait();
    REQUIRE(document.snapshot());
  }
  void find() {
    REQUIRE(document.find_fit());
    document.wait();
    REQUIRE(document.fit().card);
  }
};

}  // namespace

TEST_CASE("A document answers what fits when it is asked, once", "[session]") {
  Opened opened(of_batch(100, kMuch));
  GraphDocument& document = opened.document;
  CHECK_FALSE(document.fit().card);
  CHECK_FALSE(document.fit().is_running);
  document.want_fit();
  CHECK(document.fit().is_running);
  document.wait();
  const ui::FitState fit = document.fit();
  REQUIRE(fit.card);
  CHECK(fit.card->fits);
  CHECK(fit.card->verdict.starts_with("batch size 100 fits 64.00 GiB: "));
  REQUIRE(fit.card->largest_batch);
  CHECK(*fit.card->largest_batch > 100);
  CHECK_FALSE(fit.card->curve.empty());
  CHECK_FALSE(fit.is_stale);
  CHECK_FALSE(fit.is_running);
  CHECK(fit.problem.empty());
  document.want_fit();
  CHECK_FALSE(document.is_busy());
  CHECK(document.fit().card == fit.card);
}

TEST_CASE("An answer is stale when batch size, budget or profile change, not by the policy",
          "[session]") {
  Opened opened(of_batch(100, kMuch));
  GraphDocument& document = opened.document;
  opened.find();
  const auto card = document.fit().card;
  const auto is_stale_after = [&](const Wish& wish) {
    document.change(wish);
    document.wait();
    CHECK(document.fit().card == card);  // it stays until there is another one
    return document.fit().is_stale;
  };
  Wish swaps = of_batch(100, kMuch);
  swaps.policy.rewriter = "lms2";
  set_value(swaps.policy, "swapout-threshold", 20);
  set_value(swaps.policy, "swapin-ahead", 3);
  set_value(swaps.policy, "swapin-groupby", 2);
  CHECK(is_stale_after(of_batch(200, kMuch)));
  CHECK(is_stale_after(of_batch(100, kMuch / 2)));
  Wish on_a100 = of_batch(100, kMuch);
  on_a100.profile = *built_in_profile("a100");
  CHECK(is_stale_after(on_a100));
  CHECK_FALSE(is_stale_after(of_batch(100, kMuch)));
  CHECK_FALSE(is_stale_after(swaps));
  Wish on_gpu = of_batch(100, kMuch);
  on_gpu.run.executor = Executor::kGpu;
  CHECK(is_stale_after(on_gpu));
}

TEST_CASE("Work on an earlier wish is given up, and a request during a plan waits for it",
          "[session]") {
  Opened opened(of_batch(100, kMuch));
  GraphDocument& document = opened.document;
  REQUIRE(document.find_fit());
  document.change(of_batch(200, kMuch));
  CHECK_FALSE(document.fit().is_running);
  document.want_fit();  // not before there is a plan
  CHECK_FALSE(document.fit().is_running);
  document.wait();
  CHECK_FALSE(document.fit().card);
  document.change(of_batch(300, kMuch));
  REQUIRE(document.find_fit());
  CHECK(document.fit().is_running);
  document.wait();
  REQUIRE(document.fit().card);
  CHECK(document.fit().card->verdict.starts_with("batch size 300 "));
  CHECK_FALSE(document.fit().is_stale);
}

TEST_CASE("Without a device it is said what to fill in", "[session]") {
  Opened opened(of_batch(100));
  GraphDocument& document = opened.document;
  document.want_fit();
  CHECK_FALSE(document.is_busy());
  CHECK(document.fit().problem.find("device budget") != std::string::npos);
  const Status status = document.find_fit();
  REQUIRE_FALSE(status);
  CHECK(status.error().code == Code::kInvalidArgument);
  CHECK(status.error().message.find("{device-memory}") != std::string::npos);
  Wish on_v100 = of_batch(100);
  on_v100.profile = *built_in_profile("v100");
  document.change(on_v100);
  document.wait();
  opened.find();
  CHECK(document.fit().card->verdict.starts_with("batch size 100 fits v100: "));
}

TEST_CASE("A cancelled search is not begun again by itself", "[session]") {
  Opened opened(of_batch(100, kMuch));
  GraphDocument& document = opened.document;
  // Until it was stopped before its end.
  for (int i = 0; i < 1000 && document.fit().problem.empty(); ++i) {
    REQUIRE(document.find_fit());
    while (!document.job() && document.is_busy()) {
      document.poll();
      std::this_thread::yield();
    }
    document.cancel();
    document.wait();
  }
  REQUIRE_FALSE(document.fit().problem.empty());
  CHECK(opened.journal.take_failure()->code == Code::kCancelled);
  document.want_fit();
  CHECK_FALSE(document.is_busy());
  opened.find();
  CHECK(document.fit().problem.empty());
}

TEST_CASE("A closed graph has no answer", "[session]") {
  Opened opened(of_batch(100, kMuch));
  opened.find();
  opened.document.close();
  CHECK_FALSE(opened.document.fit().card);
  CHECK_FALSE(opened.document.find_fit());
}

}  // namespace tideline
