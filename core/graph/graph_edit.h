// Changes against one Graph, applied all together or not at all.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/text_arena.h"
#include "core/graph/graph.h"

namespace tideline {

/// An op to append. Inputs may name ops of the graph and ops added before it in the same edit.
struct NewOp {
  std::string_view name;
  std::string_view type;
  std::string_view device;
  std::vector<TensorId> inputs;
  Attributes attributes;
};

/// Ops of the graph keep their ids; the k-th added op gets id op_count() + k.
/// Precondition: the graph outlives the edit.
class GraphEdit {
 public:
  explicit GraphEdit(const Graph& graph);

  OpId add_op(const NewOp& op);
  /// Input `slot` of `op` reads `to` from now on. Only for ops of the graph.
  void reroute(OpId op, std::uint32_t slot, TensorId to);
  /// `op`, of the graph or added, waits for `after`.
  void add_control(OpId op, OpId after);

  /// A new graph; the old one is untouched. Untouched ops keep their encoding byte for byte,
  /// changed ones differ only in their input list. Errors (kInvalidArgument): a name that is taken,
  /// an input or slot that does not exist. A control edge that is there already is not added again.
  /// The edit is used up. Cost: O(ops + inputs + changes log changes).
  [[nodiscard]] Result<Graph> commit();

 private:
  struct AddedOp {
    std::string_view name;
    std::string_view type;
    std::string_view device;
    std::string_view encoded;
    std::uint32_t first_input;
    std::uint32_t input_count;
  };
  struct Reroute {
    OpId op;
    std::uint32_t slot = 0;
    TensorId to;
  };
  struct Control {
    OpId op;
    OpId after;
  };

  [[nodiscard]] bool exists(OpId op) const {
    return op.index() < graph_->op_count() + added_.size();
  }
  [[nodiscard]] std::string_view name(OpId op) const;
  [[nodiscard]] std::string spelled(TensorId tensor);
  void set_error(std::string message);
  void begin(Graph& graph) const;
  void append_ops(Graph& graph);
  void append_changed(Graph& graph, Graph::OpRecord record,
                      std::vector<Reroute>::const_iterator& reroute,
                      std::vector<Control>::const_iterator& control);

  const Graph* graph_;
  std::shared_ptr<TextArena> arena_;
  std::vector<AddedOp> added_;
  std::vector<TensorId> added_inputs_;
  std::vector<Reroute> reroutes_;
  std::vector<Control> controls_;
  std::string error_;
};

}  // namespace tideline
