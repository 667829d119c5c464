// Data dependences between the executions of a traced step.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/op_facts.h"
#include "core/graph/step_trace.h"
#include "core/memory/measured/measured_step.h"
#include "core/memory/step_graph.h"

namespace tideline {

/// Numbers the executions that name an op of the graph from 1 in measured order; 0 stands for what
/// existed before the step. Reads are traced through ops that did not run (fused, folded, pruned).
/// Everything passed in must outlive this. Cost: O(executions + ops) to build. Thread: not shared.
class ExecutedReads {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  static constexpr std::uint32_t kBefore = 0;

  /// Output `slot` of execution `at`.
  struct Token {
    std::uint32_t at = kNone;
    std::uint32_t slot = 0;
  };
  struct Reads {
    std::vector<Token> slots;  ///< one for each input of the op
    /// Values that ops which did not run would have read on its behalf, and loop values whose
    /// lifetime ends with it.
    std::vector<Token> through;
    std::vector<std::uint32_t> controls;
  };

  ExecutedReads(const Graph& graph, const StepGraph& step, const OpFactsTable& facts,
                const StepTrace& trace, const MeasuredStep& measured);

  /// By number: index of MeasuredStep::executions; kNone for number 0.
  [[nodiscard]] const std::vector<std::uint32_t>& execution_of() const { return execution_of_; }
  [[nodiscard]] OpId op_of(std::uint32_t at) const {
    return measured_.executions[execution_of_[at]].op;
  }
  /// Stores in `reads` what execution `at` reads. Call once for each, in ascending order, because a
  /// Merge consumes one value after the other.
  void find(std::uint32_t at, Reads& reads);
  /// The last value of `tensor`.
  [[nodiscard]] Token last_of(TensorId tensor) const;

 private:
  // What an op reads once those that did not run are taken out; tensors of the graph.
  struct Sources {
    enum class From : std::uint8_t {
      kNowhere,   // computed inside another op, or not at all
      kResident,  // there before the step: fed, or a constant
      kStep,
    };
    struct Slot {
      TensorId tensor;  // what is read here, seen through views that did not run
      From from = From::kNowhere;
    };
    bool is_known = false;
    std::vector<Slot> slots;        // declared inputs
    std::vector<TensorId> through;  // read through other ops that did not run
    std::vector<OpId> controls;
  };

  [[nodiscard]] OpKind kind(OpId op) const { return facts_.of(graph_, op).kind; }
  [[nodiscard]] bool runs(OpId op) const {
    return first_run_[op.index()] != first_run_[op.index() + 1];
  }
  [[nodiscard]] std::span<const std::uint32_t> runs_of(OpId op) const {
    return {runs_.data() + first_run_[op.index()],
            first_run_[op.index() + 1] - first_run_[op.index()]};
  }
  void find_runs();
  void find_sides(OpId op);
  void find_fed();
  void find_invariants();
  [[nodiscard]] bool is_invariant(OpId op) const;
  const Sources& sources_of(OpId op);
  [[nodiscard]] Sources::Slot source_of(TensorId tensor) const;
  void follow(std::vector<OpId> skipped, Sources& sources, std::vector<OpId>& waited_for) const;
  void follow_waits(std::vector<OpId> waited_for, Sources& sources) const;
  void wait_for(OpId op, Sources& sources, std::vector<OpId>& waited_for) const;
  [[nodiscard]] std::span<const std::uint32_t> tokens_of(TensorId tensor) const;
  [[nodiscard]] std::uint32_t token_for(std::uint32_t at,
                                        std::span<const std::uint32_t> tokens) const;
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> take_merged(std::uint32_t at, OpId op);

  const Graph& graph_;
  const StepGraph& step_;
  const OpFactsTable& facts_;
  const StepTrace& trace_;
  const MeasuredStep& measured_;
  std::vector<std::uint32_t> execution_of_;
  std::vector<std::uint32_t> first_run_, runs_;  // executions of each op, by number
  std::vector<std::uint32_t> number_of_;         // by execution: which one of its op it is
  std::vector<bool> fed_;                        // by op
  std::vector<Sources> sources_;                 // by op, once known
  // By execution that is the last of its loop: the Enter executions whose values end with it.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> ends_;
  // By tensor of the graph, for outputs of Switch; by Merge: tokens taken. Only looked up.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> sides_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> taken_;
};

}  // namespace tideline
