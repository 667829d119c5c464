// Replaces calls of functions by the ops of the functions' bodies.
#pragma once

#include <cstdint>

#include "core/base/error.h"
#include "core/graph/function_library.h"
#include "core/graph/graph.h"
#include "core/rewrite/inline/inlining.h"

namespace tideline {

/// Calls nested deeper stay calls.
inline constexpr int kDeepestCall = 20;
/// Limit on the ops that are added: bodies that call each other often grow without bounds.
inline constexpr std::uint32_t kMostInlinedOps = 1'000'000;

/// The plan that inlines PartitionedCall, StatefulPartitionedCall and ops whose type is a function
/// of `library`. Op `x` of the body of call `c` becomes `c/x`; `c` stays, as a NoOp that ends when
/// the call would have ended. Calls that must stay are listed with the reason; so are If, Case and
/// While no calls. Errors (kInvalidArgument, naming the op): a call with too few or too many inputs
/// for its function, or whose results are fewer than are read; an op of a body whose type is
/// declared nowhere; kCorrupt for a graph with a cycle; kOverBudget for more than kMostInlinedOps.
/// Cost: O(ops and inputs of the graph and of all inlined bodies). Thread: pure.
/// Source: TensorFlow 2.15.1, InlineFunctionBody.
[[nodiscard]] Result<Inlining> inline_calls(const Graph& graph, const FunctionLibrary& library);

}  // namespace tideline
