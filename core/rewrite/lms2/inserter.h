// Turns chosen swaps into copies, rerouted inputs and control edges.
#pragma once

#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/rewrite/draft.h"
#include "core/rewrite/guard.h"
#include "core/rewrite/lms2/context.h"
#include "core/rewrite/lms2/swaps.h"
#include "core/rewrite/lms_plan.h"
#include "core/rewrite/unique_names.h"

namespace tideline::lms2 {

/// Keeps plan and draft in step. Call insert for every choice, then trigger_all unless swap-ins are
/// synchronised, then synchronise, then find_risks.
class Inserter {
 public:
  Inserter(const Context& context, const Guard& guard, Draft& draft, LmsPlan& plan)
      : context_(context),
        guard_(guard),
        active_guard_(context.options.guard_conditionals ? &guard : nullptr),
        draft_(draft),
        plan_(plan),
        names_(context.graph) {}

  /// Adds the copies of one tensor and reroutes its far consumers.
  void insert(const SwapChoice& choice);
  /// Gives every swap-in an op to wait for; one for which there is none is synchronised instead.
  /// Errors: kCancelled.
  [[nodiscard]] Status trigger_all(Progress& progress);
  /// The edges of sync modes 1 to 3, for all host ops.
  void synchronise();
  /// Lists the control edges that the guard would not have made.
  void find_risks();

 private:
  OpId add_copy(const std::string& kind, TensorId tensor, TensorId input);
  [[nodiscard]] OpId earliest(const ConsumerGroup& group) const;
  [[nodiscard]] std::vector<OpId> active_host_ops() const;

  const Context& context_;
  const Guard& guard_;
  const Guard* active_guard_;  // null: as the reference
  Draft& draft_;
  LmsPlan& plan_;
  UniqueNames names_;
};

}  // namespace tideline::lms2
