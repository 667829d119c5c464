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
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/graph/device_name.h"
#include "core/graph/verify.h"
#include "core/rewrite/inline/call_rules.h"

namespace tideline {
namespace {

constexpr std::string_view kColocation = "loc:@";
constexpr std::size_t kMostNameBytes = std::size_t{1} << 30U;  // of all added ops

// A body in the place of a call, or the graph itself.
struct Instance {
  const Graph* graph = nullptr;
  const Function* function = nullptr;  // null: the graph itself
  Instance* caller = nullptr;
  OpId call;           // of the caller
  std::string prefix;  // of names: "call/"
  std::string device;  // of the call
  OpId begin;          // the NoOp for which the body waits; invalid when the call waits for nothing
  std::string begin_name;
  std::vector<OpId> ids;                               // by op, in the plan; of a call its NoOp
  std::unordered_map<std::uint32_t, Instance*> calls;  // inlined ones, by op
  mutable std::vector<TensorId> known;                 // by result: what it was found to be
  int depth = 0;
};

// What is added, in the order of ids.
struct Addition {
  enum class Kind { kBegin, kOp, kDone };
  Kind kind = Kind::kOp;
  Instance* instance = nullptr;
  OpId op;  // of kOp
};

// `own`, with job, replica and task of `base` where it says none; `base` if there is none.
std::string placed(std::string_view base, std::string_view own) {
  if (own.empty()) return std::string(base);
  std::optional<DeviceName> place = parse_device(base);
  if (!place) return std::string(own);
  place->type.clear();
  place->index.clear();
  return merged_device(device_text(*place), own);
}

class Inliner {
 public:
  Inliner(const Graph& graph, const FunctionLibrary& library)
      : graph_(graph), library_(library), rules_(library) {}

  Result<Inlining> run();

 private:
  Status find_calls(Instance& instance);
  Result<Instance*> inlined(Instance& caller, OpId call);
  [[nodiscard]] std::string why_kept(const Instance& caller, OpId call, const Function* function);
  [[nodiscard]] std::string name_taken(const std::string& prefix, const Graph& body) const;
  Status check_call(const Instance& caller, OpId call, const std::string& name,
                    const Function& function);
  Status reserve(Instance& instance);
  OpId next(Addition addition);

  [[nodiscard]] OpId id(const Instance& instance, OpId op) const {
    return instance.function == nullptr ? op : instance.ids[op.index()];
  }
  [[nodiscard]] std::string name(const Instance& instance, OpId op) const {
    return instance.prefix + std::string(instance.graph->name(op));
  }
  [[nodiscard]] static bool is_argument(const Instance& instance, OpId op) {
    return instance.function != nullptr && op.index() < instance.function->arguments.size();
  }
  Result<TensorId> resolved(const Instance* instance, TensorId tensor) const;
  Result<OpId> awaited(const Instance& instance, OpId op) const;

  Status add(const Addition& addition);
  Status add_op(const Instance& instance, OpId op);
  Result<std::vector<OpId>> call_controls(const Instance& caller, OpId call) const;
  Result<std::vector<OpId>> done_controls(const Instance& instance) const;
  Attributes attributes(const Instance& instance, OpId op) const;
  std::string colocated(const Instance& instance, const std::string& group) const;
  Status change_graph();

