#include <catch2/catch.hpp>
#include <set>

#include "app/actions/commands.h"
#include "app/engine/swap_rows.h"
#include "tests/support/policy_values.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using app::run_action;
using app::Viewer;
using test::Desk;
using test::open_tutorial;
using test::settle;

const Policy& policy(const Viewer& viewer) {
  return viewer.graph().wish().policy;
}

}  // namespace

TEST_CASE("LMS v2 begins with values to start from, and keeps those that were set", "[session]") {
  Desk viewer;
  open_tutorial(viewer);
  REQUIRE(run_action(viewer, "policy.set", {"swapin-ahead", "7"}));
  REQUIRE(run_action(viewer, "policy.mode", {"lms2"}));
  settle(viewer);
  CHECK_FALSE(viewer.graph().policy_error());
  CHECK(test::number_of(policy(viewer), "swapout-threshold") == 94 / 4);
  CHECK(test::number_of(policy(viewer), "swapin-ahead") == 7);
  CHECK(viewer.graph().snapshot()->has_plan());
}

TEST_CASE("LMS v1 without optimizer scopes says what is missing; the settings stay", "[session]") {
  Desk viewer;
  open_tutorial(viewer, 50);
  REQUIRE(run_action(viewer, "policy.mode", {"lms1"}));
  settle(viewer);
  REQUIRE(viewer.graph().policy_error());
  CHECK(viewer.graph().policy_error()->message.find("optimizer") != std::string::npos);
  CHECK(viewer.graph().snapshot()->policy.rewriter == "lms2");
  REQUIRE(run_action(viewer, "policy.set", {"optimizer-scopes", "adam_optimizer"}));
  settle(viewer);
  CHECK_FALSE(viewer.graph().policy_error());
  CHECK(viewer.graph().snapshot()->policy.rewriter == "lms1");
  REQUIRE(run_action(viewer, "policy.mode", {"lms2"}));
  CHECK(test::number_of(policy(viewer), "swapout-threshold") == 50);
}

TEST_CASE("A slider is one step of undo for each time it is dragged", "[session]") {
  Desk viewer;
  open_tutorial(viewer, 50);
  for (const char* value : {"4", "5", "6"}) {
    REQUIRE(run_action(viewer, "policy.set", {"swapin-ahead", value}));
  }
  viewer.graph().end_gesture();
  REQUIRE(run_action(viewer, "policy.set", {"swapin-ahead", "7"}));
  REQUIRE(run_action(viewer, "policy.set", {"swapin-groupby", "7"}));
  CHECK(viewer.graph().undo_title() == "swapin-groupby 2 -> 7");
  REQUIRE(run_action(viewer, "edit.undo"));
  CHECK(viewer.graph().undo_title() == "swapin-ahead 6 -> 7");
  REQUIRE(run_action(viewer, "edit.undo"));
  CHECK(viewer.graph().undo_title() == "swapin-ahead 3 -> 6");
  REQUIRE(run_action(viewer, "edit.undo"));
  CHECK_FALSE(run_action(viewer, "edit.undo"));
}

TEST_CASE("Automatic mode needs a budget; switched off, what was found stays", "[session]") {
  Desk viewer;
  open_tutorial(viewer, 50);
  CHECK_FALSE(run_action(viewer, "policy.auto", {"on"}));
  REQUIRE(run_action(viewer, "graph.batch-size", {"5000"}));
  REQUIRE(run_action(viewer, "policy.set", {"device-memory", "1800MiB"}));
  REQUIRE(run_action(viewer, "policy.auto", {"on"}));
  settle(viewer);
  INFO((viewer.graph().policy_error() ? viewer.graph().policy_error()->message : std::string()));
  REQUIRE_FALSE(viewer.graph().policy_error());
  REQUIRE(viewer.graph().snapshot()->planned.tuned);
  const auto found = test::number_of(viewer.graph().snapshot()->planned.used, "swapout-threshold");
  const auto swaps = viewer.graph().snapshot()->plan().swaps().size();
  CHECK(test::number_of(policy(viewer), "swapout-threshold") == -1);
  REQUIRE(run_action(viewer, "policy.auto", {"off"}));
  settle(viewer);
  CHECK(test::number_of(policy(viewer), "swapout-threshold") == found);
  CHECK(viewer.graph().snapshot()->plan().swaps().size() == swaps);
  CHECK(viewer.graph().snapshot()->scene().device_budget == Bytes{1800} << 20U);
}

