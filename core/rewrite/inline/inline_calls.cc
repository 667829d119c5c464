// Problem: a traced step of TensorFlow 2 hides most of its ops in functions, and a rewriter of the
// graph cannot reach into them.
// Idea: put a copy of the body in the place of the call, as TensorFlow itself does before it runs
// the graph, but keep the name of the call, so that whoever waits for it or runs it by name goes
// on doing so. Two passes: the first finds all calls, also those in bodies, and gives every op that
// is added its id; the second adds them, because an op may read one that is added after it. What a
// call reads and gives is followed through any number of calls (`resolved`).
// Example: y = f(x), f(a) = Relu(a), read by z, is y/relu = Relu(x), y = NoOp(^y/relu), and z reads
// y/relu. If the call waits for w, y/begin = NoOp(^w), and the ops of the body that wait for
// nothing else wait for it: what must not run before w, or in the other branch, does not run.
// The NoOp waits for the results and for what the function says to wait for. TensorFlow waits for
// the one or the other, by the kind of call; both is never too little.
// Cost: O(ops and inputs), and one look-up of a name for every op. Limits: a call stays whose ops
// would have a name that is taken. Recorded shapes of a body are those of any caller. Debug
// information of an op is lost.
// Source: TensorFlow 2.15.1, InlineFunctionBody.
// Tested by unit/rewrite/inline/inline_calls_test.cc and property/inline_property.cc.
#include "core/rewrite/inline/inline_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/base/text.h"
#include "core/graph/verify.h"
#include "core/rewrite/inline/inliner.h"

