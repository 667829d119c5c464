// The conditionals of TensorFlow 1, each with its predicate and the ops of its branches.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/analysis/conditions.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// The Switch and Merge ops controlled by one predicate. Lists are in file order.
struct Conditional {
  TensorId predicate;  ///< traced back through Identity
  std::vector<OpId> switches;
  std::vector<OpId> merges;                   ///< where the two branches join
  std::array<std::vector<OpId>, 2> branches;  ///< ops that run only when it is false or true,
                                              ///< nested conditionals included
  /// What users call it: the scopes of its Merge ops, "cond" of "cond/Merge", in file order, then
  /// the op of its predicate. Only the scopes that tf.cond made, if there are such (they hold
  /// pred_id or switch_t): not those of gradients. Where other conditionals have the same scope,
  /// the Merge op itself.
  std::vector<std::string> names = {};
};

/// All conditionals, in the order of their first Switch. Cost: O((ops + edges) x nesting of
/// conditionals). Thread: pure.
[[nodiscard]] std::vector<Conditional> find_conditionals(const Graph& graph,
                                                         const OpFactsTable& facts,
                                                         const Conditions& conditions);

/// Ops that call functions (If, While, calls by type or by name), in file order. Cost: O(ops).
[[nodiscard]] std::vector<OpId> find_calls(const Graph& graph, const OpFactsTable& facts);

}  // namespace tideline
