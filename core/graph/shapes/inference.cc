// Problem, idea and limits are described in propagation.cc, which handles one graph. This file
// starts it for the file's own graph; calls of functions start it for their bodies
// (function_calls.cc).
#include "core/graph/shapes/inference.h"

#include "core/graph/shapes/function_calls.h"
#include "core/graph/shapes/propagation.h"

namespace tideline {

InferredShapes infer_shapes(const InferenceInput& input, DimLists& lists) {
  constexpr std::int64_t kOpsInBodiesForAll = 16;
  constexpr std::int64_t kSpareOps = 100000;
  std::int64_t ops = input.graph.op_count();
  if (input.functions != nullptr) {
    for (const auto& entry : input.functions->functions) ops += entry.second.body.op_count();
  }
  FunctionCalls calls(input.functions, lists, kOpsInBodiesForAll * ops + kSpareOps);
  Propagation propagation(input, lists, calls);
  propagation.run();
  InferredShapes result = propagation.report();
  result.shapes.reserve(propagation.facts().size());
  for (const TensorFact& fact : propagation.facts()) result.shapes.push_back(fact.shape);
  return result;
}

}  // namespace tideline
