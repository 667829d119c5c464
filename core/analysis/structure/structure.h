// All structural analyses of a training graph, computed together.
#pragma once

#include <vector>

#include "core/analysis/structure/conditionals.h"
#include "core/analysis/structure/gradient_flow.h"
#include "core/analysis/structure/phases.h"
#include "core/analysis/structure/scopes.h"
#include "core/analysis/structure/series.h"
#include "core/analysis/structure/variable_roles.h"
#include "core/analysis/structure/while_frames.h"
#include "core/analysis/swap_copies.h"
#include "core/base/error.h"
#include "core/graph/function_library.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// Only copies, scopes and series use names of ops.
struct Structure {
  OpFactsTable facts;
  SwapCopies copies;  ///< of swaps that the graph holds; flow and phases are as without them
  GradientFlow flow;
  Phases phases;
  WhileFrames loops;
  std::vector<Conditional> conditionals;
  std::vector<OpId> calls;
  std::vector<VariableUse> variables;
  ScopeTree scopes;
  std::vector<Series> series;
};

/// `functions` may be null; a type that names one of them counts as a call.
/// Errors: those of find_while_frames. Cost: about O(ops + edges + length of names). Thread: pure.
[[nodiscard]] Result<Structure> find_structure(const Graph& graph,
                                               const FunctionLibrary* functions = nullptr);

}  // namespace tideline
