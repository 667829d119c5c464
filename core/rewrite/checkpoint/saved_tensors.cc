// Tested by unit/rewrite/checkpoint/savers_test.cc.
#include "core/rewrite/checkpoint/saved_tensors.h"

#include "core/graph/walks.h"
#include "core/rewrite/checkpoint/savers.h"

namespace tideline::checkpoint_ops {

Result<std::vector<DataType>> tensor_types(const Graph& graph, OpId op) {
  TIDELINE_TRY(const auto types, graph.attribute(op, "dtypes"));
  if (!types || types->kind != AttrValue::Kind::kList || types->types.empty()) {
    return fail(Code::kInvalidArgument, "op {}: attribute 'dtypes' lists no types",
                shown(graph, op));
  }
  const bool saves = graph.type(op) == "SaveV2";
  const std::size_t expected = kFirstTensor + (saves ? types->types.size() : 0);
  if (graph.inputs(op).size() != expected) {
    return fail(Code::kInvalidArgument, "op {} has {} inputs; expected {}", shown(graph, op),
                graph.inputs(op).size(), expected);
  }
  return types->types;
}

Status add_tensor_names(const Graph& graph, OpId op, std::vector<std::string>& names) {
  const TensorId source =
      source_of_value(graph, graph.inputs(op)[kNames], graph.op_count(),
                      [&](OpId passed) { return graph.type(passed) == "Identity"; });
  if (graph.type(source.op) != "Const") return {};
  TIDELINE_TRY(const auto value, graph.attribute(source.op, "value"));
  if (!value) return {};
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  TIDELINE_TRY(const auto content, graph.codec().tensor_content(value->encoded, kMost));
  if (!content || !content->texts) return {};
  names.insert(names.end(), content->texts->begin(), content->texts->end());
  return {};
}

}  // namespace tideline::checkpoint_ops