namespace tideline {
namespace {

constexpr std::string_view kColocation = "loc:@";

std::vector<OpId> without_repetitions(const std::vector<OpId>& list) {
  std::vector<OpId> once;
  std::unordered_set<std::uint32_t> seen;
  for (const OpId op : list) {
    if (seen.insert(op.value).second) once.push_back(op);
  }
  return once;
}

}  // namespace

// The tensor of the plan that `tensor`, of `instance`, is.
Result<TensorId> Inliner::resolved(const InlinedBody* instance, TensorId tensor) const {
  std::vector<TensorId*> on_the_way;
  while (true) {
    if (is_argument(*instance, tensor.op)) {
      tensor = instance->caller->graph->inputs(instance->call)[tensor.op.index()];
      instance = instance->caller;
      continue;
    }
    const auto call = instance->calls.find(tensor.op.value);
    TensorId found{id(*instance, tensor.op), tensor.slot};
    if (call != instance->calls.end()) {
      const InlinedBody* body = call->second;
      const std::vector<OpId>& results = body->function->results;
      if (tensor.slot >= results.size()) {
        return fail(Code::kInvalidArgument, "result {} of op '{}' is read; its function gives {}",
                    tensor.slot, printable(name(*instance, tensor.op)), results.size());
      }
      found = body->known[tensor.slot];
      if (!found.op.valid()) {
        on_the_way.push_back(&body->known[tensor.slot]);
        tensor = body->graph->inputs(results[tensor.slot]).front();
        instance = body;
        continue;
      }
    }
    for (TensorId* known : on_the_way) *known = found;
    return found;
  }
}

// What an op that waits for `op`, of `instance`, waits for: for an argument, that of its tensor.
Result<OpId> Inliner::awaited(const InlinedBody& instance, OpId op) const {
  if (!is_argument(instance, op)) return id(instance, op);
  TIDELINE_TRY(const TensorId tensor, resolved(&instance, {op, 0}));
  return tensor.op;
}

Result<std::vector<OpId>> Inliner::call_controls(const InlinedBody& caller, OpId call) const {
  std::vector<OpId> controls;
  for (const OpId op : caller.graph->control_inputs(call)) {
    TIDELINE_TRY(const OpId before, awaited(caller, op));
    controls.push_back(before);
  }
  if (caller.begin.valid()) controls.push_back(caller.begin);
  return without_repetitions(controls);
}

Result<std::vector<OpId>> Inliner::done_controls(const InlinedBody& instance) const {
  std::vector<OpId> controls;
  for (const OpId op : instance.function->control_results) {
    TIDELINE_TRY(const OpId before, awaited(instance, op));
    controls.push_back(before);
  }
  for (const OpId result : instance.function->results) {
    TIDELINE_TRY(const OpId before, awaited(instance, instance.graph->inputs(result).front().op));
    controls.push_back(before);
  }
  if (instance.begin.valid()) controls.push_back(instance.begin);
  return without_repetitions(controls);
}

Status Inliner::add(const InlinedOp& addition) {
  const InlinedBody& instance = *addition.instance;
  if (addition.kind == InlinedOp::Kind::kOp) return add_op(instance, addition.op);
  NewOp waiting{instance.begin_name, "NoOp", instance.device, {}, {}, {}};
  std::string name_of_call;
  if (addition.kind == InlinedOp::Kind::kBegin) {
    TIDELINE_TRY(waiting.control_inputs, call_controls(*instance.caller, instance.call));
  } else {
    name_of_call = name(*instance.caller, instance.call);
    waiting.name = name_of_call;
    TIDELINE_TRY(waiting.control_inputs, done_controls(instance));
  }
  result_.plan.add_op(graph_, waiting);
  return {};
}

Status Inliner::add_op(const InlinedBody& instance, OpId op) {
  const Graph& body = *instance.graph;
  bool is_source = true;  // reads nothing of the body
  NewOp added;
  for (const TensorId input : body.inputs(op)) {
    is_source = is_source && is_argument(instance, input.op);
    TIDELINE_TRY(const TensorId read, resolved(&instance, input));
    added.inputs.push_back(read);
  }
  for (const OpId before : body.control_inputs(op)) {
    is_source = is_source && is_argument(instance, before);
    TIDELINE_TRY(const OpId waited, awaited(instance, before));
    added.control_inputs.push_back(waited);
  }
  if (instance.begin.valid() && (is_source || rules_.runs_functions(body, op))) {
    added.control_inputs.push_back(instance.begin);
  }
  added.control_inputs = without_repetitions(added.control_inputs);
  const std::string name_of_op = name(instance, op);
  const std::string device = placed(instance.device, body.device(op));
  added.name = name_of_op;
  added.type = body.type(op);
  added.device = device;
  added.attributes = attributes(instance, op);
  result_.plan.add_op(graph_, added);
  return {};
}

// Names of ops in attributes follow the ops.
Attributes Inliner::attributes(const InlinedBody& instance, OpId op) const {
  const Graph& body = *instance.graph;
  std::map<std::string_view, AttrValue> by_key;  // of two with one key the last counts
  body.codec().for_each_attribute(
      body.encoded(op), [&](std::string_view key, std::string_view encoded) {
        AttrValue value;
        value.encoded = encoded;
        if (key == "_class" || key == "frame_name") {
          value = body.codec().decode(encoded).value_or(value);
          for (std::string& group : value.strings) group = colocated(instance, group);
          if (value.kind == AttrValue::Kind::kString && key == "frame_name") {
            value.string = instance.prefix + value.string;
          }
        }
        by_key[key] = std::move(value);
      });
  return {by_key.begin(), by_key.end()};
}

std::string Inliner::colocated(const InlinedBody& instance, const std::string& group) const {
  if (!group.starts_with(kColocation)) return group;
  const OpId op = instance.graph->find(std::string_view(group).substr(kColocation.size()));
  if (!op.valid()) return group;
  const auto at = awaited(instance, op);
  if (!at || !at->valid()) return group;
  if (at->index() < graph_.op_count()) return fmt::format("{}{}", kColocation, graph_.name(*at));
  const InlinedOp& added = additions_[at->index() - graph_.op_count()];
  const InlinedBody& owner =
      added.kind == InlinedOp::Kind::kOp ? *added.instance : *added.instance->caller;
  return fmt::format(
      "{}{}", kColocation,
      name(owner, added.kind == InlinedOp::Kind::kOp ? added.op : added.instance->call));
}

// What was read from calls is read from their bodies; the calls become NoOps.
Status Inliner::change_graph() {
  for (const OpId op : graph_.ops()) {
    if (const auto call = top_.calls.find(op.value); call != top_.calls.end()) {
      TIDELINE_TRY(const std::vector<OpId> waits, done_controls(*call->second));
      std::unordered_set<std::uint32_t> waits_for;
      for (const OpId before : waits) {
        result_.plan.control.push_back({op, before});
        waits_for.insert(before.value);
      }
      const auto listed = graph_.control_inputs(op);
      for (const OpId before : without_repetitions({listed.begin(), listed.end()})) {
        if (waits_for.contains(before.value)) continue;
        result_.plan.removed_control.push_back({op, before});
      }
      result_.plan.emptied.push_back(op);
      continue;
    }
    const auto inputs = graph_.inputs(op);
    for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
      if (!top_.calls.contains(inputs[slot].op.value)) continue;
      TIDELINE_TRY(const TensorId read, resolved(&top_, inputs[slot]));
      result_.plan.rerouted.push_back({op, slot, inputs[slot], read});
    }
  }
  return {};
}

Result<Inlining> Inliner::run() {
  // What is followed from call to call would never end in a cycle.
  TIDELINE_RETURN_IF_ERROR(verify_acyclic(graph_));
  top_.graph = &graph_;
  TIDELINE_RETURN_IF_ERROR(find_calls(top_));
  for (const InlinedOp& addition : additions_) TIDELINE_RETURN_IF_ERROR(add(addition));
  TIDELINE_RETURN_IF_ERROR(change_graph());
  return std::move(result_);
}

Result<Inlining> inline_calls(const Graph& graph, const FunctionLibrary& library) {
  return Inliner(graph, library).run();
}

}  // namespace tideline