TEST_CASE("A budget that cannot be kept is an error; the last plan stays", "[session]") {
  Desk viewer;
  open_tutorial(viewer, 50);
  const auto good = viewer.graph().snapshot();
  REQUIRE(run_action(viewer, "graph.batch-size", {"100"}));
  settle(viewer);
  REQUIRE(run_action(viewer, "policy.set", {"device-memory", "13MiB"}));
  REQUIRE(run_action(viewer, "policy.tune"));
  settle(viewer);
  const auto failure = viewer.session.journal().take_failure();
  REQUIRE(failure);
  CHECK(failure->code == Code::kOverBudget);
  CHECK(test::number_of(policy(viewer), "swapout-threshold") == 50);
  CHECK_FALSE(viewer.graph().is_stale());
  REQUIRE(run_action(viewer, "policy.auto", {"on"}));
  settle(viewer);
  REQUIRE(viewer.graph().policy_error());
  CHECK(viewer.graph().policy_error()->code == Code::kOverBudget);
  CHECK(test::number_of(viewer.graph().snapshot()->policy, "swapout-threshold") == 50);
}

TEST_CASE("A budget may be a share of the peak without a plan", "[session]") {
  Desk viewer;
  open_tutorial(viewer, 50);
  const Bytes peak =
      viewer.graph().snapshot()->devices.front().original->before.timeline.device_peak;
  REQUIRE(run_action(viewer, "policy.set", {"device-memory", "60 %"}));
  CHECK(policy(viewer).budget->device == peak * 60 / 100);
  REQUIRE(run_action(viewer, "policy.set", {"device-memory", "16kib"}));
  CHECK(policy(viewer).budget->device == 16384);
  const auto wrong = run_action(viewer, "policy.set", {"device-memory", "60%%"});
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message.find("'60%%'; expected a size such as 4GiB, a share") !=
        std::string::npos);
  CHECK(policy(viewer).budget->device == 16384);
  CHECK_FALSE(run_action(viewer, "policy.set", {"host-memory", "60%"}));
}

TEST_CASE("A share of a peak that is being computed is refused, not taken of another peak",
          "[session]") {
  Desk viewer;
  open_tutorial(viewer, 50);
  REQUIRE(run_action(viewer, "graph.batch-size", {"100"}));
  const auto early = run_action(viewer, "policy.set", {"device-memory", "60%"});
  REQUIRE_FALSE(early);
  CHECK(early.error().code == Code::kInvalidArgument);
  CHECK_FALSE(policy(viewer).budget);
  settle(viewer);
  REQUIRE(run_action(viewer, "policy.set", {"device-memory", "60%"}));
}

TEST_CASE("Tuning once is one step of undo", "[session]") {
  Desk viewer;
  open_tutorial(viewer, 50);
  REQUIRE(run_action(viewer, "graph.batch-size", {"100"}));
  REQUIRE(run_action(viewer, "policy.set", {"device-memory", "64GiB"}));
  settle(viewer);
  REQUIRE(run_action(viewer, "policy.tune"));
  settle(viewer);
  CHECK(test::number_of(policy(viewer), "swapout-threshold") == 94);  // nothing needs to be swapped
  CHECK(viewer.graph().snapshot()->plan().swaps().empty());
  REQUIRE(run_action(viewer, "edit.undo"));
  CHECK(test::number_of(policy(viewer), "swapout-threshold") == 50);
}

