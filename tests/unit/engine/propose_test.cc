#include "app/engine/propose.h"

#include <catch2/catch.hpp>

#include "app/session/wish.h"
#include "tests/support/policy_values.h"
#include "tests/support/test_data.h"

namespace tideline {
namespace {

struct Started {
  app::SnapshotMaker maker;
  std::shared_ptr<const app::Snapshot> start;

  explicit Started(const std::shared_ptr<const app::OpenedGraph>& graph,
                   std::optional<MemoryBudget> budget = {})
      : maker(graph) {
    Progress silent;
    Policy policy;
    app::choose_rewriter(policy, "lms2", graph->file->levels.count());
    policy.budget = budget;
    auto made = maker.make(policy, *built_in_profile("pcie3"), silent);
    REQUIRE(made);
    start = *std::move(made);
  }
};

std::shared_ptr<const app::OpenedGraph> opened(const std::string& name) {
  Progress silent;
  auto graph = app::open({.graph = {.path = test::graph_file(name).string()},
                          .batch_size = 32,
                          .run = {AsRun::kModelled, Executor::kGpu, {}}},
                         silent);
  REQUIRE(graph);
  return *graph;
}

class Interrupted : public Progress {
 public:
  bool report(std::string_view, std::int64_t, std::int64_t) override { return false; }
};

}  // namespace

TEST_CASE("Settings are proposed where starting values raise the peak", "[session]") {
  Started started(opened("tf2_train_step.pb"));
  const app::Snapshot& start = *started.start;
  REQUIRE(start.devices.front().peak() > start.devices.front().peak_before());
  REQUIRE(app::wants_proposal(start));
  Progress silent;
  const auto proposed = app::propose(started.maker, start, silent);
  REQUIRE(proposed);
  REQUIRE(*proposed);
  const app::Snapshot& found = **proposed;
  CHECK(found.devices.front().peak() <= found.devices.front().peak_before());
  CHECK_FALSE(found.policy.budget);
  CHECK_FALSE(found.policy.is_automatic());
}

TEST_CASE("Settings are proposed where starting values make the step slow", "[session]") {
  Started started(opened("resource_vars.meta"));
  const app::Snapshot& start = *started.start;
  REQUIRE(start.devices.front().peak() < start.devices.front().peak_before());
  REQUIRE(start.timing().factor() > 2);
  REQUIRE(app::wants_proposal(start));
  Progress silent;
  const auto proposed = app::propose(started.maker, start, silent);
  REQUIRE(proposed);
  REQUIRE(*proposed);
  const app::Snapshot& found = **proposed;
  CHECK(found.devices.front().peak() < found.devices.front().peak_before());
  CHECK(found.timing().factor() < start.timing().factor());
  // A maker that has planned nothing else gives the same.
  const auto fresh =
      app::make_snapshot(start.graph, found.policy, *built_in_profile("pcie3"), silent);
  REQUIRE(fresh);
  CHECK((*fresh)->devices.front().peak() == found.devices.front().peak());
}

TEST_CASE("Nothing is proposed where starting values help, or with a budget", "[session]") {
  const Started helped(opened("embedding_sparse.meta"));
  const bool lowers =
      helped.start->devices.front().peak() < helped.start->devices.front().peak_before();
  CHECK(app::wants_proposal(*helped.start) == (!lowers || helped.start->timing().factor() > 2));
  const Started within(opened("resource_vars.meta"), MemoryBudget{.device = 100 << 20});
  CHECK_FALSE(app::wants_proposal(*within.start));
}

TEST_CASE("A proposal can be cancelled", "[session]") {
  Started started(opened("resource_vars.meta"));
  Interrupted interrupted;
  const auto proposed = app::propose(started.maker, *started.start, interrupted);
  REQUIRE_FALSE(proposed);
  CHECK(proposed.error().code == Code::kCancelled);
}

}  // namespace tideline
