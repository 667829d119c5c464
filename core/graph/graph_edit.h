// Applies the changes of a plan to a Graph, all of them or none.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/text_arena.h"
#include "core/graph/graph.h"
#include "core/graph/graph_plan.h"
#include "core/graph/op_signature.h"
#include "core/graph/plan_changes.h"

namespace tideline {

/// Makes the graph that a plan describes. Ops of the graph keep their order, added ops follow them
/// in theirs. Precondition: graph and plan outlive the edit; the new graph needs neither.
class GraphEdit {
 public:
  /// `declared`, which may be null, knows what the file declares of op types that the graph itself
  /// does not have and the plan adds.
  GraphEdit(const Graph& graph, const GraphPlan& plan, const DeclaredSignatures* declared = nullptr)
      : graph_(&graph), plan_(&plan), declared_(declared) {}

  /// A new graph; the old one is untouched. Untouched ops keep their encoding byte for byte,
  /// changed ones differ only in what the plan changes. A control edge that is there already is
  /// not added again; control inputs are removed after others were added.
  /// Errors (kInvalidArgument, naming the op): a name that is taken or cannot be one, an op or
  /// input slot that does not exist, an input that does not read what the plan says, one thing
  /// changed twice, a change of an op that is removed, a removed op that is still read or waited
  /// for. Cost: O(ops + inputs + changes log changes).
  [[nodiscard]] Result<Graph> commit();

 private:
  /// Its id in the new graph.
  [[nodiscard]] OpId new_id(OpId op) const {
    return new_ids_.empty() ? op : OpId{new_ids_[op.index()]};
  }
  [[nodiscard]] const AddedOp& added(OpId op) const { return plan_->at(*graph_, op); }
  [[nodiscard]] bool is_original(OpId op) const { return op.index() < graph_->op_count(); }
  [[nodiscard]] Result<std::string> spelled(TensorId tensor) const;
  [[nodiscard]] Result<std::string> spelled_output(const AddedOp& op, std::uint32_t slot) const;
  [[nodiscard]] std::optional<OpSignature> signature_of(std::string_view type) const;
  [[nodiscard]] Status still_there(OpId op, OpId reader) const;

  void find_new_ids(const PlanChanges& changes);
  void begin(Graph& graph) const;
  void set_function_syntax(Graph& graph) const;
  Status append_original(Graph& graph, OpId op, const OpChanges& changes);
  Status append_added(Graph& graph, OpId op, const OpChanges& changes);
  /// Puts what `op` reads and waits for into the arrays. Errors: see still_there.
  Status append_inputs(Graph& graph, Graph::OpRecord& record, OpId op, const OpChanges& changes);
  [[nodiscard]] Result<std::vector<std::string>> input_texts(OpId op,
                                                             const OpChanges& changes) const;
  struct Interned {
    std::string_view text;
    std::uint32_t id = OpId::kNone;
  };
  /// Neighbours mostly share their text: `last` saves the search.
  std::uint32_t intern(std::string_view text, std::vector<std::string_view>& list, Interned& last);
  std::string_view keep(Graph::OpRecord& record, std::string_view encoded);
  Status index_names(Graph& graph) const;

  const Graph* graph_;
  const GraphPlan* plan_;
  const DeclaredSignatures* declared_;
  std::shared_ptr<TextArena> arena_ = std::make_shared<TextArena>();
  std::vector<std::uint32_t> new_ids_;  // by op; empty when ids stay
  Interned last_type_, last_device_;
};

/// The graph that the plan gives. Verified: acyclic but for loops. `declared` as in GraphEdit.
/// Errors: those of GraphEdit::commit; kInvalidArgument for a plan that closes a cycle.
[[nodiscard]] Result<Graph> apply(const Graph& graph, const GraphPlan& plan,
                                  const DeclaredSignatures* declared = nullptr);

}  // namespace tideline
