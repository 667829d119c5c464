// Turns the chosen swaps into copies, rerouted inputs and control edges.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/rewrite/lms/draft.h"
#include "core/rewrite/lms/guard.h"
#include "core/rewrite/lms/lms_plan.h"
#include "core/rewrite/lms2/context.h"
#include "core/rewrite/lms2/swaps.h"
#include "core/rewrite/unique_names.h"

namespace tideline::lms2 {

/// Adds every decision to both plan and draft. Call insert for every choice; then trigger_all,
/// unless swap-ins are synchronised; then synchronise; then find_risks. Everything passed in must
/// outlive it. Units: levels. Thread: not shared.
class Inserter {
 public:
  Inserter(const Context& context, const Guard& guard, Draft& draft, LmsPlan& plan, PlanUse use)
      : context_(context),
        guard_(guard),
        active_guard_(context.options.guard_conditionals ? &guard : nullptr),
        use_(use),
        draft_(draft),
        plan_(plan),
        names_(context.graph) {}

  /// Adds the swap-out and the swap-ins of one tensor and reroutes the inputs of the consumers in
  /// `choice`. Cost: O(inputs of the consumers).
  void insert(const SwapChoice& choice);
  /// Finds a trigger for every swap-in, and makes the swap-in wait for it. A swap-in without a
  /// trigger is synchronised instead, or never woken. Errors: kCancelled; plan and draft are then
  /// incomplete. Cost: one TriggerSearch for each swap-in.
  [[nodiscard]] Status trigger_all(Progress& progress);
  /// Adds the control edges of sync modes 1 to 3, for all active host ops, as the reference does:
  /// not only for copies. Cost: O(edges of the host ops) plus a search of the draft for each edge.
  void synchronise();
  /// Lists the added control edges that the guard rejects in LmsPlan::risky. Cost: O(control
  /// edges).
  void find_risks();
  /// The swap-ins that nothing can wake, as pairs (choice, group) by the order of insertion. Only
  /// with keep_fusion, and then they have to be left out; without, they are synchronised.
  [[nodiscard]] const std::vector<std::pair<std::size_t, std::size_t>>& never_woken() const {
    return never_woken_;
  }

 private:
  // `consumer`: the first that reads `tensor` from the host.
  OpId add_copy(bool is_back, TensorId tensor, TensorId input, OpId consumer);
  [[nodiscard]] std::string name_of_copy(bool is_back, TensorId tensor) const;
  void note_crossing();
  [[nodiscard]] OpId earliest(const ConsumerGroup& group) const;
  [[nodiscard]] std::vector<OpId> active_host_ops() const;

  const Context& context_;
  const Guard& guard_;
  const Guard* active_guard_;  // null: as the reference
  PlanUse use_;
  Draft& draft_;
  LmsPlan& plan_;
  UniqueNames names_;
  std::vector<std::pair<std::size_t, std::size_t>> never_woken_;
  std::int64_t crossing_ = 0;  // edges omitted because of loop frames
};

}  // namespace tideline::lms2
