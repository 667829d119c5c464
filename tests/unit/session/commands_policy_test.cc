#include <catch2/catch.hpp>

#include "app/session/commands.h"
#include "tests/support/policy_values.h"
#include "tests/unit/session/app_fixture.h"

namespace tideline {
namespace {

using session::App;
using session::run_action;
using test::open_tutorial;
using test::settle;

const Policy& policy(const App& app) {
  return app.session.wish().policy;
}

}  // namespace

TEST_CASE("LMS v2 begins with values to start from, and keeps those that were set", "[session]") {
  App app;
  open_tutorial(app);
  REQUIRE(run_action(app, "policy.set", {"swapin-ahead", "7"}));
  REQUIRE(run_action(app, "policy.mode", {"lms2"}));
  settle(app);
  CHECK_FALSE(app.session.policy_error());
  CHECK(test::number_of(policy(app), "swapout-threshold") == 94 / 4);
  CHECK(test::number_of(policy(app), "swapin-ahead") == 7);
  CHECK(app.session.snapshot()->has_plan());
}

TEST_CASE("LMS v1 without optimizer scopes says what is missing; the settings stay", "[session]") {
  App app;
  open_tutorial(app, 50);
  REQUIRE(run_action(app, "policy.mode", {"lms1"}));
  settle(app);
  REQUIRE(app.session.policy_error());
  CHECK(app.session.policy_error()->message.find("optimizer") != std::string::npos);
  CHECK(app.session.snapshot()->policy.rewriter == "lms2");
  REQUIRE(run_action(app, "policy.set", {"optimizer-scopes", "adam_optimizer"}));
  settle(app);
  CHECK_FALSE(app.session.policy_error());
  CHECK(app.session.snapshot()->plan().version == 1);
  REQUIRE(run_action(app, "policy.mode", {"lms2"}));
  CHECK(test::number_of(policy(app), "swapout-threshold") == 50);
}

TEST_CASE("A slider is one step of undo for each time it is dragged", "[session]") {
  App app;
  open_tutorial(app, 50);
  for (const char* value : {"4", "5", "6"}) {
    REQUIRE(run_action(app, "policy.set", {"swapin-ahead", value}));
  }
  app.session.end_gesture();
  REQUIRE(run_action(app, "policy.set", {"swapin-ahead", "7"}));
  REQUIRE(run_action(app, "policy.set", {"swapin-groupby", "7"}));
  CHECK(app.session.undo_title() == "swapin-groupby 2 -> 7");
  REQUIRE(run_action(app, "edit.undo"));
  CHECK(app.session.undo_title() == "swapin-ahead 6 -> 7");
  REQUIRE(run_action(app, "edit.undo"));
  CHECK(app.session.undo_title() == "swapin-ahead 3 -> 6");
  REQUIRE(run_action(app, "edit.undo"));
  CHECK_FALSE(run_action(app, "edit.undo"));
}

TEST_CASE("Automatic mode needs a budget; switched off, what was found stays", "[session]") {
  App app;
  open_tutorial(app, 50);
  CHECK_FALSE(run_action(app, "policy.auto", {"on"}));
  REQUIRE(run_action(app, "graph.batch-size", {"5000"}));
  REQUIRE(run_action(app, "policy.set", {"device-memory", "1800MiB"}));
  REQUIRE(run_action(app, "policy.auto", {"on"}));
  settle(app);
  INFO((app.session.policy_error() ? app.session.policy_error()->message : std::string()));
  REQUIRE_FALSE(app.session.policy_error());
  REQUIRE(app.session.snapshot()->planned.tuned);
  const auto found = test::number_of(app.session.snapshot()->planned.used, "swapout-threshold");
  const auto swaps = app.session.snapshot()->plan().swaps.size();
  CHECK(test::number_of(policy(app), "swapout-threshold") == -1);
  REQUIRE(run_action(app, "policy.auto", {"off"}));
  settle(app);
  CHECK(test::number_of(policy(app), "swapout-threshold") == found);
  CHECK(app.session.snapshot()->plan().swaps.size() == swaps);
  CHECK(app.session.snapshot()->scene().device_budget == Bytes{1800} << 20U);
}

TEST_CASE("A budget that cannot be kept is an error; the last plan stays", "[session]") {
  App app;
  open_tutorial(app, 50);
  const auto good = app.session.snapshot();
  REQUIRE(run_action(app, "graph.batch-size", {"100"}));
  settle(app);
  REQUIRE(run_action(app, "policy.set", {"device-memory", "13MiB"}));
  REQUIRE(run_action(app, "policy.tune"));
  settle(app);
  const auto failure = app.session.take_failure();
  REQUIRE(failure);
  CHECK(failure->code == Code::kOverBudget);
  CHECK(test::number_of(policy(app), "swapout-threshold") == 50);
  CHECK_FALSE(app.session.is_stale());
  REQUIRE(run_action(app, "policy.auto", {"on"}));
  settle(app);
  REQUIRE(app.session.policy_error());
  CHECK(app.session.policy_error()->code == Code::kOverBudget);
  CHECK(test::number_of(app.session.snapshot()->policy, "swapout-threshold") == 50);
}

TEST_CASE("Tuning once is one step of undo", "[session]") {
  App app;
  open_tutorial(app, 50);
  REQUIRE(run_action(app, "graph.batch-size", {"100"}));
  REQUIRE(run_action(app, "policy.set", {"device-memory", "64GiB"}));
  settle(app);
  REQUIRE(run_action(app, "policy.tune"));
  settle(app);
  CHECK(test::number_of(policy(app), "swapout-threshold") == 94);  // nothing needs to be swapped
  CHECK(app.session.snapshot()->plan().swaps.empty());
  REQUIRE(run_action(app, "edit.undo"));
  CHECK(test::number_of(policy(app), "swapout-threshold") == 50);
}

TEST_CASE("Scopes are ticked in the filter of the mode that is on", "[session]") {
  App app;
  open_tutorial(app, 50);
  REQUIRE(run_action(app, "scope.exclude", {"loss", "on"}));
  REQUIRE(run_action(app, "scope.exclude", {"dropout", "on"}));
  REQUIRE(run_action(app, "scope.exclude", {"loss", "on"}));
  REQUIRE(run_action(app, "scope.include", {"fc1", "on"}));
  CHECK(names_of(policy(app), "excl-output-by-scopes") ==
        std::vector<std::string>{"dropout", "loss"});
  CHECK(names_of(policy(app), "incl-output-by-scopes") == std::vector<std::string>{"fc1"});
  REQUIRE(run_action(app, "scope.exclude", {"dropout", "off"}));
  CHECK(names_of(policy(app), "excl-output-by-scopes") == std::vector<std::string>{"loss"});
  REQUIRE(run_action(app, "policy.mode", {"lms1"}));
  REQUIRE(run_action(app, "scope.exclude", {"fc2", "on"}));
  CHECK(names_of(policy(app), "excl-scopes") == std::vector<std::string>{"fc2"});
}

TEST_CASE("A tensor is kept, swapped, or left to the rules, under one name", "[session]") {
  App app;
  open_tutorial(app, 50);
  REQUIRE(run_action(app, "tensor.keep", {"fc1/Relu"}));
  CHECK(names_of(policy(app), "keep-tensors") == std::vector<std::string>{"fc1/Relu:0"});
  REQUIRE(run_action(app, "tensor.swap", {"fc1/Relu:0"}));
  CHECK(names_of(policy(app), "keep-tensors").empty());
  CHECK(names_of(policy(app), "swap-tensors") == std::vector<std::string>{"fc1/Relu:0"});
  REQUIRE(run_action(app, "tensor.auto", {"fc1/Relu"}));
  CHECK(names_of(policy(app), "swap-tensors").empty());
}

TEST_CASE("A shape is given and taken back", "[session]") {
  App app;
  open_tutorial(app);
  REQUIRE(run_action(app, "graph.shape", {"Placeholder=8x784"}));
  REQUIRE(run_action(app, "graph.shape", {"Placeholder=16x784"}));
  REQUIRE(app.session.wish().shapes.size() == 1);
  CHECK(app.session.wish().shapes[0].shape == Shape::of({16, 784}));
  REQUIRE(run_action(app, "graph.shape", {"Placeholder="}));
  CHECK(app.session.wish().shapes.empty());
}

TEST_CASE("Another device's links change the time of the copies", "[session]") {
  App app;
  open_tutorial(app, 50);
  const auto slow = app.session.snapshot()->time.to_host_ns;
  REQUIRE(run_action(app, "profile.set", {"nvlink"}));
  settle(app);
  CHECK(app.session.snapshot()->time.to_host_ns < slow);
  CHECK(app.session.undo_title() == "profile pcie3 -> nvlink");
}

TEST_CASE("A new graph keeps the device and forgets the rest", "[session]") {
  App app;
  open_tutorial(app, 50);
  REQUIRE(run_action(app, "profile.set", {"nvlink"}));
  REQUIRE(run_action(app, "policy.set", {"device-memory", "4GiB"}));
  REQUIRE(run_action(app, "file.open", {test::tutorial()}));
  settle(app);
  CHECK(policy(app).rewriter == "off");
  CHECK(policy(app).budget->device == Bytes{4} << 30U);
  CHECK(app.session.wish().profile.name == "nvlink");
  CHECK(app.session.undo_title().empty());
  CHECK(app.settings.recent_files == std::vector<std::string>{test::tutorial()});
}

}  // namespace tideline
