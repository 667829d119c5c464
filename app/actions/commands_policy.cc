// The actions that change the policy. Tested by unit/actions/commands_policy_test.cc.
#include <algorithm>
#include <array>

#include "app/actions/commands.h"
#include "core/base/size_or_share.h"
#include "core/base/text.h"
#include "core/graph/nearest_names.h"
#include "core/rewrite/lms/overrides.h"
#include "core/rewrite/lms/own_ahead.h"
#include "core/rewrite/lms/scope_rules.h"
#include "core/rewrite/policy_parameters.h"

namespace tideline::app {
namespace {

Answered change(Viewer& viewer, Policy policy, const std::string& key = {}) {
  Wish wish = viewer.graph().wish();
  wish.policy = std::move(policy);
  viewer.graph().change(std::move(wish), key);
  return {};
}

// A user who chooses gets settings that help, if starting values do not; a script those values.
template <bool kProposes>
Answered set_mode(Viewer& viewer, const Arguments& arguments) {
  const Rewriter* rewriter = find_rewriter(arguments.text(0));
  if (rewriter == nullptr && arguments.text(0) != kPolicyOff) {
    return bad_argument(arguments.text(0), rewriter_ids(true));
  }
  Wish wish = viewer.graph().wish();
  const bool is_new = choose_rewriter(wish.policy, arguments.text(0), level_count(viewer));
  if (kProposes && is_new) {
    viewer.graph().choose(std::move(wish));
  } else {
    viewer.graph().change(std::move(wish));
  }
  return {};
}

// A share of the peak without a plan, as a size.
Result<std::string> budget_of_share(const Viewer& viewer, const std::string& text) {
  const GraphDocument& graph = viewer.graph();
  if (!graph.has_sizes_of_wish()) {
    return fail(Code::kInvalidArgument,
                "the peak is being computed; expected the share '{}' of it once it is known",
                printable(text));
  }
  const DeviceResult& device = graph.snapshot()->devices.front();
  const auto bytes = parse_size_or_share(text, device.original->before.timeline.device_peak);
  if (!bytes) {
    return fail(Code::kInvalidArgument,
                "device-memory cannot be '{}'; expected a size such as 4GiB, a share of the peak "
                "without a plan such as 60 %, or none",
                printable(text));
  }
  return exact_size(*bytes);
}

// Moving a slider is one change until the mouse is let go.
Answered set(Viewer& viewer, const Arguments& arguments) {
  Policy policy = viewer.graph().wish().policy;
  std::string value = arguments.text(1);
  if (arguments.text(0) == "device-memory" && is_share(value)) {
    TIDELINE_TRY(value, budget_of_share(viewer, value));
  }
  TIDELINE_RETURN_IF_ERROR(set_parameter(policy, arguments.text(0), value));
  return change(viewer, std::move(policy), "policy.set " + arguments.text(0));
}

// Precondition: some rewriter has a search.
const Rewriter* first_with_search() {
  for (const Rewriter* rewriter : rewriters()) {
    if (rewriter->can_tune()) return rewriter;
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
  if (rewriter == nullptr || !rewriter->can_tune()) rewriter = first_with_search();
  policy.rewriter = rewriter->id;
  leave_to_search(policy);
  return {};
}

Answered set_automatic(Viewer& viewer, const Arguments& arguments) {
  Policy policy = viewer.graph().wish().policy;
  if (effective_policy(policy).is_automatic() == arguments.is_on(0)) return {};
  if (arguments.is_on(0)) {
    TIDELINE_RETURN_IF_ERROR(forget_parameters(policy));
  } else {
    adopt_found(*viewer.graph().snapshot(), policy);
  }
  return change(viewer, std::move(policy));
}

// Once: the search is made, and what it finds can then be changed by hand.
Answered tune(Viewer& viewer, const Arguments&) {
  Policy policy = viewer.graph().wish().policy;
  TIDELINE_RETURN_IF_ERROR(forget_parameters(policy));
  Wish wish = viewer.graph().wish();
  wish.policy = std::move(policy);
  viewer.graph().tune(std::move(wish));
  return {};
}

// The settings that the search tried, by hand from then on.
Answered take_tried(Viewer& viewer, const Arguments& arguments) {
  const auto tried = viewer.graph().tried();
  const std::int64_t number = arguments.whole(0);
  const auto count = static_cast<std::int64_t>(tried->found.trials.size());
  if (number > count) {
    return bad_argument(std::to_string(number), fmt::format("a number from 1 to {}", count));
  }
  Policy policy = tried->taken(static_cast<std::size_t>(number - 1));
  policy.budget = viewer.graph().wish().policy.budget;
  return change(viewer, std::move(policy));
}

bool has_tried(const Viewer& viewer) {
  return has_graph(viewer) && viewer.graph().tried() != nullptr;
}

bool has_no_plan(const Viewer& viewer) {
  return has_graph(viewer) && !has_plan(viewer);
}

Answered reset(Viewer& viewer, const Arguments&) {
  Policy policy;
  policy.budget = viewer.graph().wish().policy.budget;
  return change(viewer, std::move(policy));
}

Answered set_scope(Viewer& viewer, const Arguments& arguments) {
  const std::string& word = arguments.text(1);
  const ScopeRule rule = word == scope_rule_name(ScopeRule::kNever)  ? ScopeRule::kNever
                         : word == scope_rule_name(ScopeRule::kOnly) ? ScopeRule::kOnly
                                                                     : ScopeRule::kAutomatic;
  Policy policy = viewer.graph().wish().policy;
  const Graph& graph = viewer.graph().snapshot()->graph->graph();
  TIDELINE_RETURN_IF_ERROR(set_scope_rule(policy, graph, arguments.text(0), rule));
  return change(viewer, std::move(policy));
}

Answered clear_scopes(Viewer& viewer, const Arguments&) {
  Policy policy = viewer.graph().wish().policy;
  clear_scope_rules(policy);
  return change(viewer, std::move(policy));
}

bool has_scope_rules(const Viewer& viewer) {
  return has_graph(viewer) && !scope_rules(viewer.graph().wish().policy).empty();
}

// One tensor has one name here, however it was spelled.
Result<TensorId> named_tensor(const Viewer& viewer, const std::string& name) {
  const OpenedGraph& graph = *viewer.graph().snapshot()->graph;
  const auto tensor = find_tensor(graph.graph(), graph.tensors, name);
  if (tensor) return *tensor;
  return fail(Code::kNotFound, "there is no tensor '{}'{}; expected a name such as conv1/Relu:0",
              printable(name), nearest_ops(graph.graph(), name));
}

// Gives `tensor` a distance of its own, or none if `ahead` is 0.
void set_own_ahead(const Viewer& viewer, TensorId tensor, int ahead, Policy& policy) {
  const OpenedGraph& graph = *viewer.graph().snapshot()->graph;
  std::vector<std::string> list = names_of(policy, kAheadTensors);
  std::erase_if(list, [&](const std::string& text) {
    const auto own = parse_own_ahead(text);
    return own && find_tensor(graph.graph(), graph.tensors, own->tensor) == tensor;
  });
  if (ahead > 0) list.push_back(own_ahead_text({graph.graph().tensor_name(tensor), ahead}));
  set_value(policy, kAheadTensors, std::move(list));
}

constexpr std::string_view kAutomatic = "auto";

Answered set_ahead(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const TensorId tensor, named_tensor(viewer, arguments.text(0)));
  int ahead = 0;
  if (const std::string& text = arguments.text(1); text != kAutomatic) {
    const auto number = parse_number(text, 1);
    if (!number) return bad_argument(text, "an integer of at least 1, or auto");
    ahead = *number;
  }
  Policy policy = viewer.graph().wish().policy;
  set_own_ahead(viewer, tensor, ahead, policy);
  return change(viewer, std::move(policy));
}

template <Override kUser>
Answered decide(Viewer& viewer, const Arguments& arguments) {
  const OpenedGraph& graph = *viewer.graph().snapshot()->graph;
  TIDELINE_TRY(const TensorId tensor, named_tensor(viewer, arguments.text(0)));
  Policy policy = viewer.graph().wish().policy;
  const std::string own_name = graph.graph().tensor_name(tensor);
  if (kUser != Override::kSwap) set_own_ahead(viewer, tensor, 0, policy);
  for (const Override kind : {Override::kKeep, Override::kSwap}) {
    const char* parameter = kind == Override::kKeep ? "keep-tensors" : "swap-tensors";
    std::vector<std::string> list = names_of(policy, parameter);
    std::erase_if(list, [&](const std::string& name) {
      return find_tensor(graph.graph(), graph.tensors, name) == tensor;
    });
    if (kind == kUser) list.push_back(own_name);
    set_value(policy, parameter, std::move(list));
  }
  return change(viewer, std::move(policy));
}

bool has_idle_swaps(const Viewer& viewer) {
  return has_graph(viewer) && viewer.graph().has_plan() &&
         idle_swaps(viewer.graph().snapshot()->effects()).count > 0;
}

Answered keep_idle(Viewer& viewer, const Arguments&) {
  const Snapshot& snapshot = *viewer.graph().snapshot();
  Policy policy = viewer.graph().wish().policy;
  // With other parameters they may well be needed, so those that were searched for are not again.
  adopt_found(snapshot, policy);
  std::vector<std::string> keep = names_of(policy, "keep-tensors");
  for (std::size_t i = 0; i < snapshot.effects().size(); ++i) {
    if (!snapshot.effects()[i].is_idle) continue;
    keep.push_back(snapshot.graph->graph().tensor_name(snapshot.plan().swaps()[i].tensor));
  }
  set_value(policy, "keep-tensors", std::move(keep));
  return change(viewer, std::move(policy));
}

constexpr std::array kPolicyTable = {
    for_pages(action("policy.mode", "Choose the policy", "", "", {text("NAME|off")},
                     "Choose the rewriter; tideline rewriters lists them.", set_mode<false>,
                     has_graph)),
    for_pages(action("policy.choose", "Choose the policy, with settings that help", "", "",
                     {text("NAME|off")},
                     "As policy.mode. Starting values that do not lower the peak, or make the step "
                     "more than twice as long, give way to others that do.",
                     set_mode<true>, has_graph, nullptr, Effect::kSlow)),
    for_pages(
        action("policy.set", "Set a parameter", "", "", {text("NAME"), text("VALUE")},
               "Set a parameter by the name of the command line's option; device-memory may be "
               "a share of the peak without a plan: 60%.",
               set, has_graph)),
    for_pages(action("policy.auto", "Automatic parameters", "", "", {on_off()},
                     "Search parameters for the device memory after every change.", set_automatic,
                     has_graph, nullptr, Effect::kReads)),
    for_pages(action("policy.tune", "Tune once", "Rewrite", "Ctrl+T", {},
                     "Find parameters for the device memory, once.", tune, has_graph, nullptr,
                     Effect::kSlow)),
    for_pages(action("policy.take-tried", "Take settings that the search tried", "", "",
                     {whole("N", 1, "the number of a try, from 1")},
                     "Set the parameters to those of the Nth try of the search.", take_tried,
                     has_tried, nullptr, Effect::kReads)),
    for_pages(
        action("policy.revert", "Go back to the last valid policy", "Edit", "", {},
               "Return to the policy of the plan that is shown, if the current one has no plan.",
               of_graph<&GraphDocument::revert_to_snapshot>, has_no_plan, nullptr, Effect::kReads)),
    for_pages(action("policy.reset", "Reset the policy", "Rewrite", "", {},
                     "Reset all parameters and filters, but not the budget.", reset, has_graph)),
    for_pages(action("scope.set", "Set the rule of a scope", "", "",
                     {text("PATH"), word("auto|never|only")},
                     "Never swap outputs of ops in the scope, or only those of such scopes.",
                     set_scope, has_graph)),
    for_pages(action("scope.clear", "Clear the rules of scopes", "Rewrite", "", {},
                     "Leave all scopes to the parameters and other filters.", clear_scopes,
                     has_scope_rules)),
    for_pages(action("tensor.keep", "Keep a tensor", "", "", {text("NAME")},
                     "Never swap the tensor.", decide<Override::kKeep>, has_graph)),
    for_pages(action("tensor.swap", "Swap a tensor", "", "", {text("NAME")},
                     "Swap the tensor regardless of filters and parameters.",
                     decide<Override::kSwap>, has_graph)),
    for_pages(action("tensor.ahead", "Copy a tensor back by a distance of its own", "", "",
                     {text("NAME"), text("N|auto")},
                     "Copy the tensor back N levels before its first reader, as the end of its bar "
                     "does when it is dragged; auto: as the parameters say.",
                     set_ahead, has_graph)),
    for_pages(action(
        "tensor.keep-idle", "Keep tensors whose swap does not lower the peak", "Rewrite", "", {},
        "Keep all tensors on the device whose swap costs copies and does not lower the peak.",
        keep_idle, has_idle_swaps, nullptr, Effect::kReads)),
    for_pages(action("tensor.auto", "Leave a tensor to the rules", "", "", {text("NAME")},
                     "Remove all overrides of the tensor.", decide<Override::kNone>, has_graph)),
};

}  // namespace

constinit const std::span<const Action> kPolicyActions = kPolicyTable;

}  // namespace tideline::app
