// Tested by unit/runtime/captured_variables_test.cc and tests/integration/run_captured_test.py.
#include "core/runtime/captured_variables.h"

#include <fmt/format.h>

#include <map>

#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::runtime {
namespace {

std::string_view name_of_node(std::string_view node) {
  io::FieldReader reader(node);
  for (io::Field field; reader.next(field);) {
    if (field.is_bytes(io::node_def::kName)) return field.bytes;
  }
  return {};
}

// All variables without a shared name would be one.
std::string variable_node(const Graph& graph, const FeedRequest& first) {
  AttrValue shared;
  shared.kind = AttrValue::Kind::kString;
  shared.string = first.name;
  return graph.codec().encode(first.name, "VarHandleOp", graph.device(graph.find(first.name)), {},
                              {{"dtype", AttrValue::of_type(first.type)},
                               {"shape", AttrValue::of_shape(Shape::of(first.dims))},
                               {"shared_name", shared}});
}

// The bytes with variables in the place of the placeholders of `captured`.
std::string with_variables(const Graph& graph, const std::vector<CapturedVariable>& captured,
                           std::string_view graph_def) {
  std::map<std::string_view, const FeedRequest*> by_name;
  for (const CapturedVariable& variable : captured) {
    by_name.emplace(variable.first.name, &variable.first);
  }
  std::string made;
  made.reserve(graph_def.size());
  io::FieldReader reader(graph_def);
  for (io::Field field; reader.next(field);) {
    const bool is_node = field.is_bytes(io::graph_def::kNode);
    const auto found = is_node ? by_name.find(name_of_node(field.bytes)) : by_name.end();
    if (found == by_name.end()) {
      made += field.whole;
    } else {
      io::append_bytes(made, io::graph_def::kNode, variable_node(graph, *found->second));
    }
  }
  return made;
}

bool is_begin_of_name(const Graph& graph, std::string_view prefix) {
  for (const OpId op : graph.ops()) {
    if (graph.name(op).starts_with(prefix)) return true;
  }
  return false;
}

}  // namespace

std::vector<CapturedOps> make_variables(const Graph& graph,
                                        const std::vector<CapturedVariable>& captured,
                                        std::string& graph_def) {
  std::vector<CapturedOps> added;
  if (captured.empty()) return added;
  graph_def = with_variables(graph, captured, graph_def);
  std::string prefix = "tideline_captured_";
  while (is_begin_of_name(graph, prefix)) prefix += "x_";
  for (const CapturedVariable& variable : captured) {
    const FeedRequest& first = variable.first;
    const std::string_view device = graph.device(graph.find(first.name));
    const std::string scope = fmt::format("{}{}", prefix, added.size());
    const CapturedOps ops{scope + "/read", scope + "/value", scope + "/assign"};
    const Attributes type = {{"dtype", AttrValue::of_type(first.type)}};
    const auto add = [&](const std::string& name, const char* op_type,
                         const std::vector<std::string>& inputs, const Attributes& attributes) {
      io::append_bytes(graph_def, io::graph_def::kNode,
                       graph.codec().encode(name, op_type, device, inputs, attributes));
    };
    add(ops.read, "ReadVariableOp", {first.name}, type);
    add(ops.value, "Placeholder", {},
        {type.front(), {"shape", AttrValue::of_shape(Shape::of(first.dims))}});
    add(ops.assign, "AssignVariableOp", {first.name, ops.value}, type);
    added.push_back(ops);
  }
  return added;
}

}  // namespace tideline::runtime
