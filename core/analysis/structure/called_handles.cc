// Problem: a step of TensorFlow 2 does not hold its variables. It gets handles and may pass them on
// to functions: with loss scaling the whole update is in a branch of an If, and an op there says
// only that it writes argument 17.
// Idea: argument by argument. What a function does with an argument is what its ops do with it, and
// what the functions do that get it from there; this is repeated until nothing is new, so that
// functions that call each other need no order. Whether a written value comes from a gradient
// depends on what a call gets, so that is walked for each call from the arguments that do.
//   If(finite, w, g)  ->  then(w, g): AssignSub(w, Mul(rate, g))      writes w from g
// Limits: a handle that a function returns is not followed.
// Source: own. Tested by unit/analysis/structure/called_handles_test.cc.
#include "core/analysis/structure/called_handles.h"

#include <algorithm>
#include <set>

#include "core/analysis/structure/stack_links.h"
#include "core/graph/called_functions.h"
#include "core/graph/walks.h"

namespace tideline {
namespace {

bool is_write(OpKind kind) {
  return kind == OpKind::kAssign || kind == OpKind::kUpdate;
}

bool gets_handles(const Function& function) {
  return std::any_of(function.arguments.begin(), function.arguments.end(), [&](OpId argument) {
    const auto type = function.body.attribute(argument, "T");
    return type && *type && base_type((*type)->type) == DataType::kResource;
  });
}

// What `op` itself does with its input `slot`; a shape is no value. What uses no variable, such as
// a reader of an iterator, does nothing.
HandleUse direct_use(const Graph& graph, const OpFactsTable& table, OpId op, std::uint32_t slot) {
  const OpFacts& facts = table.of(graph, op);
  HandleUse use;
  if (!facts.variable) return use;
  if (std::find(facts.resource_inputs.begin(), facts.resource_inputs.end(), slot) ==
      facts.resource_inputs.end()) {
    return use;
  }
  use.is_written = is_write(facts.kind);
  use.is_read = !use.is_written && facts.kind != OpKind::kCheck && facts.kind != OpKind::kShape;
  return use;
}

}  // namespace

std::vector<CalledBody> called_bodies(const Graph& graph, OpId call,
                                      const FunctionLibrary& functions) {
  constexpr std::uint32_t kAfterChoice = 1;  // the predicate, the branch's number, the target
  constexpr std::uint32_t kAfterRange = 2;   // start, limit and delta, whose place the index takes
  const std::string_view type = graph.type(call);
  const auto is_any = [&](std::initializer_list<std::string_view> types) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  std::uint32_t first = 0;
  if (is_any({"If", "StatelessIf", "_If", "Case", "StatelessCase", "RemoteCall"})) {
    first = kAfterChoice;
  } else if (type == "For") {
    first = kAfterRange;
  } else if (!is_any({"PartitionedCall", "StatefulPartitionedCall", "While", "StatelessWhile",
                      "_While", "TPUPartitionedCall"}) &&
             functions.find(type) == nullptr) {
    return {};
  }
  std::vector<CalledBody> bodies;
  for (CalledFunction& called : called_functions(graph, call, functions)) {
    const Function* function = functions.find(called.name);
    bodies.push_back({std::move(called.name), function, first});
  }
  return bodies;
}

CalledHandles::CalledHandles(const FunctionLibrary* functions) : functions_(functions) {
  if (functions_ != nullptr) add_bodies();
}

void CalledHandles::add_bodies() {
  for (const auto& [name, function] : functions_->functions) {
    if (!gets_handles(function)) continue;
    auto body = std::make_unique<Body>(function.body, *functions_);
    body->uses.resize(function.arguments.size());
    bodies_.emplace(name, std::move(body));
  }
  // Each round settles the callers of what the round before has settled.
  constexpr int kMostPasses = 32;
  bool is_new = true;
  for (int round = 0; is_new && round < kMostPasses; ++round) {
    is_new = false;
    for (auto& [name, body] : bodies_) is_new = add_uses(*functions_->find(name), *body) || is_new;
  }
}

bool CalledHandles::add_uses(const Function& function, Body& body) const {
  const Graph& graph = function.body;
  bool is_new = false;
  for (const OpId op : graph.ops()) {
    const bool is_call = body.facts.of(graph, op).kind == OpKind::kCall;
    if (!is_call && body.facts.of(graph, op).resource_inputs.empty()) continue;
    const std::vector<HandleUse> called = is_call ? uses(graph, op) : std::vector<HandleUse>();
    for (std::uint32_t slot = 0; slot < graph.inputs(op).size(); ++slot) {
      const OpId argument = argument_behind(function, graph.inputs(op)[slot].op);
      if (!argument.valid()) continue;
      const HandleUse now = is_call ? called[slot] : direct_use(graph, body.facts, op, slot);
      is_new = body.uses[argument.index()].add(now) || is_new;
    }
  }
  return is_new;
}

const CalledHandles::Body* CalledHandles::body_of(std::string_view name) const {
  const auto found = bodies_.find(name);
  return found == bodies_.end() ? nullptr : found->second.get();
}

// Arguments are the first ops of a body, in their order.
OpId CalledHandles::argument_behind(const Function& function, OpId op) const {
  const OpId source = source_of_value(function.body, {op, 0}, 64, [&](OpId at) {
                        return function.body.type(at) == "Identity";
                      }).op;
  return source.index() < function.arguments.size() ? source : OpId();
}

std::vector<HandleUse> CalledHandles::uses(const Graph& graph, OpId call) const {
  std::vector<HandleUse> all(graph.inputs(call).size());
  if (bodies_.empty()) return all;
  for (const CalledBody& called : called_bodies(graph, call, *functions_)) {
    const Body* body = body_of(called.name);
    if (body == nullptr) continue;
    for (std::size_t argument = 0; argument < body->uses.size(); ++argument) {
      if (called.first_input + argument >= all.size()) break;
      all[called.first_input + argument].add(body->uses[argument]);
    }
  }
  return all;
}

// Follows values through the bodies of one call.
class CalledHandles::Walk {
 public:
  explicit Walk(const CalledHandles& known) : known_(known) {}

