// Problem, idea and limits are described in propagation.cc, which handles one graph. This file
// starts it for the file's own graph; calls of functions start it for their bodies
// (function_calls.cc).
#include "core/graph/shapes/inference.h"

#include <algorithm>

#include "core/graph/graph_plan.h"
#include "core/graph/op_types.h"
#include "core/graph/shapes/function_calls.h"
#include "core/graph/shapes/propagation.h"
#include "core/graph/walks.h"

namespace tideline {
namespace {

// Whether `op` is a copy of a swap, which has what it copies in a buffer of its own.
bool is_swap_copy(const Graph& graph, OpId op) {
  if (!passes_on(graph.type(op)) || graph.inputs(op).size() != 1) return false;
  if (graph.type(op) != "Identity") return true;
  const auto kept = graph.attribute(op, kKeptFromGrappler);
  return kept && *kept && (*kept)->boolean;
}

// What the rounds of loops depend on, and what they are multiplied with. Elsewhere each list would
// count the elements of the list that it was made from once more.
void add_loop_facts(const InferenceInput& input, const Propagation& propagation,
                    const DimLists& lists, InferredShapes& result) {
  std::vector<bool> calls;
  for (const std::string_view type : input.graph.types()) calls.push_back(is_loop_or_call(type));
  const bool has_frames = LoopTypes(input.graph).has_loops();
  const bool has_calls = std::find(calls.begin(), calls.end(), true) != calls.end();
  if (!has_frames && !has_calls) return;
  const auto number = [&](DimsId id) -> std::optional<std::int64_t> {
    const Dims* dims = lists.find(id);
    if (dims == nullptr || dims->size() != 1 || !dims->front().is_number()) return std::nullopt;
    return dims->front().value();
  };
  for (const OpId op : input.graph.ops()) {
    for (std::uint32_t at = input.first_output[op.index()]; at < input.first_output[op.index() + 1];
         ++at) {
      const TensorFact& fact = propagation.facts()[at];
      const auto value = has_frames ? number(fact.value) : std::nullopt;
      if (value && fact.shape == DimLists::scalar()) result.numbers.emplace_back(at, *value);
      if (!fact.handle.has_content() || fact.handle.type() == DataType::kInvalid) continue;
      if (!calls[input.graph.type_id(op)] && !is_swap_copy(input.graph, op)) continue;
      const DimsId element = fact.handle.value();
      const bool known = element != kPending && lists.find(element) != nullptr;
      result.lists.push_back({at, known ? element : kNothing,
                              number(fact.handle.length()).value_or(kUnknownLength),
                              fact.handle.type()});
    }
  }
}

}  // namespace

InferredShapes infer_shapes(const InferenceInput& input, DimLists& lists) {
  constexpr std::int64_t kOpsInBodiesForAll = 16;
  constexpr std::int64_t kSpareOps = 100000;
  std::int64_t ops = input.graph.op_count();
  if (input.functions != nullptr) {
    for (const auto& entry : input.functions->functions) ops += entry.second.body.op_count();
  }
  const std::vector<GivenRounds> none;
  CalledLoops loops{input.rounds == nullptr ? none : *input.rounds,
                    input.traced == nullptr ? none : *input.traced};
  FunctionCalls calls(input.functions, lists, kOpsInBodiesForAll * ops + kSpareOps,
                      input.rounds == nullptr ? nullptr : &loops);
  Propagation propagation(input, lists, calls);
  propagation.run();
  InferredShapes result = propagation.report();
  result.shapes.reserve(propagation.facts().size());
  for (const TensorFact& fact : propagation.facts()) result.shapes.push_back(fact.shape);
  if (input.with_values) {
    result.values.reserve(propagation.facts().size());
    for (const TensorFact& fact : propagation.facts()) result.values.push_back(fact.value);
  }
  if (input.rounds != nullptr) {
    add_loop_facts(input, propagation, lists, result);
    result.loops = std::move(loops.found);
  }
  return result;
}

}  // namespace tideline
