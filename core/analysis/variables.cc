#include "core/analysis/variables.h"

#include <algorithm>

#include "core/analysis/structure/applied_variables.h"
#include "core/analysis/variable_values.h"
#include "core/base/text.h"
#include "core/graph/op_types.h"

namespace tideline {
namespace {

std::vector<OpId> in_file_order(std::vector<OpId> ops) {
  std::sort(ops.begin(), ops.end());
  ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
  return ops;
}

Result<std::vector<OpId>> from_collection(const Graph& graph, const Collections& collections,
                                          const std::string& key) {
  std::vector<OpId> ops;
  for (const VariableEntry& variable : collections.variables.at(key)) {
    const std::string name = variable.name.substr(0, variable.name.find(':'));
    const OpId op = graph.find(name);
    if (!op.valid()) {
      return fail(Code::kNotFound, "collection '{}': variable '{}' names no op", printable(key),
                  printable(variable.name));
    }
    ops.push_back(op);
  }
  return in_file_order(std::move(ops));
}

}  // namespace

Result<Variables> find_variables(const GraphFacts& facts, const Collections& collections) {
  const Graph& graph = facts.graph();
  Variables variables;
  if (collections.has_variables("variables")) {
    TIDELINE_TRY(variables.all, from_collection(graph, collections, "variables"));
  } else {
    for (const OpId op : graph.ops()) {
      if (is_variable_type(graph.type(op))) variables.all.push_back(op);
    }
  }
  if (collections.has_variables("trainable_variables")) {
    TIDELINE_TRY(variables.trainable, from_collection(graph, collections, "trainable_variables"));
  } else if (collections.variables.empty()) {
    if (auto applied = find_applied_variables(facts)) {
      variables.trainable = *std::move(applied);
      return variables;
    }
    for (const VariableUse& use : facts.variables()) {
      if (use.role == VariableRole::kTrainable) variables.trainable.push_back(use.variable);
    }
  }
  return variables;
}

Result<Bytes> trainable_bytes(const GraphFacts& facts, const Collections& collections,
                              const TensorTable& tensors) {
  TIDELINE_TRY(const Variables variables, find_variables(facts, collections));
  TIDELINE_TRY(const VariableValues values, VariableValues::find(facts, tensors));
  return values.bytes(variables.trainable);
}

}  // namespace tideline