  std::set<std::uint32_t> written(const Graph& graph, OpId call, const std::vector<bool>& from,
                                  int depth) {
    std::set<std::uint32_t> found;
    if (depth > kMostDepth) return found;
    for (const CalledBody& called : called_bodies(graph, call, *known_.functions_)) {
      const Body* body = known_.body_of(called.name);
      if (body == nullptr) continue;
      std::vector<bool> arguments(called.function->arguments.size());
      for (std::uint32_t i = 0; i < arguments.size(); ++i) {
        const std::uint32_t slot = called.first_input + i;
        arguments[i] = slot < from.size() && from[slot];
      }
      for (const std::uint32_t argument : in_body(*called.function, *body, arguments, depth)) {
        found.insert(called.first_input + argument);
      }
    }
    return found;
  }

 private:
  static constexpr int kMostDepth = 24;
  static constexpr std::int64_t kMostOps = 4'000'000;

  std::set<std::uint32_t> in_body(const Function& function, const Body& body,
                                  const std::vector<bool>& arguments, int depth) {
    std::set<std::uint32_t> found;
    const Graph& graph = function.body;
    budget_ -= graph.op_count();
    if (budget_ < 0) return found;
    OpWalk walk(graph);
    for (std::uint32_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i]) walk.add(function.arguments[i]);
    }
    const auto note = [&](OpId op) {
      for (const OpId variable : written_by(function, body, op, walk, depth)) {
        found.insert(variable.value);
        // What is read from it afterwards depends on the value, too: slots go into the step.
        for (const OpId waiter : body.consumers.control(op)) {
          for (const TensorId input : graph.inputs(waiter)) {
            if (known_.argument_behind(function, input.op) == variable) walk.add(waiter);
          }
        }
      }
    };
    // Calls come last, when all of their inputs are met that will be; they may lead on.
    for (std::size_t before = found.size() + 1; before != found.size() && budget_ >= 0;) {
      before = found.size();
      while (const auto op = walk.next()) {
        walk.add_readers(body.consumers, *op, Edges::kData);
        if (body.facts.of(graph, *op).kind != OpKind::kCall) note(*op);
      }
      for (const OpId op : graph.ops()) {
        if (walk.has(op) && body.facts.of(graph, op).kind == OpKind::kCall) note(op);
      }
    }
    return found;
  }

  // The arguments whose variables `op` writes from what was met.
  std::vector<OpId> written_by(const Function& function, const Body& body, OpId op,
                               const OpWalk& met, int depth) {
    const Graph& graph = function.body;
    const OpFacts& facts = body.facts.of(graph, op);
    std::vector<std::uint32_t> slots;
    if (is_write(facts.kind) && facts.variable) {
      slots.push_back(*facts.variable);
    } else if (facts.kind == OpKind::kCall) {
      std::vector<bool> from;
      for (const TensorId input : graph.inputs(op)) from.push_back(met.has(input.op));
      const std::set<std::uint32_t> inside = written(graph, op, from, depth + 1);
      slots.assign(inside.begin(), inside.end());
    }
    std::vector<OpId> variables;
    for (const std::uint32_t slot : slots) {
      if (slot >= graph.inputs(op).size()) continue;
      const OpId argument = known_.argument_behind(function, graph.inputs(op)[slot].op);
      if (argument.valid()) variables.push_back(argument);
    }
    return variables;
  }

  const CalledHandles& known_;
  std::int64_t budget_ = kMostOps;
};

std::vector<std::uint32_t> CalledHandles::written_from(const Graph& graph, OpId call,
                                                       const std::vector<bool>& from) const {
  if (functions_ == nullptr || bodies_.empty()) return {};
  const auto found = Walk(*this).written(graph, call, from, 0);
  return {found.begin(), found.end()};
}

}  // namespace tideline
