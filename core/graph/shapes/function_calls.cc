// Problem: the results of a call depend on the shapes of its arguments, and functions call
// functions.
// Idea: infer the body as a graph of its own, whose `_Arg` ops have the facts of the call's inputs,
// and keep the result for the next call of the same function with the same facts. Containers do not
// leave their graph: a handle that is passed in or out carries the content known at that time. The
// depth limits recursion, and the budget limits call trees that double at each level; past either
// limit results are unknown.
// Tested by unit/graph/shapes/function_calls_test.cc.
#include "core/graph/shapes/function_calls.h"

#include <algorithm>

#include "core/base/bytes.h"
#include "core/graph/shapes/propagation.h"

namespace tideline {
namespace {

constexpr int kMostDepth = 24;

// Outputs of a body, as many as are read. Slots beyond a limit, in a hostile file, get none; facts
// about them are unknown.
std::vector<std::uint32_t> first_outputs(const Graph& graph) {
  constexpr std::uint32_t kMostSlots = 1U << 16U;
  const std::size_t most_outputs = 4 * (graph.op_count() + graph.input_slot_count()) + kMostSlots;
  std::vector<std::uint32_t> count(graph.op_count());
  for (const OpId op : graph.ops()) {
    for (const TensorId input : graph.inputs(op)) {
      if (input.slot >= kMostSlots) continue;
      count[input.op.index()] = std::max(count[input.op.index()], input.slot + 1);
    }
  }
  std::vector<std::uint32_t> first = {0};
  for (const std::uint32_t outputs : count) {
    const bool fits = first.back() + std::size_t{outputs} <= most_outputs;
    first.push_back(first.back() + (fits ? outputs : 0));
  }
  return first;
}

std::string key_of(std::string_view name, const std::vector<TensorFact>& arguments) {
  std::string key(name);
  key += '\0';
  for (const TensorFact& fact : arguments) {
    append_little_endian(key, std::uint64_t{fact.shape} << 32U | fact.value);
    append_little_endian(
        key, fact.handle.has_content() ? std::uint64_t{fact.handle.value()} + 1 : std::uint64_t{0});
    append_little_endian(key, std::uint64_t{fact.handle.length()});
    append_little_endian(key, static_cast<std::uint64_t>(fact.handle.type()));
  }
  return key;
}

}  // namespace

void CalledLoops::note(LoopCount loop) {
  const auto known = std::find_if(found.begin(), found.end(),
                                  [&](const LoopCount& entry) { return entry.name == loop.name; });
  if (known == found.end()) {
    found.push_back(std::move(loop));
  } else if (loop.source != RoundsSource::kUnknown) {
    *known = std::move(loop);
  }
}

std::optional<std::vector<TensorFact>> FunctionCalls::call(std::string_view name,
                                                           std::span<const TensorFact> arguments) {
  const Function* function = find(name);
  if (function == nullptr || depth_ >= kMostDepth) return std::nullopt;
  std::vector<TensorFact> passed(arguments.begin(), arguments.end());
  for (TensorFact& fact : passed) {
    if (fact.handle.is_cell()) fact.handle = {};
  }
  const std::string key = key_of(name, passed);
  if (const auto known = answers_.find(key); known != answers_.end()) return known->second;
  budget_ -= std::int64_t{function->body.op_count()} + 1;
  if (budget_ < 0) return std::nullopt;
  // Recursive calls get this: unknown.
  answers_.emplace(key, std::nullopt);
  ++depth_;
  auto results = run(*function, passed);
  --depth_;
  answers_[key] = results;
  return results;
}

std::vector<TensorFact> FunctionCalls::run(const Function& function,
                                           const std::vector<TensorFact>& arguments) {
  const std::vector<std::uint32_t> first = first_outputs(function.body);
  const InferenceInput input{function.body, first};
  Propagation propagation(input, lists_, *this);
  for (std::size_t i = 0; i < function.arguments.size() && i < arguments.size(); ++i) {
    propagation.set_argument(function.arguments[i], arguments[i]);
  }
  propagation.run();
  std::vector<TensorFact> results;
  for (const OpId result : function.results) {
    const auto inputs = function.body.inputs(result);
    TensorFact fact = inputs.empty() ? TensorFact{} : propagation.fact(inputs[0]);
    if (fact.shape == kPending) fact = {};
    if (fact.handle.is_cell()) fact.handle = {};
    results.push_back(fact);
  }
  return results;
}

}  // namespace tideline
