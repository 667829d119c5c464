// The analyses of a graph that LMS v2 needs, computed once for many plans.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/variables.h"
#include "core/base/progress.h"
#include "core/graph/collections.h"
#include "core/rewrite/lms/draft.h"
#include "core/rewrite/lms/lms_plan.h"
#include "core/rewrite/lms2/candidates.h"
#include "core/rewrite/lms2/context.h"
#include "core/rewrite/lms2/swaps.h"

namespace tideline::lms2 {

/// A graph with everything that does not depend on threshold, ahead, group-by and sync mode: levels
/// after serialisation, sizes, activity, candidates. Those four, and the overrides of tensors, can
/// be set before each plan. The graph must outlive it. Thread: not shared.
class Prepared {
 public:
  /// Errors: kNotFound for scopes and types that match nothing; kCorrupt from sizes and
  /// attributes; kInvalidArgument for malformed levels to serialise. Cost: O(ops + edges) plus
  /// shape inference.
  [[nodiscard]] static Result<std::unique_ptr<Prepared>> make(const Graph& graph,
                                                              const Collections& collections,
                                                              const Lms2Options& options);

  [[nodiscard]] bool already_edited() const { return head_.already_edited; }
  [[nodiscard]] const Context& context() const { return *context_; }
  [[nodiscard]] const Candidates& candidates() const { return candidates_; }
  [[nodiscard]] const Variables& variables() const { return variables_; }
  [[nodiscard]] Bytes trainable_bytes() const { return trainable_bytes_; }
  [[nodiscard]] const Lms2Options& options() const { return options_; }
  /// Sets the values for the next plan. Precondition: they pass validate.
  void set(int swapout_threshold, int swapin_ahead, int swapin_groupby, int sync_mode);

  /// Lets only ops that read something read and make swapped tensors, by op (step_readers.h).
  /// Precondition: before the first plan.
  void leave_out_all_but(const std::vector<bool>& reads);
  /// Keeps `tensor` on the device from now on, as Lms2Options::keep_tensors does. Precondition: the
  /// user does not ask for it to be swapped.
  void keep(TensorId tensor);
  [[nodiscard]] const Overrides& overrides() const { return candidates_.overrides; }
  void set_overrides(Overrides overrides) { candidates_.overrides = std::move(overrides); }
  /// As Lms2Options::keep_tensors, swap_tensors and ahead_tensors. Errors: those of
  /// Overrides::find.
  [[nodiscard]] Status set_tensors(const OverrideLists& lists);

  /// Plans with the current values. Errors: kCancelled.
  [[nodiscard]] Result<LmsPlan> plan(Progress& progress, PlanUse use = PlanUse::kReport) const;
  /// An empty plan with the log of the preparation.
  [[nodiscard]] const LmsPlan& head() const { return head_; }

 private:
  Prepared(const Graph& graph, const Lms2Options& options);
  Status find_facts(const Collections& collections);
  Status find_lists(const GraphFacts& facts);
  [[nodiscard]] Context context_of(const Graph& graph) const;
  Status serialize();
  [[nodiscard]] LmsPlan empty_plan(PlanUse use) const;
  /// The plan for these choices; nothing when some of them have to be left out, which it does.
  Result<std::optional<LmsPlan>> plan_of(std::vector<SwapChoice>& choices,
                                         std::vector<KeptTensor>& kept, Progress& progress,
                                         PlanUse use) const;
  /// What a report says besides. `all`: the number of choices before any was left out.
  void finish(const std::vector<SwapChoice>& choices, std::vector<KeptTensor> kept, std::size_t all,
              LmsPlan& plan) const;

  const Graph& graph_;
  Lms2Options options_;
  Placement placement_;
  LmsPlan head_;
  std::optional<Consumers> consumers_;
  std::vector<bool> inactive_;
  std::optional<TensorTable> tensors_;
  std::optional<LoopLists> lists_;
  Variables variables_;
  Bytes trainable_bytes_ = 0;
  std::optional<LevelMap> levels_;
  std::optional<Conditions> conditions_;
  std::optional<Graph> serialized_;
  Candidates candidates_;
  std::optional<Context> context_;
  std::optional<Draft> unedited_;  // what every plan begins with
};

}  // namespace tideline::lms2
