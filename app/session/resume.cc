// Tested by unit/session/resume_test.cc.
//
// The mode comes behind the budget and before the parameters, because choosing a rewriter gives
// starting values to its parameters unless there is a budget to search with. What that leads to is
// followed here, and only what still differs is set.
#include "app/session/resume.h"

#include <fmt/format.h>

#include "app/engine/plan_command.h"
#include "core/base/text.h"
#include "core/rewrite/policy_parameters.h"

namespace tideline::app {

ui::Intents actions_for(const Wish& wish, std::int32_t levels) {
  ui::Intents actions;
  if (built_in_profile(wish.profile.name) == wish.profile && !(wish.profile == Wish().profile)) {
    actions.push_back({"profile.set", {wish.profile.name}});
  } else if (!wish.profile_file.empty()) {
    actions.push_back({"profile.set", {wish.profile_file}});
  }
  if (wish.batch_size) {
    actions.push_back({"graph.batch-size", {std::to_string(*wish.batch_size)}});
  }
  for (const GivenShape& given : wish.shapes) {
    actions.push_back({"graph.shape", {given_shape_text(given)}});
  }
  for (const GivenRounds& given : wish.rounds) {
    actions.push_back({"graph.rounds", {fmt::format("{}={}", given.name, given.count)}});
  }
  if (run_model_text(wish.run) != run_model_text({})) {
    actions.push_back({"graph.as-run", split_list(run_model_text(wish.run), ' ')});
  }
  for (const GivenBranch& given : wish.run.branches) {
    actions.push_back({"graph.branch", {given.name, std::string(branch_name(given.takes))}});
  }
  Policy made;
  const auto set_those = [&](bool of_budget) {
    for (const Parameter* parameter : policy_parameters()) {
      if (is_budget_parameter(parameter->name) != of_budget) continue;
      const std::string text = parameter_text(wish.policy, *parameter);
      if (parameter_text(made, *parameter) == text) continue;
      // A value that cannot be written is left as it is.
      if (!set_parameter(made, std::string(parameter->name), text)) continue;
      actions.push_back({"policy.set", {std::string(parameter->name), text}});
    }
  };
  set_those(true);
  if (wish.policy.rewriter != made.rewriter) {
    choose_rewriter(made, wish.policy.rewriter, levels);
    actions.push_back({"policy.mode", {wish.policy.rewriter}});
  }
  set_those(false);
  return actions;
}

}  // namespace tideline::app
