// Rules 5, 6 and 8 of LMS v1: traverses the graph and adds copies, rerouted inputs and control
// edges.
#pragma once

#include <vector>

#include "core/base/progress.h"
#include "core/graph/walks.h"
#include "core/rewrite/lms/draft.h"
#include "core/rewrite/lms/lms_plan.h"
#include "core/rewrite/lms1/context.h"
#include "core/rewrite/lms1/readers.h"
#include "core/rewrite/lms1/trigger.h"
#include "core/rewrite/unique_names.h"

namespace tideline::lms1 {

/// Adds every decision to both plan and draft. Call run once. Thread: not shared.
class Inserter {
 public:
  Inserter(const Context& context, Draft& draft, TriggerSearch& triggers, LmsPlan& plan);

  /// Breadth-first from the starting ops through the forward ops; then the remaining tensors that
  /// the user wants swapped. Errors: kCancelled.
  /// Cost: O(ops + edges x log edges) plus the trigger searches.
  [[nodiscard]] Status run(const std::vector<OpId>& starting, Progress& progress);
  /// Whether `op` was considered as a source.
  [[nodiscard]] bool was_handled(OpId op) const { return handled_[op.index()]; }

 private:
  /// A source being handled. New sources found meanwhile are handled before the rest of it.
  struct Task {
    OpId source;
    std::vector<Readers> tensors = {};
    std::size_t next_tensor = 0;
    std::vector<OpId> consumers = {};  ///< of the current tensor, in file order
    std::size_t next_consumer = 0;
    std::size_t swap = 0;  ///< of the current tensor, in the plan
  };

  void handle(OpId source);
  [[nodiscard]] bool is_full_for(TensorId tensor) const;
  void begin(OpId source);
  [[nodiscard]] bool begin_tensor(Task& task);
  void find_new_sources(OpId from);
  void add_swap_out(const Readers& readers);
  void add_swap_in(std::size_t swap, std::vector<OpId> consumers);
  OpId add_copy(bool is_back, TensorId tensor, TensorId input, OpId consumer);
  [[nodiscard]] bool is_full() const;

  const Context& context_;
  Draft& draft_;
  TriggerSearch& triggers_;
  LmsPlan& plan_;
  UniqueNames names_;
  std::vector<bool> handled_;
  OpWalk met_;  // by find_new_sources
  std::vector<Task> tasks_;
  std::vector<OpId> new_sources_;
};

}  // namespace tideline::lms1