TEST_CASE("Never swapping one scope changes nothing else, and is one step of undo", "[session]") {
  for (const char* mode : {"lms2", "lms1"}) {
    INFO(mode);
    Desk viewer;
    open_tutorial(viewer, 30);
    REQUIRE(run_action(viewer, "policy.set", {"optimizer-scopes", "adam_optimizer"}));
    REQUIRE(run_action(viewer, "policy.mode", {mode}));
    settle(viewer);
    const auto swapped = [&] {
      std::set<std::string> names;
      const app::Snapshot& snapshot = *viewer.graph().snapshot();
      for (const PlannedSwap& swap : snapshot.plan().swaps()) {
        // LMS v1 reaches gradients through the ops that it may swap.
        const std::string name = snapshot.graph->graph().tensor_name(swap.tensor);
        if (!name.starts_with("adam_optimizer/")) names.insert(name);
      }
      return names;
    };
    const std::set<std::string> before = swapped();
    REQUIRE(before.count("conv1/Relu:0") > 0);
    REQUIRE(run_action(viewer, "scope.set", {"conv1", "never"}));
    settle(viewer);
    std::set<std::string> wanted = before;
    std::erase_if(wanted, [](const std::string& name) { return name.starts_with("conv1/"); });
    CHECK(swapped() == wanted);
    REQUIRE(run_action(viewer, "edit.undo"));
    settle(viewer);
    CHECK(swapped() == before);
  }
}

TEST_CASE("Only some scopes are swapped, until the rules are cleared", "[session]") {
  Desk viewer;
  open_tutorial(viewer, 30);
  REQUIRE(run_action(viewer, "scope.set", {"conv1", "only"}));
  REQUIRE(run_action(viewer, "scope.set", {"conv2", "only"}));
  settle(viewer);
  const app::Snapshot& some = *viewer.graph().snapshot();
  REQUIRE_FALSE(some.plan().swaps().empty());
  for (const PlannedSwap& swap : some.plan().swaps()) {
    const std::string_view name = some.graph->graph().name(swap.tensor.op);
    CHECK((name.starts_with("conv1/") || name.starts_with("conv2/")));
  }
  CHECK(names_of(policy(viewer), "incl-output-by-scopes") ==
        std::vector<std::string>{"conv1", "conv2"});
  REQUIRE(run_action(viewer, "scope.set", {"conv1", "auto"}));
  CHECK(names_of(policy(viewer), "incl-output-by-scopes") == std::vector<std::string>{"conv2"});
  REQUIRE(run_action(viewer, "scope.clear"));
  CHECK(names_of(policy(viewer), "incl-output-by-scopes").empty());
  CHECK_FALSE(run_action(viewer, "scope.clear"));  // nothing is left to clear
  REQUIRE(run_action(viewer, "edit.undo"));
  CHECK(names_of(policy(viewer), "incl-output-by-scopes") == std::vector<std::string>{"conv2"});
}

TEST_CASE("Keeping what is swapped in vain keeps the peak and shortens the step", "[session]") {
  Desk viewer;
  open_tutorial(viewer, 30);
  REQUIRE(run_action(viewer, "graph.batch-size", {"100"}));
  settle(viewer);
  const auto before = viewer.graph().snapshot();
  const std::int64_t idle = idle_swaps(before->effects()).count;
  REQUIRE(idle > 0);
  REQUIRE(run_action(viewer, "tensor.keep-idle"));
  settle(viewer);
  const auto after = viewer.graph().snapshot();
  CHECK(after->plan().swaps().size() == before->plan().swaps().size() - idle);
  CHECK(after->devices[0].result().timeline.device_peak <=
        before->devices[0].result().timeline.device_peak);
  CHECK(after->time().step_ns() <= before->time().step_ns());
  REQUIRE(run_action(viewer, "edit.undo"));
  settle(viewer);
  CHECK(viewer.graph().snapshot()->plan().swaps().size() == before->plan().swaps().size());
}

