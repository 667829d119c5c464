#include "core/analysis/variables.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/graph/consumers.h"
#include "core/graph/op_types.h"
#include "core/graph/walks.h"

namespace tideline {
namespace {

// A handle passed in as an argument, in the body of a function or a graph made from one.
bool is_passed_handle(std::string_view type) {
  return type == "_Arg" || type == "Placeholder";
}

bool is_subtracting_update(std::string_view type) {
  return type == "AssignSub" || type == "ScatterSub" || type == "AssignSubVariableOp" ||
         type == "ResourceScatterSub";
}

// From a value back to the variable it is read from.
OpId trace_back(const Graph& graph, OpId op) {
  return source_of_value(graph, {op, 0}, graph.op_count(),
                         [&](OpId at) {
                           const std::string_view type = graph.type(at);
                           return type == "Identity" || type == "Enter" || type == "RefEnter" ||
                                  type == "Switch" || type == "RefSwitch";
                         })
      .op;
}

// Ops that an op with "gradients" in its name leads to over data edges (itself included).
std::vector<bool> behind_gradients(const Graph& graph) {
  const Consumers consumers(graph);
  OpWalk behind(graph);
  for (const OpId op : graph.ops()) {
    if (graph.name(op).find("gradients") != std::string_view::npos) behind.add(op);
  }
  while (const auto op = behind.next()) behind.add_readers(consumers, *op, Edges::kData);
  return behind.take();
}

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

std::vector<OpId> updated_by_optimizer(const Graph& graph) {
  std::vector<OpId> variables;
  std::vector<bool> behind;
  for (const OpId op : graph.ops()) {
    if (graph.inputs(op).empty()) continue;
    bool updates = applies_gradients(graph.type(op));
    if (!updates && is_subtracting_update(graph.type(op))) {
      if (behind.empty()) behind = behind_gradients(graph);
      updates = behind[op.index()];
    }
    if (!updates) continue;
    const OpId variable = trace_back(graph, graph.inputs(op)[0].op);
    const std::string_view type = graph.type(variable);
    if (is_variable_type(type) || is_passed_handle(type)) variables.push_back(variable);
  }
  return in_file_order(std::move(variables));
}

struct Value {
  Shape shape;
  DataType type = DataType::kInvalid;
};

Result<Value> value_of(const Graph& graph, OpId op) {
  if (is_passed_handle(graph.type(op))) {
    TIDELINE_TRY(const auto shapes, graph.attribute(op, "_handle_shapes"));
    TIDELINE_TRY(const auto types, graph.attribute(op, "_handle_dtypes"));
    return Value{shapes && !shapes->shapes.empty() ? shapes->shapes.front() : Shape::unknown(),
                 types && !types->types.empty() ? types->types.front() : DataType::kInvalid};
  }
  TIDELINE_TRY(const auto shape, graph.attribute(op, "shape"));
  TIDELINE_TRY(const auto type, graph.attribute(op, "dtype"));
  return Value{shape ? shape->shape : Shape::unknown(), type ? type->type : DataType::kInvalid};
}

}  // namespace

Result<Variables> find_variables(const Graph& graph, const Collections& collections) {
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
  } else if (collections.entries.empty()) {
    variables.trainable = updated_by_optimizer(graph);
  }
  return variables;
}

Result<Bytes> variable_bytes(const Graph& graph, const std::vector<OpId>& variables,
                             std::optional<std::int64_t> batch_size) {
  Bytes total = 0;
  for (const OpId op : variables) {
    TIDELINE_TRY(const Value value, value_of(graph, op));
    const auto bytes = tensor_bytes(value.shape, value.type, batch_size);
    if (!bytes) {
      return fail(Code::kCorrupt, "op '{}': attr 'shape': {} has more bytes than a tensor can have",
                  graph.name(op), to_string(value.shape));
    }
    total = saturating_add(total, *bytes);
  }
  return total;
}

}  // namespace tideline