  const Graph& graph_;
  const FunctionLibrary& library_;
  CallRules rules_;
  Inlining result_;
  Instance top_;
  std::deque<Instance> instances_;
  std::vector<Addition> additions_;
  std::unordered_set<std::string> taken_;
  std::size_t name_bytes_ = 0;
};

void add_once(std::vector<OpId>& list, OpId op) {
  if (std::find(list.begin(), list.end(), op) == list.end()) list.push_back(op);
}

std::vector<OpId> without_repetitions(const std::vector<OpId>& list) {
  std::vector<OpId> once;
  std::unordered_set<std::uint32_t> seen;
  for (const OpId op : list) {
    if (seen.insert(op.value).second) once.push_back(op);
  }
  return once;
}

OpId Inliner::next(Addition addition) {
  additions_.push_back(addition);
  return OpId{graph_.op_count() + static_cast<std::uint32_t>(additions_.size()) - 1};
}

// Finds the calls of a body, in file order, and gives ids to the ops that are added for them.
Status Inliner::find_calls(Instance& instance) {
  const Graph& graph = *instance.graph;
  for (const OpId op : graph.ops()) {
    const bool is_border =
        instance.function != nullptr && (graph.type(op) == "_Arg" || graph.type(op) == "_Retval");
    if (is_border) continue;
    TIDELINE_TRY(Instance * body, inlined(instance, op));
    if (body != nullptr) {
      TIDELINE_RETURN_IF_ERROR(find_calls(*body));
      instance.calls.emplace(op.value, body);
    }
    if (instance.function == nullptr) continue;
    const auto kind = body != nullptr ? Addition::Kind::kDone : Addition::Kind::kOp;
    instance.ids[op.index()] = next({kind, body != nullptr ? body : &instance, op});
  }
  return {};
}

// The body in the place of `call`; null for another op, and for a call that stays.
Result<Instance*> Inliner::inlined(Instance& caller, OpId call) {
  const Graph& graph = *caller.graph;
  const auto callee = rules_.callee(graph, call);
  if (!callee) return nullptr;
  const Function* function = library_.find(*callee);
  if (std::string reason = why_kept(caller, call, function); !reason.empty()) {
    result_.kept.push_back({name(caller, call), *callee, std::move(reason)});
    return nullptr;
  }
  TIDELINE_RETURN_IF_ERROR(check_call(caller, call, *callee, *function));
  Instance& body = instances_.emplace_back();
  body.graph = &function->body;
  body.function = function;
  body.caller = &caller;
  body.call = call;
  body.prefix = name(caller, call) + "/";
  body.device = placed(caller.device, graph.device(call));
  body.depth = caller.depth + 1;
  body.ids.resize(body.graph->op_count());
  body.known.resize(function->results.size());
  TIDELINE_RETURN_IF_ERROR(reserve(body));
  if (!body.begin_name.empty()) body.begin = next({Addition::Kind::kBegin, &body, {}});
  const auto borders = function->arguments.size() + function->results.size();
  result_.inlined.push_back(
      {name(caller, call), *callee, static_cast<std::int64_t>(body.graph->op_count() - borders)});
  return &body;
}

std::string Inliner::why_kept(const Instance& caller, OpId call, const Function* function) {
  if (function == nullptr) {
    return "the file lacks its function, or has one that cannot be read as a graph";
  }
  if (std::string reason = rules_.why_kept(*caller.graph, call, *function); !reason.empty()) {
    return reason;
  }
  for (const Instance* at = &caller; at != nullptr; at = at->caller) {
    if (at->function == function) return "its function calls itself";
  }
  if (caller.depth >= kDeepestCall) {
    return fmt::format("calls are nested deeper than {}", kDeepestCall);
  }
  return name_taken(name(caller, call) + "/", function->body);
}

std::string Inliner::name_taken(const std::string& prefix, const Graph& body) const {
  for (const OpId op : body.ops()) {
    if (body.type(op) == "_Arg" || body.type(op) == "_Retval") continue;
    const std::string name = prefix + std::string(body.name(op));
    if (graph_.find(name).valid() || taken_.contains(name)) {
      return fmt::format("an op of its function would be called '{}', as another op is",
                         printable(name));
    }
  }
  return "";
}

Status Inliner::check_call(const Instance& caller, OpId call, const std::string& callee,
                           const Function& function) {
  const std::size_t inputs = caller.graph->inputs(call).size();
  if (inputs != function.arguments.size()) {
    return fail(Code::kInvalidArgument, "op '{}' calls function '{}' with {}; expected {}",
                printable(name(caller, call)), printable(callee), counted(inputs, "input"),
                function.arguments.size());
  }
  if (const OpId op = rules_.undeclared(function); op.valid()) {
    return fail(Code::kInvalidArgument,
                "op '{}' calls function '{}', whose op '{}' is of type {}, which is declared "
                "nowhere; expected a type of TensorFlow or one that the file declares",
                printable(name(caller, call)), printable(callee), printable(function.body.name(op)),
                printable(function.body.type(op)));
  }
  return {};
}

// The names of its ops, and of what they wait for.
Status Inliner::reserve(Instance& body) {
  const Graph& graph = *body.graph;
  const std::size_t ops = additions_.size() + graph.op_count();
  for (const OpId op : graph.ops()) {
    if (graph.type(op) == "_Arg" || graph.type(op) == "_Retval") continue;
    name_bytes_ += body.prefix.size() + graph.name(op).size();
    if (name_bytes_ > kMostNameBytes || ops > kMostInlinedOps) {
      return fail(Code::kOverBudget,
                  "op '{}': inlining its function gives more than {} ops, or names of more than "
                  "{} bytes; expected fewer",
                  printable(name(*body.caller, body.call)), kMostInlinedOps, kMostNameBytes);
    }
    taken_.insert(name(body, op));
  }
  const bool waits =
      body.caller->begin.valid() || !body.caller->graph->control_inputs(body.call).empty();
  if (!waits) return {};
  body.begin_name = body.prefix + "begin";
  for (int n = 1; graph_.find(body.begin_name).valid() || taken_.contains(body.begin_name); ++n) {
    body.begin_name = fmt::format("{}begin_{}", body.prefix, n);
  }
  taken_.insert(body.begin_name);
  return {};
}

// The tensor of the plan that `tensor`, of `instance`, is.
Result<TensorId> Inliner::resolved(const Instance* instance, TensorId tensor) const {
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
      const Instance* body = call->second;
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
Result<OpId> Inliner::awaited(const Instance& instance, OpId op) const {
  if (!is_argument(instance, op)) return id(instance, op);
  TIDELINE_TRY(const TensorId tensor, resolved(&instance, {op, 0}));
  return tensor.op;
}

Result<std::vector<OpId>> Inliner::call_controls(const Instance& caller, OpId call) const {
  std::vector<OpId> controls;
  for (const OpId op : caller.graph->control_inputs(call)) {
    TIDELINE_TRY(const OpId before, awaited(caller, op));
    controls.push_back(before);
  }
  if (caller.begin.valid()) controls.push_back(caller.begin);
  return without_repetitions(controls);
}

Result<std::vector<OpId>> Inliner::done_controls(const Instance& instance) const {
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

Status Inliner::add(const Addition& addition) {
  const Instance& instance = *addition.instance;
  if (addition.kind == Addition::Kind::kOp) return add_op(instance, addition.op);
  NewOp waiting{instance.begin_name, "NoOp", instance.device, {}, {}, {}};
  std::string name_of_call;
  if (addition.kind == Addition::Kind::kBegin) {
    TIDELINE_TRY(waiting.control_inputs, call_controls(*instance.caller, instance.call));
  } else {
    name_of_call = name(*instance.caller, instance.call);
    waiting.name = name_of_call;
    TIDELINE_TRY(waiting.control_inputs, done_controls(instance));
  }
  result_.plan.add_op(graph_, waiting);
  return {};
}

Status Inliner::add_op(const Instance& instance, OpId op) {
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
    add_once(added.control_inputs, waited);
  }
  if (instance.begin.valid() && (is_source || rules_.runs_functions(body, op))) {
    add_once(added.control_inputs, instance.begin);
  }
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
Attributes Inliner::attributes(const Instance& instance, OpId op) const {
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

std::string Inliner::colocated(const Instance& instance, const std::string& group) const {
  if (!group.starts_with(kColocation)) return group;
  const OpId op = instance.graph->find(std::string_view(group).substr(kColocation.size()));
  if (!op.valid()) return group;
  const auto at = awaited(instance, op);
  if (!at || !at->valid()) return group;
  if (at->index() < graph_.op_count()) return fmt::format("{}{}", kColocation, graph_.name(*at));
  const Addition& added = additions_[at->index() - graph_.op_count()];
  const Instance& owner =
      added.kind == Addition::Kind::kOp ? *added.instance : *added.instance->caller;
  return fmt::format(
      "{}{}", kColocation,
      name(owner, added.kind == Addition::Kind::kOp ? added.op : added.instance->call));
}

// What was read from calls is read from their bodies; the calls become NoOps.
Status Inliner::change_graph() {
  for (const OpId op : graph_.ops()) {
    if (const auto call = top_.calls.find(op.value); call != top_.calls.end()) {
      TIDELINE_TRY(const std::vector<OpId> waits, done_controls(*call->second));
      for (const OpId before : waits) result_.plan.control.push_back({op, before});
      const auto listed = graph_.control_inputs(op);
      for (const OpId before : without_repetitions({listed.begin(), listed.end()})) {
        if (std::find(waits.begin(), waits.end(), before) != waits.end()) continue;
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
  for (const Addition& addition : additions_) TIDELINE_RETURN_IF_ERROR(add(addition));
  TIDELINE_RETURN_IF_ERROR(change_graph());
  return std::move(result_);
}

}  // namespace

Result<Inlining> inline_calls(const Graph& graph, const FunctionLibrary& library) {
  return Inliner(graph, library).run();
}

}  // namespace tideline
