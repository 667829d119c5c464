// Memory peaks of parameter sets for tuning LMS v2, by the play or by the faithful model.
#pragma once

#include <memory>

#include "core/memory/step_graph.h"
#include "core/rewrite/lms2/play.h"
#include "core/rewrite/lms2/prepared.h"
#include "core/rewrite/lms2/tune.h"

namespace tideline::lms2 {

/// The peak of a step with given parameters. The models differ in memory that LMS cannot swap: the
/// compatible one leaves out trainable variables, in the faithful one they are resident.
class SearchPeaks {
 public:
  /// `prepared` is modified by each call of `of`. Graph, collections and prepared must outlive
  /// this. Errors: those of build_play_graph, or of TensorTable::build and build_step_graph.
  [[nodiscard]] static Result<SearchPeaks> make(const Graph& graph, const Collections& collections,
                                                Prepared& prepared, const SearchModel& model);

  /// The peak with `set`. Errors: kCancelled. Cost: one play; or one plan and one faithful
  /// simulation.
  [[nodiscard]] Result<SearchPrediction> of(const SwapParameters& set, Progress& progress);
  [[nodiscard]] int levels() const { return levels_; }
  /// The most bytes that a single op reads and writes.
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

/// The budget that a peak has to stay below, in bytes: `ratio` of the device memory left by the
/// trainable variables; in the faithful model plus the trainable variables.
[[nodiscard]] double search_budget(const SearchModel& model, Bytes device_memory, Bytes trainable,
                                   double ratio);
/// The smallest device memory whose budget is above `peak`.
[[nodiscard]] Bytes smallest_memory(const SearchModel& model, Bytes peak, Bytes trainable,
                                    double ratio);

}  // namespace tideline::lms2
