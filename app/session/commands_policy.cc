// The actions that change the policy. Tested by unit/session/commands_policy_test.cc.
#include <algorithm>
#include <array>

#include "app/session/commands.h"
#include "app/session/parameters.h"
#include "core/base/text.h"

namespace tideline::session {
namespace {

Status change(App& app, Policy policy, const std::string& key = {}) {
  Wish wish = app.session.wish();
  wish.policy = std::move(policy);
  app.session.change(std::move(wish), key);
  return {};
}

Status set_mode(App& app, const Arguments& arguments) {
  const auto mode = find_policy_mode(arguments[0]);
  if (!mode) return bad_argument(arguments[0], "lms2, lms1 or off");
  Policy policy = app.session.wish().policy;
  policy.mode = *mode;
  if (policy.mode == PolicyMode::kLms2 && !effective_policy(policy).budget) {
    add_starting_values(policy, level_count(app));
  }
  return change(app, std::move(policy));
}

// Moving a slider is one change until the mouse is let go.
Status set(App& app, const Arguments& arguments) {
  Policy policy = app.session.wish().policy;
  TIDELINE_RETURN_IF_ERROR(set_parameter(policy, arguments[0], arguments[1]));
  return change(app, std::move(policy), "policy.set " + arguments[0]);
}

Status forget_parameters(Policy& policy) {
  if (!effective_policy(policy).budget) {
    return fail(Code::kInvalidArgument,
                "there is no device memory to fit into; expected policy.set device-memory SIZE "
                "first");
  }
  policy.mode = PolicyMode::kLms2;
  policy.lms2.swapout_threshold = -1;
  policy.lms2.swapin_ahead = -1;
  policy.lms2.swapin_groupby = -1;
  return {};
}

Status set_automatic(App& app, const Arguments& arguments) {
  const auto is_on = parse_switch(arguments[0]);
  if (!is_on) return bad_argument(arguments[0], "on or off");
  Policy policy = app.session.wish().policy;
  if (effective_policy(policy).is_automatic() == *is_on) return {};
  if (*is_on) {
    TIDELINE_RETURN_IF_ERROR(forget_parameters(policy));
  } else {
    adopt_found(*app.session.snapshot(), policy);
  }
  return change(app, std::move(policy));
}

// Once: the search is made, and what it finds can then be changed by hand.
Status tune(App& app, const Arguments&) {
  Policy policy = app.session.wish().policy;
  TIDELINE_RETURN_IF_ERROR(forget_parameters(policy));
  Wish wish = app.session.wish();
  wish.policy = std::move(policy);
  app.session.tune(std::move(wish));
  return {};
}

Status reset(App& app, const Arguments&) {
  Policy policy;
  policy.budget = app.session.wish().policy.budget;
  return change(app, std::move(policy));
}

// The filter of the mode that is on: string prefixes in lms2, whole scopes in lms1.
std::vector<std::string>& scopes_of(Policy& policy, bool is_include) {
  if (policy.mode == PolicyMode::kLms1) {
    return is_include ? policy.lms1.incl_scopes : policy.lms1.excl_scopes;
  }
  return (is_include ? policy.lms2.incl_output : policy.lms2.excl_output).scopes;
}

template <bool kIsInclude>
Status tick_scope(App& app, const Arguments& arguments) {
  const auto is_on = parse_switch(arguments[1]);
  if (!is_on) return bad_argument(arguments[1], "on or off");
  if (arguments[0].empty()) return bad_argument(arguments[0], "the path of a scope");
  Policy policy = app.session.wish().policy;
  std::vector<std::string>& scopes = scopes_of(policy, kIsInclude);
  std::erase(scopes, arguments[0]);
  if (*is_on) scopes.push_back(arguments[0]);
  return change(app, std::move(policy));
}

// One tensor has one name here, however it was spelled.
template <Override kUser>
Status decide(App& app, const Arguments& arguments) {
  const OpenedGraph& graph = *app.session.snapshot()->graph;
  const auto tensor = find_tensor(graph.graph(), graph.tensors, arguments[0]);
  if (!tensor) {
    return fail(Code::kNotFound, "there is no tensor '{}'; expected a name such as conv1/Relu:0",
                printable(arguments[0]));
  }
  Policy policy = app.session.wish().policy;
  for (std::vector<std::string>* list : {&policy.keep_tensors, &policy.swap_tensors}) {
    std::erase_if(*list, [&](const std::string& name) {
      return find_tensor(graph.graph(), graph.tensors, name) == tensor;
    });
  }
  const std::string name = graph.graph().tensor_name(*tensor);
  if (kUser == Override::kKeep) policy.keep_tensors.push_back(name);
  if (kUser == Override::kSwap) policy.swap_tensors.push_back(name);
  return change(app, std::move(policy));
}

constexpr std::array kActions = {
    Action{"policy.mode", "Choose the policy", "", "", "lms2|lms1|off",
           "Choose how swaps are found; lms2 begins with values to start from.", 1, 1, set_mode,
           has_graph},
    Action{"policy.set", "Set a parameter", "", "", "NAME VALUE",
           "Set a parameter by the name of the command line's option.", 2, 2, set, has_graph},
    Action{"policy.auto", "Automatic parameters", "", "", "on|off",
           "Find threshold, ahead and group-by for the device memory, whatever else changes.", 1, 1,
           set_automatic, has_graph},
    Action{"policy.tune", "Tune once", "Rewrite", "Ctrl+T", "",
           "Find parameters for the device memory, once.", 0, 0, tune, has_graph, nullptr,
           Effect::kSlow},
    Action{"policy.reset", "Reset the policy", "Rewrite", "", "",
           "Forget all parameters and filters; the budget stays.", 0, 0, reset, has_graph},
    Action{"scope.include", "Include a scope", "", "", "PATH on|off",
           "Swap only outputs of ops in such scopes.", 2, 2, tick_scope<true>, has_graph},
    Action{"scope.exclude", "Exclude a scope", "", "", "PATH on|off",
           "Never swap outputs of ops in the scope.", 2, 2, tick_scope<false>, has_graph},
    Action{"tensor.keep", "Keep a tensor", "", "", "NAME", "Never swap the tensor.", 1, 1,
           decide<Override::kKeep>, has_graph},
    Action{"tensor.swap", "Swap a tensor", "", "", "NAME",
           "Swap the tensor, whatever filters and threshold say.", 1, 1, decide<Override::kSwap>,
           has_graph},
    Action{"tensor.auto", "Leave a tensor to the rules", "", "", "NAME",
           "Take back what was decided about the tensor.", 1, 1, decide<Override::kNone>,
           has_graph},
};

}  // namespace

std::span<const Action> policy_actions() {
  return kActions;
}

}  // namespace tideline::session
