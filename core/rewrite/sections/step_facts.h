// What the cutting of a training step into sections has to know of every op.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/conditions.h"
#include "core/analysis/structure/graph_facts.h"
#include "core/analysis/structure/while_frames.h"
#include "core/base/error.h"
#include "core/graph/tensor_table.h"

namespace tideline::sections {

/// What a step is run for.
struct StepRoots {
  TensorId loss;
  OpId train_op;
  std::vector<OpId> updates;   ///< moving averages and the like, run besides the train op
  std::string gradient_scope;  ///< ops of this scope are backward; empty: found from the edges
};

/// Facts about the ops of one graph and one step. Those of the graph and the sizes must outlive it.
/// Thread: immutable once built.
class StepFacts {
 public:
  static constexpr std::uint32_t kNoFrame = WhileFrame::kNone;

  /// Errors: those of find_while_frames; kUnsupported if no gradient of the loss is computed,
  /// naming the loss; kNotFound for a gradient scope without ops. Cost: about as find_structure.
  [[nodiscard]] static Result<StepFacts> find(const GraphFacts& known, const StepRoots& roots,
                                              const TensorTable& tensors);

  [[nodiscard]] const Graph& graph() const { return *graph_; }
  [[nodiscard]] const TensorTable& tensors() const { return *tensors_; }
  [[nodiscard]] const Consumers& consumers() const { return known_->consumers(); }
  [[nodiscard]] const OpFactsTable& table() const { return known_->ops(); }
  [[nodiscard]] const OpFacts& of(OpId op) const { return table().of(*graph_, op); }
  [[nodiscard]] OpKind kind(OpId op) const { return of(op).kind; }
  [[nodiscard]] const StackLinks& stacks() const { return known_->stacks(); }
  [[nodiscard]] const StepRoots& roots() const { return roots_; }
  /// Producers before their consumers, but for the back edges of loops.
  [[nodiscard]] const std::vector<OpId>& order() const { return order_; }
  /// Complete levels (levels.h).
  [[nodiscard]] const LevelMap& levels() const { return known_->levels(); }

  /// Whether the train op, the loss or an update needs it, over data or control edges.
  [[nodiscard]] bool in_step(OpId op) const { return in_step_[op.index()]; }
  [[nodiscard]] bool is_variable(OpId op) const { return kind(op) == OpKind::kVariable; }
  /// Whether runs share it: a variable, or the handle of a queue, an iterator or a table.
  [[nodiscard]] bool is_shared(OpId op) const { return shared_[op.index()]; }
  [[nodiscard]] bool is_placeholder(OpId op) const { return kind(op) == OpKind::kPlaceholder; }
  /// Whether its outputs depend on what is fed, on input pipelines, on random numbers or on other
  /// state than variables. All other ops give the same in every run between two updates.
  [[nodiscard]] bool varies(OpId op) const { return varies_[op.index()]; }
  /// Whether its outputs depend on a gradient of the loss.
  [[nodiscard]] bool is_backward(OpId op) const { return backward_[op.index()]; }
  /// Whether it may run only once in a cycle: it writes, draws, or takes from a queue.
  [[nodiscard]] bool runs_once(OpId op) const { return once_[op.index()]; }
  /// Of an op that runs once: whether it has to run even if nothing reads what it yields.
  [[nodiscard]] bool has_effect(OpId op) const { return effect_[op.index()]; }
  /// Whether it is a forward op of the structure (phases.h), not one that helps the backward pass.
  [[nodiscard]] bool is_forward(OpId op) const { return phases().of(op) == Phase::kForward; }
  /// The forward op whose gradient it helps to compute (gradient_owners.h), or invalid.
  [[nodiscard]] OpId gradient_of(OpId op) const { return gradient_of_[op.index()]; }

  /// The outermost loop that an op belongs to, its Enter and Exit ops included, or kNoFrame.
  [[nodiscard]] std::uint32_t loop_of(OpId op) const {
    return loop_of_.empty() ? kNoFrame : loop_of_[op.index()];
  }
  [[nodiscard]] std::size_t loop_count() const { return frames_.frames.size(); }
  /// Whether `op` runs only if a conditional takes some branch.
  [[nodiscard]] bool is_conditional(OpId op) const { return conditions_.of(op) != BranchSetId{}; }
  /// Whether `tensor` has a value only if a conditional takes some branch.
  [[nodiscard]] bool is_conditional(TensorId tensor) const {
    return conditions_.of(tensor) != BranchSetId{};
  }
  [[nodiscard]] bool has_conditionals() const { return conditions_.any(); }
  /// Whether the value of `tensor` can be kept on the host and fed to input `slot` of `reader`: it
  /// exists in every step, outside of loops, and is no handle, reference or token.
  [[nodiscard]] bool can_be_cut(TensorId tensor, OpId reader, std::uint32_t slot) const;

 private:
  StepFacts(const GraphFacts& known, StepRoots roots, const TensorTable& tensors);
  [[nodiscard]] const Phases& phases() const { return known_->passes().phases(); }
  [[nodiscard]] bool is_handle(OpId op) const;
  void find_step();
  void find_once();
  void find_varying();
  Status find_backward();
  void find_loops();
  void find_tokens();
  [[nodiscard]] std::vector<bool> reached_from(const std::vector<OpId>& first) const;
  [[nodiscard]] std::vector<bool> needed_by(OpId op) const;

  const GraphFacts* known_;
  const Graph* graph_;
  const TensorTable* tensors_;
  StepRoots roots_;
  WhileFrames frames_;
  Conditions conditions_;
  std::vector<OpId> order_;
  std::vector<OpId> gradient_of_;
  std::vector<bool> in_step_, shared_, once_, effect_, varies_, backward_;
  std::vector<bool> is_token_;  // by op: its outputs order the ops of a container
  std::vector<std::uint32_t> loop_of_;
};

}  // namespace tideline::sections
