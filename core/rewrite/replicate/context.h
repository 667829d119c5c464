// The graph and the analyses of it that the parts of the rewriter share.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "core/analysis/loop_frames.h"
#include "core/analysis/structure/graph_facts.h"
#include "core/analysis/structure/variable_roles.h"
#include "core/base/error.h"
#include "core/graph/collections.h"
#include "core/graph/tensor_table.h"

namespace tideline::replicate {

/// Immutable once built. The facts and the collections must outlive it.
struct Context {
  /// Errors: those of TensorTable::build. Cost: O(ops + edges), plus shape inference where shapes
  /// are missing.
  [[nodiscard]] static Result<std::unique_ptr<const Context>> make(const GraphFacts& known,
                                                                   const Collections& collections);

  const GraphFacts& known;
  const Graph& graph;
  const Collections& collections;
  const FunctionLibrary* functions;
  const Consumers& consumers;
  const OpFactsTable& facts;
  const StackLinks& stacks;
  const GradientFlow& flow;
  const Phases& phases;
  LoopFrames frames;
  std::vector<VariableUse> variables;
  /// By op: the index in `variables` of the variable that it writes. Only looked up.
  std::unordered_map<std::uint32_t, std::uint32_t> written;
  TensorTable tensors;

  [[nodiscard]] const OpFacts& of(OpId op) const { return facts.of(graph, op); }
  [[nodiscard]] OpKind kind(OpId op) const { return of(op).kind; }
  [[nodiscard]] bool is_writer(OpId op) const {
    return kind(op) == OpKind::kAssign || kind(op) == OpKind::kUpdate;
  }
  /// The variable that `op` writes; null when it is none, or none that is known.
  [[nodiscard]] const VariableUse* written_by(OpId op) const {
    const auto found = written.find(op.value);
    return found == written.end() ? nullptr : &variables[found->second];
  }
  /// A placeholder for a handle, as in graphs extracted from TensorFlow 2, or a variable.
  [[nodiscard]] bool is_variable(OpId op) const;
  /// Whether it hands on the value of a v1 variable as it is: TensorFlow makes such an op with the
  /// variable, and all readers share it.
  [[nodiscard]] bool is_shared_read(OpId op) const;
  [[nodiscard]] bool is_in_loop(OpId op) const {
    return frames.input_frame(op) != 0 || frames.output_frame(op) != 0;
  }
};

/// "'conv1/Conv2D' (Conv2D)".
[[nodiscard]] std::string shown(const Graph& graph, OpId op);

}  // namespace tideline::replicate
