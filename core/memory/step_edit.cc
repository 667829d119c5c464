#include "core/memory/step_edit.h"

#include <algorithm>

namespace tideline {
namespace {

void add_copy(StepGraph& graph, const StepCopy& copy) {
  const StepTensor source = graph.tensors[graph.tensor(copy.input)];
  StepOp op;
  op.space = copy.space;
  op.first_input = static_cast<std::uint32_t>(graph.inputs.size());
  op.input_count = 1;
  op.first_tensor = static_cast<std::uint32_t>(graph.tensors.size());
  op.tensor_count = 1;
  op.first_link = static_cast<std::uint32_t>(graph.links.size());
  op.link_count = 1;
  // An Identity keeps small integers on the host wherever it runs.
  const bool on_host = copy.space == Space::kDevice && source.type == DataType::kInt32;
  const Space space = on_host ? Space::kHost : copy.space;
  graph.inputs.push_back({graph.tensor(copy.input), space, false});
  StepTensor tensor;
  tensor.bytes = whole_blocks(source.content);
  tensor.content = source.content;
  tensor.type = source.type;
  tensor.home = space;
  tensor.kind = source.kind;
  graph.tensors.push_back(tensor);
  graph.producer_of.push_back(OpId{static_cast<std::uint32_t>(graph.ops.size())});
  graph.links.push_back({0, 0, true});
  graph.ops.push_back(op);
}

// Control inputs as they were, and behind them the added ones in their order.
void add_controls(StepGraph& graph, const std::vector<StepControl>& added) {
  std::vector<std::uint32_t> first(graph.ops.size() + 1);
  for (std::size_t i = 0; i < graph.ops.size(); ++i) first[i + 1] = graph.ops[i].control_count;
  for (const StepControl& edge : added) ++first[edge.op.index() + 1];
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  std::vector<OpId> controls(first.back());
  for (std::uint32_t i = 0; i < graph.ops.size(); ++i) {
    const auto old = graph.controls_of(OpId{i});
    std::copy(old.begin(), old.end(), controls.begin() + first[i]);
  }
  std::vector<std::uint32_t> next(graph.ops.size());
  for (std::size_t i = 0; i < graph.ops.size(); ++i) {
    next[i] = first[i] + graph.ops[i].control_count;
  }
  for (const StepControl& edge : added) controls[next[edge.op.index()]++] = edge.after;
  for (std::size_t i = 0; i < graph.ops.size(); ++i) {
    graph.ops[i].first_control = first[i];
    graph.ops[i].control_count = first[i + 1] - first[i];
  }
  graph.controls = std::move(controls);
}

}  // namespace

StepGraph edited(const StepGraph& graph, const StepEdit& edit) {
  StepGraph result = graph;
  for (const StepCopy& copy : edit.copies) add_copy(result, copy);
  for (const StepReroute& reroute : edit.reroutes) {
    StepInput& input = result.inputs[result.ops[reroute.op.index()].first_input + reroute.slot];
    input.tensor = result.tensor(reroute.to);
    input.is_back_edge = false;
  }
  add_controls(result, edit.controls);
  return result;
}

}  // namespace tideline
