// Peaks of parameter sets of LMS v2, for the search: by the play, or by the faithful model.
#pragma once

#include <memory>

#include "core/memory/step_graph.h"
#include "core/rewrite/lms2/play.h"
#include "core/rewrite/lms2/prepared.h"
#include "core/rewrite/lms2/tune.h"

namespace tideline::lms2 {

/// What a step needs with a parameter set. Both models count what LMS can do nothing about in their
/// own way: the compatible one leaves out trainable variables, the faithful one has them resident.
class SearchPeaks {
 public:
  /// `prepared` is set to each set that is asked for. Errors: those of build_play_graph; of
  /// TensorTable::build and build_step_graph. Precondition: graph, collections and prepared outlive
  /// this.
  [[nodiscard]] static Result<SearchPeaks> make(const Graph& graph, const Collections& collections,
                                                Prepared& prepared, const SearchModel& model);

  /// Errors: kCancelled. Cost: a play; or a plan and a faithful simulation.
  [[nodiscard]] Result<PlayResult> of(const SwapParameters& set, Progress& progress);
  [[nodiscard]] int levels() const { return levels_; }
  /// What the largest op reads and writes at once.
  [[nodiscard]] Bytes largest_need() const { return largest_need_; }

 private:
  explicit SearchPeaks(Prepared& prepared) : prepared_(&prepared) {}

  Prepared* prepared_;
  int levels_ = 0;
  Bytes largest_need_ = 0;
  std::unique_ptr<PlayGraph> play_;  // compatible
  std::unique_ptr<Player> player_;
  std::unique_ptr<StepGraph> step_;  // faithful
};

/// What a peak has to stay below: the share `ratio` of the device memory that the trainable
/// variables leave, and in the faithful model these, too.
[[nodiscard]] double search_budget(const SearchModel& model, Bytes device_memory, Bytes trainable,
                                   double ratio);
/// The smallest device memory whose budget is above `peak`.
[[nodiscard]] Bytes smallest_memory(const SearchModel& model, Bytes peak, Bytes trainable,
                                    double ratio);

}  // namespace tideline::lms2
