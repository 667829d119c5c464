// Tested by unit/graph/graph_edit_test.cc.
#include "core/graph/graph_plan.h"

#include <algorithm>

namespace tideline {

PlanTexts::PlanTexts(const PlanTexts& other) : shared_(other.shared_) {
  if (other.own_) shared_.push_back(other.own_);
}

PlanTexts& PlanTexts::operator=(const PlanTexts& other) {
  if (this != &other) *this = PlanTexts(other);
  return *this;
}

std::string_view PlanTexts::add(std::string_view text) {
  if (!own_) own_ = std::make_shared<TextArena>();
  return own_->add(text);
}

std::string_view GraphPlan::keep(std::string_view text, std::string_view last) {
  return text == last ? last : texts_.add(text);
}

OpId GraphPlan::append(const Graph& graph, AddedOp op, const std::vector<TensorId>& inputs,
                       const std::vector<OpId>& control_inputs) {
  op.name = texts_.add(op.name);
  op.device = keep(op.device, added.empty() ? "" : added.back().device);
  op.first_input = static_cast<std::uint32_t>(inputs_.size());
  op.input_count = static_cast<std::uint32_t>(inputs.size());
  op.first_control = static_cast<std::uint32_t>(control_inputs_.size());
  op.control_count = static_cast<std::uint32_t>(control_inputs.size());
  inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
  control_inputs_.insert(control_inputs_.end(), control_inputs.begin(), control_inputs.end());
  added.push_back(op);
  return OpId{graph.op_count() + static_cast<std::uint32_t>(added.size()) - 1};
}

OpId GraphPlan::add_op(const Graph& graph, const NewOp& op) {
  // A map has no order of its own; with one that is fixed, a plan that was printed and read again
  // gives the same bytes.
  const auto by_key = [](const auto& a, const auto& b) { return a.first < b.first; };
  Attributes sorted;
  if (!std::is_sorted(op.attributes.begin(), op.attributes.end(), by_key)) {
    sorted = op.attributes;
    std::sort(sorted.begin(), sorted.end(), by_key);
  }
  const Attributes& in_order = sorted.empty() ? op.attributes : sorted;
  AddedOp added_op;
  added_op.name = op.name;
  added_op.device = op.device;
  added_op.type = keep(op.type, added.empty() ? "" : added.back().type);
  added_op.attributes =
      keep(graph.codec().encode_attributes(in_order), added.empty() ? "" : added.back().attributes);
  return append(graph, added_op, op.inputs, op.control_inputs);
}

OpId GraphPlan::add_copy(const Graph& graph, const CopiedOp& copy) {
  AddedOp op;
  op.name = copy.name;
  op.device = copy.device;
  op.type = keep(copy.of.index() < graph.op_count() ? graph.type(copy.of) : "",
                 added.empty() ? "" : added.back().type);
  op.copy_of = copy.of;
  return append(graph, op, copy.inputs, copy.control_inputs);
}

void GraphPlan::set_device(OpId op, std::string_view device) {
  devices.push_back({op, keep(device, devices.empty() ? "" : devices.back().device)});
}

void GraphPlan::set_attribute(const Graph& graph, OpId op, std::string_view key,
                              const AttrValue& value) {
  set_encoded_attribute(op, key, graph.codec().encode_value(value));
}

void GraphPlan::set_encoded_attribute(OpId op, std::string_view key, std::string_view value) {
  attributes.push_back({op, texts_.add(key), texts_.add(value)});
}

void GraphPlan::remove_attribute(OpId op, std::string_view key) {
  attributes.push_back({op, texts_.add(key), std::nullopt});
}

bool GraphPlan::empty() const {
  return added.empty() && rerouted.empty() && control.empty() && removed_control.empty() &&
         removed.empty() && emptied.empty() && devices.empty() && attributes.empty();
}

std::string GraphPlan::tensor_name(const Graph& graph, TensorId tensor) const {
  return fmt::format("{}:{}", name(graph, tensor.op), tensor.slot);
}

}  // namespace tideline
