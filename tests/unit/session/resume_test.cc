#include "app/session/resume.h"

#include "app/actions/commands.h"
#include "core/rewrite/policy_parameters.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using test::Desk;

// The wish that the actions for `wish` lead to.
app::Wish after_actions(const app::Wish& wish) {
  Desk desk;
  test::open_tutorial(desk);
  for (const ui::Intent& intent : app::actions_for(wish, app::level_count(desk))) {
    INFO(intent.action);
    const auto done = app::run_action(desk, intent.action, intent.arguments);
    INFO((done ? "" : done.error().message));
    REQUIRE(done);
  }
  return desk.graph().wish();
}

app::Wish wish_after(const std::vector<std::vector<std::string>>& actions) {
  Desk desk;
  test::open_tutorial(desk);
  for (const auto& words : actions) {
    INFO(words.front());
    REQUIRE(app::run_action(desk, words.front(), {words.begin() + 1, words.end()}));
  }
  return desk.graph().wish();
}

}  // namespace

TEST_CASE("A wish is made again by its actions", "[resume]") {
  const std::vector<std::vector<std::vector<std::string>>> cases = {
      {},
      {{"policy.mode", "lms2"}},
      {{"policy.mode", "lms1"}, {"policy.set", "n-tensors", "7"}},
      {{"policy.mode", "lms2"},
       {"policy.set", "swapout-threshold", "3"},
       {"tensor.keep", "conv1/Relu:0"},
       {"tensor.swap", "conv2/Relu:0"},
       {"scope.set", "fc1", "never"},
       {"graph.batch-size", "12"}},
      // With a budget before the mode the parameters are searched for.
      {{"policy.set", "device-memory", "12MiB"}, {"policy.mode", "lms2"}},
      // With a budget behind it they have starting values.
      {{"policy.mode", "lms2"}, {"policy.set", "device-memory", "12MiB"}},
      {{"policy.set", "device-memory", "12MiB"}, {"policy.mode", "lms2"}, {"policy.auto", "off"}},
      {{"policy.mode", "lms2"}, {"policy.mode", "off"}, {"profile.set", "v100"}},
      {{"graph.as-run", "off"}, {"policy.mode", "lms2"}},
      {{"graph.as-run", "modelled", "cpu"}},
      {{"graph.branch", "a", "true"}, {"graph.branch", "b/c", "false"}},
      {{"graph.as-run", "modelled", "gpu"}, {"graph.branch", "a", "true"}},
      {{"graph.shape", "x=1x784"}, {"policy.mode", "lms2"}, {"policy.set", "model", "faithful"}},
  };
  for (const auto& actions : cases) {
    const app::Wish wish = wish_after(actions);
    const app::Wish again = after_actions(wish);
    INFO(actions.size());
    CHECK(again.policy.rewriter == wish.policy.rewriter);
    for (const Parameter* parameter : policy_parameters()) {
      INFO(parameter->name);
      CHECK(parameter_text(again.policy, *parameter) == parameter_text(wish.policy, *parameter));
    }
    CHECK(again == wish);
  }
}

TEST_CASE("The first wish needs no action, and a profile of a file is left out", "[resume]") {
  CHECK(app::actions_for({}, 94).empty());
  app::Wish wish;
  wish.profile.name = "mine";
  CHECK(app::actions_for(wish, 94).empty());
}

}  // namespace tideline