TEST_CASE("A tensor is kept, swapped, or left to the rules, under one name", "[session]") {
  Desk viewer;
  open_tutorial(viewer, 50);
  REQUIRE(run_action(viewer, "tensor.keep", {"fc1/Relu"}));
  CHECK(names_of(policy(viewer), "keep-tensors") == std::vector<std::string>{"fc1/Relu:0"});
  REQUIRE(run_action(viewer, "tensor.swap", {"fc1/Relu:0"}));
  CHECK(names_of(policy(viewer), "keep-tensors").empty());
  CHECK(names_of(policy(viewer), "swap-tensors") == std::vector<std::string>{"fc1/Relu:0"});
  REQUIRE(run_action(viewer, "tensor.auto", {"fc1/Relu"}));
  CHECK(names_of(policy(viewer), "swap-tensors").empty());
}

TEST_CASE("A tensor comes back by a distance of its own, in one step of undo", "[session]") {
  Desk viewer;
  open_tutorial(viewer, 50);
  const auto in_level = [&] {
    settle(viewer);
    for (const ui::SwapRow& row : swap_rows(*viewer.graph().snapshot())) {
      if (row.name == "conv1/Relu:0") return std::pair(row.in_level, row.own_ahead);
    }
    return std::pair(-1, -1);
  };
  const auto before = in_level();
  REQUIRE(run_action(viewer, "tensor.ahead", {"conv1/Relu", "9"}));
  CHECK(viewer.graph().undo_title() == "ahead-tensors + conv1/Relu:0=9");
  REQUIRE(run_action(viewer, "tensor.ahead", {"conv1/Relu:0", "12"}));
  using Names = std::vector<std::string>;
  CHECK(names_of(policy(viewer), "ahead-tensors") == Names{"conv1/Relu:0=12"});
  const auto after = in_level();
  CHECK(after.first < before.first);
  CHECK(after.second == 12);
  REQUIRE(run_action(viewer, "tensor.ahead", {"conv1/Relu:0", "auto"}));
  CHECK(names_of(policy(viewer), "ahead-tensors").empty());
  CHECK(in_level() == before);
  REQUIRE(run_action(viewer, "edit.undo"));
  CHECK(in_level() == after);
  // What is swapped in any case keeps its distance, what is kept needs none.
  REQUIRE(run_action(viewer, "tensor.swap", {"conv1/Relu"}));
  CHECK(names_of(policy(viewer), "ahead-tensors") == Names{"conv1/Relu:0=12"});
  REQUIRE(run_action(viewer, "tensor.keep", {"conv1/Relu"}));
  CHECK(names_of(policy(viewer), "ahead-tensors").empty());
  REQUIRE(run_action(viewer, "edit.undo"));
  REQUIRE(run_action(viewer, "tensor.auto", {"conv1/Relu"}));
  CHECK(override_lists(policy(viewer)).empty());
}

TEST_CASE("A shape is given and taken back", "[session]") {
  Desk viewer;
  open_tutorial(viewer);
  REQUIRE(run_action(viewer, "graph.shape", {"Placeholder=8x784"}));
  REQUIRE(run_action(viewer, "graph.shape", {"Placeholder=16x784"}));
  REQUIRE(viewer.graph().wish().shapes.size() == 1);
  CHECK(viewer.graph().wish().shapes[0].shape == Shape::of({16, 784}));
  REQUIRE(run_action(viewer, "graph.shape", {"Placeholder="}));
  CHECK(viewer.graph().wish().shapes.empty());
}

TEST_CASE("A branch is chosen and taken back", "[session][branch]") {
  using Branches = std::vector<GivenBranch>;
  Desk viewer;
  open_tutorial(viewer);
  const auto branches = [&] { return viewer.graph().wish().run.branches; };
  REQUIRE(run_action(viewer, "graph.branch", {"cond", "true"}));
  REQUIRE(run_action(viewer, "graph.branch", {"a/cond", "true"}));
  REQUIRE(run_action(viewer, "graph.branch", {"cond", "false"}));
  CHECK(branches() == Branches{{"a/cond", true}, {"cond", false}});
  REQUIRE(run_action(viewer, "graph.as-run", {"modelled", "gpu"}));
  CHECK(branches().size() == 2);
  REQUIRE(run_action(viewer, "graph.branch", {"a/cond", "larger"}));
  CHECK(branches() == Branches{{"cond", false}});
  REQUIRE(run_action(viewer, "graph.as-run", {"off"}));
  CHECK(branches().empty());
  CHECK(run_action(viewer, "graph.branch", {"cond", "true"}).error().message ==
        "graph.branch: both branches count in a step as in the file; expected graph.as-run "
        "modelled before a branch is chosen");
}

