// The changes to a graph as data: made by a rewriter, applied by GraphEdit, simulated without
// building the graph (memory/step_edit.h), printed as JSON (rewrite/plan/graph_plan_json.h).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text_arena.h"
#include "core/graph/attr_value.h"
#include "core/graph/graph.h"

namespace tideline {

/// A new op. Inputs may refer to ops of the graph and to added ops, including ops added later
/// (loops).
struct NewOp {
  std::string_view name;
  std::string_view type;
  std::string_view device;
  std::vector<TensorId> inputs = {};
  std::vector<OpId> control_inputs = {};
  Attributes attributes = {};  ///< in any order; written sorted by key
};

/// A copy of an op of the graph: it has all attributes of `of`, byte for byte, except those that
/// GraphPlan::attributes changes, and its own name, device and inputs.
struct CopiedOp {
  OpId of;
  std::string_view name;
  std::string_view device;
  std::vector<TensorId> inputs = {};
  std::vector<OpId> control_inputs = {};
};

/// An added op as stored in a plan. The texts live as long as the plan or any copy of it.
/// The attribute, of type bool, of ops that TensorFlow's graph optimizer leaves in the graph even
/// if nothing reads them.
inline constexpr std::string_view kKeptFromGrappler = "_grappler_do_not_remove";

struct AddedOp {
  std::string_view name;
  std::string_view type;  ///< of a copy: its original's
  std::string_view device;
  std::string_view attributes;  ///< encoded by NodeCodec::encode_attributes; empty for a copy
  OpId copy_of;                 ///< invalid for a new op
  std::uint32_t first_input = 0, input_count = 0;
  std::uint32_t first_control = 0, control_count = 0;
};

/// Input `slot` of `op`, of the graph, reads `to` instead of `from`.
struct Reroute {
  OpId op;
  std::uint32_t slot = 0;
  TensorId from;
  TensorId to;
};

struct ControlEdge {
  OpId op;     ///< waits
  OpId after;  ///< for this one
};

struct DeviceChange {
  OpId op;  ///< of the graph
  std::string_view device;
};

/// A new value of one attribute, of an op of the graph or of an added copy.
struct AttributeChange {
  OpId op;
  std::string_view key;
  std::optional<std::string_view> value;  ///< encoded; nullopt removes the attribute
};

/// The texts of a plan. A copy shares the texts of its original, keeps them alive, and adds new
/// ones to an arena of its own, so copies can be used in different threads.
class PlanTexts {
 public:
  PlanTexts() = default;
  PlanTexts(const PlanTexts& other);
  PlanTexts& operator=(const PlanTexts& other);
  PlanTexts(PlanTexts&&) noexcept = default;
  PlanTexts& operator=(PlanTexts&&) noexcept = default;
  ~PlanTexts() = default;

  std::string_view add(std::string_view text);

 private:
  std::vector<std::shared_ptr<const TextArena>> shared_;
  std::shared_ptr<TextArena> own_;
};

/// The changes that a rewriter decided on. Ops of the graph keep their ids; the k-th added op has
/// the id op_count() of the graph + k, even if ops are removed. GraphEdit checks whether the
/// changes fit the graph. Memory: about 100 bytes per added op plus its texts; consecutive ops with
/// the same attributes or device share them. Thread: a plain value.
class GraphPlan {
 public:
  /// In the order in which they are appended to the graph.
  std::vector<AddedOp> added;
  std::vector<Reroute> rerouted;
  std::vector<ControlEdge> control;  ///< of any ops, in the order of the decisions
  /// Control inputs to remove from ops of the graph, with all duplicates.
  std::vector<ControlEdge> removed_control;
  /// Ops of the graph that nothing reads or waits for after the edit. Their names stay reserved.
  std::vector<OpId> removed;
  /// Ops of the graph that become a NoOp: they lose their data inputs and attributes, and keep
  /// name, device and control inputs. Nothing reads them after the edit.
  std::vector<OpId> emptied;
  std::vector<DeviceChange> devices;
  std::vector<AttributeChange> attributes;

  /// Return the id of the added op. Precondition: all calls pass the same graph.
  OpId add_op(const Graph& graph, const NewOp& op);
  OpId add_copy(const Graph& graph, const CopiedOp& copy);
  void set_device(OpId op, std::string_view device);
  void set_attribute(const Graph& graph, OpId op, std::string_view key, const AttrValue& value);
  /// As set_attribute, with a value that is already encoded.
  void set_encoded_attribute(OpId op, std::string_view key, std::string_view value);
  void remove_attribute(OpId op, std::string_view key);

  [[nodiscard]] std::span<const TensorId> inputs(const AddedOp& op) const {
    return {inputs_.data() + op.first_input, op.input_count};
  }
  [[nodiscard]] std::span<const OpId> control_inputs(const AddedOp& op) const {
    return {control_inputs_.data() + op.first_control, op.control_count};
  }
  /// Totals over all added ops.
  [[nodiscard]] std::size_t added_input_count() const { return inputs_.size(); }
  [[nodiscard]] std::size_t added_control_count() const { return control_inputs_.size(); }

  /// True if the plan changes nothing.
  [[nodiscard]] bool empty() const;

  /// Name and type of an op of the graph or of an added op.
  [[nodiscard]] std::string_view name(const Graph& graph, OpId op) const {
    return op.index() < graph.op_count() ? graph.name(op) : at(graph, op).name;
  }
  [[nodiscard]] std::string_view type(const Graph& graph, OpId op) const {
    return op.index() < graph.op_count() ? graph.type(op) : at(graph, op).type;
  }
  /// "op:slot", always with the slot.
  [[nodiscard]] std::string tensor_name(const Graph& graph, TensorId tensor) const;
  [[nodiscard]] const AddedOp& at(const Graph& graph, OpId op) const {
    return added[op.index() - graph.op_count()];
  }

 private:
  OpId append(const Graph& graph, AddedOp op, const std::vector<TensorId>& inputs,
              const std::vector<OpId>& control_inputs);
  std::string_view keep(std::string_view text, std::string_view last);

  PlanTexts texts_;
  std::vector<TensorId> inputs_;      // of the added ops
  std::vector<OpId> control_inputs_;  // of the added ops
};

}  // namespace tideline
