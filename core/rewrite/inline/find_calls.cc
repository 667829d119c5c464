// The first pass of inline_calls: which calls are inlined, and the ids of the ops that are added.
#include <fmt/format.h>

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/graph/device_name.h"
#include "core/rewrite/inline/inline_calls.h"
#include "core/rewrite/inline/inliner.h"

namespace tideline {
namespace {

constexpr std::size_t kMostNameBytes = std::size_t{1} << 30U;  // of all added ops

}  // namespace

std::string placed(std::string_view base, std::string_view own) {
  if (own.empty()) return std::string(base);
  std::optional<DeviceName> place = parse_device(base);
  if (!place) return std::string(own);
  place->type.clear();
  place->index.clear();
  return merged_device(device_text(*place), own);
}

OpId Inliner::next(InlinedOp addition) {
  additions_.push_back(addition);
  return OpId{graph_.op_count() + static_cast<std::uint32_t>(additions_.size()) - 1};
}

// Finds the calls of a body, in file order, and gives ids to the ops that are added for them.
Status Inliner::find_calls(InlinedBody& instance) {
  const Graph& graph = *instance.graph;
  for (const OpId op : graph.ops()) {
    const bool is_border =
        instance.function != nullptr && (graph.type(op) == "_Arg" || graph.type(op) == "_Retval");
    if (is_border) continue;
    TIDELINE_TRY(InlinedBody * body, inlined(instance, op));
    if (body != nullptr) {
      TIDELINE_RETURN_IF_ERROR(find_calls(*body));
      instance.calls.emplace(op.value, body);
    }
    if (instance.function == nullptr) continue;
    const auto kind = body != nullptr ? InlinedOp::Kind::kDone : InlinedOp::Kind::kOp;
    instance.ids[op.index()] = next({kind, body != nullptr ? body : &instance, op});
  }
  return {};
}

// The body in the place of `call`; null for another op, and for a call that stays.
Result<InlinedBody*> Inliner::inlined(InlinedBody& caller, OpId call) {
  const Graph& graph = *caller.graph;
  const auto callee = rules_.callee(graph, call);
  if (!callee) return nullptr;
  const Function* function = library_.find(*callee);
  if (std::string reason = why_kept(caller, call, function); !reason.empty()) {
    result_.kept.push_back({name(caller, call), *callee, std::move(reason)});
    return nullptr;
  }
  TIDELINE_RETURN_IF_ERROR(check_call(caller, call, *callee, *function));
  InlinedBody& body = instances_.emplace_back();
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
  if (!body.begin_name.empty()) body.begin = next({InlinedOp::Kind::kBegin, &body, {}});
  const auto borders = function->arguments.size() + function->results.size();
  result_.inlined.push_back(
      {name(caller, call), *callee, static_cast<std::int64_t>(body.graph->op_count() - borders)});
  return &body;
}

std::string Inliner::why_kept(const InlinedBody& caller, OpId call, const Function* function) {
  if (function == nullptr) {
    return "the file lacks its function, or has one that cannot be read as a graph";
  }
  if (std::string reason = rules_.why_kept(*caller.graph, call, *function); !reason.empty()) {
    return reason;
  }
  for (const InlinedBody* at = &caller; at != nullptr; at = at->caller) {
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
      return "an op of its function would have the name of another op";
    }
  }
  return "";
}

Status Inliner::check_call(const InlinedBody& caller, OpId call, const std::string& callee,
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
Status Inliner::reserve(InlinedBody& body) {
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

}  // namespace tideline
