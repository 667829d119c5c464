// Tested by unit/rewrite/sections_test.cc and unit/rewrite/replicate/refusals_test.cc.
#include "core/rewrite/plan/named_outputs.h"

#include "core/base/text.h"
#include "core/graph/nearest_names.h"

namespace tideline {

Result<TensorId> find_named(const Graph& graph, std::string_view option, const std::string& name) {
  if (const auto tensor = graph.find_tensor(name)) return *tensor;
  return fail(Code::kNotFound, "{}: the graph has no op or tensor '{}'{}", option, printable(name),
              nearest_ops(graph, name));
}

Status check_output(const Graph& graph, const TensorTable& tensors, std::string_view option,
                    TensorId tensor) {
  if (tensor.slot < tensors.output_count(tensor.op)) return {};
  return fail(Code::kNotFound, "{}: op '{}' ({}) has no output {}", option,
              printable(graph.name(tensor.op)), printable(graph.type(tensor.op)), tensor.slot);
}

}  // namespace tideline
