// The ways to make a step fit, for `fit`: smaller batches, and what the rewriters of the table
// give.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/engine/fit.h"
#include "app/engine/fit_step.h"
#include "core/base/shared_progress.h"
#include "core/rewrite/rewriter.h"

namespace tideline::app {

/// What a rewriter does with a step.
struct TriedWay {
  FitWay way;
  Policy used;  ///< as requested; with it the same plan is made for another batch size
};

/// What was tried, and what could not be.
struct FoundWays {
  std::vector<TriedWay> tried;
  std::vector<MissingWay> missing;
};

/// An entry of the table of rewriters, tried with each of its attempts (Rewriter::attempts); of
/// those with the same title the best counts, and of several numbers of devices the first that
/// fits. `steps` and `as_it_is`, its step, must outlive it. Thread: not shared.
class FitWays {
 public:
  FitWays(const FitSteps& steps, const FitStep& as_it_is, SharedProgress& progress)
      : steps_(steps), as_it_is_(as_it_is), progress_(progress) {}
  /// Cancels what has begun.
  ~FitWays() { progress_.stop(); }
  FitWays(const FitWays&) = delete;
  FitWays& operator=(const FitWays&) = delete;

  /// Begins to try the rewriters of the table, on as many threads as there are other cores. Cost: a
  /// plan and a simulation for each attempt.
  void begin_rewriters();
  /// Adds a smaller batch, and the batch in parts. Errors: kCancelled alone.
  Status add_batches(const LargestBatch& largest, Progress& progress);
  /// Tries what has not begun, and waits for the rest. Errors: kCancelled alone.
  Status finish();

  /// Those that fit first, then by time of an example.
  [[nodiscard]] const std::vector<TriedWay>& tried() const { return found_.tried; }
  [[nodiscard]] std::vector<MissingWay> take_missing() { return std::move(found_.missing); }

  /// The step that `policy` gives for another batch. Errors: those of the rewriter, and of the
  /// simulation; kCancelled.
  [[nodiscard]] Result<FitWay> plan(const Rewriter& rewriter, const Attempt& attempt,
                                    const Policy& policy, std::int64_t batch,
                                    Progress& progress) const;

 private:
  struct Task {
    const Rewriter* rewriter;
    std::optional<Result<FoundWays>> found;
  };
  /// Works off tasks that nobody has begun.
  void work();
  [[nodiscard]] Result<FoundWays> try_rewriter(const Rewriter& rewriter, Progress& progress) const;
  /// An error is the reason why a way is missing, unless the work was cancelled by the user.
  Status miss(std::string title, const Error& error, std::vector<MissingWay>& missing) const;
  [[nodiscard]] Policy policy_for(const Rewriter& rewriter, const Attempt& attempt) const;

  const FitSteps& steps_;
  const FitStep& as_it_is_;
  SharedProgress& progress_;
  FoundWays found_;
  std::vector<Task> todo_;    // in the order of the table
  std::vector<Task*> order_;  // as they are begun
  std::atomic<std::size_t> next_ = 0;
  std::vector<std::jthread> threads_;  // last: they use the rest
};

}  // namespace tideline::app
