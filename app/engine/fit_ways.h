// The ways to make a step fit, for `fit`: smaller batches, and what the rewriters of the table
// give.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/engine/fit.h"
#include "app/engine/fit_step.h"
#include "core/rewrite/rewriter.h"

namespace tideline::app {

/// What a rewriter does with a step.
struct TriedWay {
  FitWay way;
  Policy used;  ///< as requested; with it the same plan is made for another batch size
};

/// An entry of the table of rewriters, tried with each of its attempts (Rewriter::attempts); of
/// those with the same title the best counts, and of several numbers of devices the first that
/// fits. `steps` and `as_it_is`, its step, must outlive it. Thread: not shared.
class FitWays {
 public:
  FitWays(FitSteps& steps, const FitStep& as_it_is, Progress& progress)
      : steps_(steps), as_it_is_(as_it_is), progress_(progress) {}

  /// Tries every way. Errors: kCancelled alone. Cost: a plan and a simulation for each attempt.
  Status find(const LargestBatch& largest);
  /// The same for the table of rewriters alone.
  Status find_rewriters();

  [[nodiscard]] const std::vector<TriedWay>& tried() const { return tried_; }
  [[nodiscard]] std::vector<MissingWay> take_missing() { return std::move(missing_); }

  /// The step that `policy` gives for another batch. Errors: those of the rewriter, and of the
  /// simulation; kCancelled.
  [[nodiscard]] Result<FitWay> plan(const Rewriter& rewriter, const Attempt& attempt,
                                    const Policy& policy, std::int64_t batch);

 private:
  Status add_batches(const LargestBatch& largest);
  Status add_rewriter(const Rewriter& rewriter);
  /// An error is the reason why a way is missing, unless the work was cancelled by the user.
  Status miss(std::string title, const Error& error);
  [[nodiscard]] Policy policy_for(const Rewriter& rewriter, const Attempt& attempt) const;

  FitSteps& steps_;
  const FitStep& as_it_is_;
  Progress& progress_;
  std::vector<TriedWay> tried_;
  std::vector<MissingWay> missing_;
};

}  // namespace tideline::app
