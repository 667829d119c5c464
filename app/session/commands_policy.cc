// The actions that change the policy. Tested by unit/session/commands_policy_test.cc.
#include <algorithm>
#include <array>

#include "app/session/commands.h"
#include "core/base/text.h"
#include "core/rewrite/overrides.h"
#include "core/rewrite/policy_parameters.h"

namespace tideline::session {
namespace {

Status change(App& app, Policy policy, const std::string& key = {}) {
  Wish wish = app.session.wish();
  wish.policy = std::move(policy);
  app.session.change(std::move(wish), key);
  return {};
}

Status set_mode(App& app, const Arguments& arguments) {
  const Rewriter* rewriter = find_rewriter(arguments[0]);
  if (rewriter == nullptr && arguments[0] != kPolicyOff) {
    return bad_argument(arguments[0], rewriter_ids(true));
  }
  Policy policy = app.session.wish().policy;
  policy.rewriter = arguments[0];
  const bool is_searched =
      rewriter != nullptr && rewriter->search && effective_policy(policy).budget;
  if (rewriter != nullptr && rewriter->add_starting_values != nullptr && !is_searched) {
    rewriter->add_starting_values(policy.values, level_count(app));
  }
  return change(app, std::move(policy));
}

// Moving a slider is one change until the mouse is let go.
Status set(App& app, const Arguments& arguments) {
  Policy policy = app.session.wish().policy;
  TIDELINE_RETURN_IF_ERROR(set_parameter(policy, arguments[0], arguments[1]));
  return change(app, std::move(policy), "policy.set " + arguments[0]);
}

constexpr std::int64_t kNotGiven = -1;

// Precondition: some rewriter has a search.
const Rewriter* first_with_search() {
  for (const Rewriter* rewriter : rewriters()) {
    if (rewriter->search) return rewriter;
  }
  return nullptr;
}

Status forget_parameters(Policy& policy) {
  if (!effective_policy(policy).budget) {
    return fail(Code::kInvalidArgument,
                "no device memory is set; expected policy.set device-memory SIZE "
                "first");
  }
  const Rewriter* rewriter = policy.chosen();
  if (rewriter == nullptr || !rewriter->search) rewriter = first_with_search();
  policy.rewriter = rewriter->id;
  for (const Parameter& parameter : rewriter->parameters) {
    if (parameter.is_found) policy.values.set(parameter, kNotGiven);
  }
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

// The filter of the rewriter that is on: beginnings of names, or whole scopes.
const Parameter* scopes_of(const Policy& policy, bool is_include) {
  const Rewriter* rewriter = policy.is_off() ? rewriters().front() : policy.chosen();
  if (rewriter == nullptr) return nullptr;
  return is_include ? rewriter->include_scopes : rewriter->exclude_scopes;
}

template <bool kIsInclude>
Status tick_scope(App& app, const Arguments& arguments) {
  const auto is_on = parse_switch(arguments[1]);
  if (!is_on) return bad_argument(arguments[1], "on or off");
  if (arguments[0].empty()) return bad_argument(arguments[0], "the path of a scope");
  Policy policy = app.session.wish().policy;
  const Parameter* filter = scopes_of(policy, kIsInclude);
  if (filter == nullptr) {
    return fail(Code::kUnsupported, "the policy {} has no filter of scopes", policy.rewriter);
  }
  std::vector<std::string> scopes = policy.values.names(*filter);
  std::erase(scopes, arguments[0]);
  if (*is_on) scopes.push_back(arguments[0]);
  policy.values.set(*filter, std::move(scopes));
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
  const std::string own_name = graph.graph().tensor_name(*tensor);
  for (const Override kind : {Override::kKeep, Override::kSwap}) {
    const char* parameter = kind == Override::kKeep ? "keep-tensors" : "swap-tensors";
    std::vector<std::string> list = names_of(policy, parameter);
    std::erase_if(list, [&](const std::string& name) {
      return find_tensor(graph.graph(), graph.tensors, name) == tensor;
    });
    if (kind == kUser) list.push_back(own_name);
    set_value(policy, parameter, std::move(list));
  }
  return change(app, std::move(policy));
}

constexpr std::array kActions = {
    Action{"policy.mode", "Choose the policy", "", "", "NAME|off",
           "Choose the rewriter; tideline rewriters lists them.", 1, 1, set_mode, has_graph},
    Action{"policy.set", "Set a parameter", "", "", "NAME VALUE",
           "Set a parameter by the name of the command line's option.", 2, 2, set, has_graph},
    Action{"policy.auto", "Automatic parameters", "", "", "on|off",
           "Search parameters for the device memory after every change.", 1, 1, set_automatic,
           has_graph},
    Action{"policy.tune", "Tune once", "Rewrite", "Ctrl+T", "",
           "Find parameters for the device memory, once.", 0, 0, tune, has_graph, nullptr,
           Effect::kSlow},
    Action{"policy.reset", "Reset the policy", "Rewrite", "", "",
           "Reset all parameters and filters, but not the budget.", 0, 0, reset, has_graph},
    Action{"scope.include", "Include a scope", "", "", "PATH on|off",
           "Swap only outputs of ops in such scopes.", 2, 2, tick_scope<true>, has_graph},
    Action{"scope.exclude", "Exclude a scope", "", "", "PATH on|off",
           "Never swap outputs of ops in the scope.", 2, 2, tick_scope<false>, has_graph},
    Action{"tensor.keep", "Keep a tensor", "", "", "NAME", "Never swap the tensor.", 1, 1,
           decide<Override::kKeep>, has_graph},
    Action{"tensor.swap", "Swap a tensor", "", "", "NAME",
           "Swap the tensor regardless of filters and parameters.", 1, 1, decide<Override::kSwap>,
           has_graph},
    Action{"tensor.auto", "Leave a tensor to the rules", "", "", "NAME",
           "Remove the override of the tensor.", 1, 1, decide<Override::kNone>, has_graph},
};

}  // namespace

std::span<const Action> policy_actions() {
  return kActions;
}

}  // namespace tideline::session