TEST_CASE("Another device's links change the time of the copies", "[session]") {
  Desk viewer;
  open_tutorial(viewer, 50);
  const auto slow = viewer.graph().snapshot()->time().to_host_ns;
  REQUIRE(run_action(viewer, "profile.set", {"nvlink"}));
  settle(viewer);
  CHECK(viewer.graph().snapshot()->time().to_host_ns < slow);
  CHECK(viewer.graph().undo_title() == "profile pcie3 -> nvlink");
}

TEST_CASE("A new graph keeps the device and forgets the rest", "[session]") {
  const std::string other = std::string(TIDELINE_SOURCE_DIR) + "/tests/data/graphs/mlp.meta";
  Desk viewer;
  open_tutorial(viewer, 50);
  REQUIRE(run_action(viewer, "profile.set", {"nvlink"}));
  REQUIRE(run_action(viewer, "policy.set", {"device-memory", "4GiB"}));
  REQUIRE(run_action(viewer, "file.open", {other}));
  settle(viewer);
  CHECK(policy(viewer).rewriter == "off");
  CHECK(policy(viewer).budget->device == Bytes{4} << 30U);
  CHECK(viewer.graph().wish().profile.name == "nvlink");
  CHECK(viewer.graph().undo_title().empty());
  CHECK(viewer.settings.recent_files == std::vector<std::string>{other, test::tutorial()});
}

TEST_CASE("A try of the search is taken in one step of undo, and what was tried stays",
          "[session]") {
  Desk viewer;
  app::Wish wish;
  wish.policy.rewriter = "lms2";
  set_value(wish.policy, "swapout-threshold", 50);
  set_value(wish.policy, "swapin-ahead", 3);
  set_value(wish.policy, "swapin-groupby", 2);
  wish.batch_size = 4096;
  app::open_graph(viewer, {.graph = {.path = TIDELINE_SOURCE_DIR "/assets/samples/residual.meta"}},
                  wish);
  settle(viewer);
  CHECK_FALSE(run_action(viewer, "policy.take-tried", {"1"}));
  REQUIRE(run_action(viewer, "policy.set", {"device-memory", "500MiB"}));
  REQUIRE(run_action(viewer, "policy.auto", {"on"}));
  settle(viewer);
  REQUIRE_FALSE(viewer.graph().policy_error());
  const auto tried = viewer.graph().snapshot()->tried;
  REQUIRE(tried);
  REQUIRE(tried->found.trials.size() > 3);
  std::size_t other = 1;  // that fits, and is not the one that was found
  while (other < tried->found.trials.size() &&
         (!tried->found.trials[other].fits || other == viewer.graph().snapshot()->scene().trial))
    ++other;
  REQUIRE(other < tried->found.trials.size());
  REQUIRE(run_action(viewer, "policy.take-tried", {std::to_string(other + 1)}));
  CHECK_FALSE(policy(viewer).is_automatic());
  settle(viewer);
  REQUIRE_FALSE(viewer.graph().policy_error());
  const app::Snapshot& taken = *viewer.graph().snapshot();
  CHECK(taken.tried == tried);
  CHECK(taken.scene().trial.has_value());
  CHECK(taken.time().device_peak == tried->found.trials[other].device_peak);
  CHECK(taken.time().step_ns() == tried->found.trials[other].step_ns);
  REQUIRE(run_action(viewer, "edit.undo"));
  CHECK(policy(viewer).is_automatic());
  settle(viewer);
  // Of other settings nothing was tried.
  REQUIRE(run_action(viewer, "policy.take-tried", {std::to_string(other + 1)}));
  REQUIRE(run_action(viewer, "policy.set", {"device-memory", "600MiB"}));
  settle(viewer);
  CHECK(viewer.graph().snapshot()->tried == nullptr);
}

}  // namespace tideline
