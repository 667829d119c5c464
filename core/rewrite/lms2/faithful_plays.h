// Peaks and step times of parameter sets of LMS v2, by the faithful model.
#pragma once

#include <memory>

#include "core/memory/cost_model.h"
#include "core/memory/faithful.h"
#include "core/memory/step_graph.h"
#include "core/rewrite/lms/search.h"
#include "core/rewrite/lms2/prepared.h"
#include "core/rewrite/lms2/swap_parameters.h"

namespace tideline::lms2 {

/// The sizes that `options` ask for, on the faithful model.
[[nodiscard]] TensorOptions faithful_sizes(const Lms2Options& options);
[[nodiscard]] StepOptions step_options(const Lms2Options& options, const SearchModel& model);

/// Simulates the step that each parameter set gives, on the clock (step_clock.h). Thread: not
/// shared.
class FaithfulPlays {
 public:
  /// `prepared` is modified by each play. `budget`: of device memory, which no step exceeds. Graph,
  /// collections, prepared and the measured sizes must outlive this. Errors: those of
  /// TensorTable::build and build_step_graph.
  [[nodiscard]] static Result<FaithfulPlays> make(const Graph& graph,
                                                  const Collections& collections,
                                                  Prepared& prepared, const SearchModel& model,
                                                  Bytes budget);

  /// Errors: kCancelled. Cost: one plan, simulated.
  [[nodiscard]] Result<SearchPrediction> play(const SwapParameters& set, Progress& progress);
  /// The last play with another budget. Cost: the clock's.
  [[nodiscard]] SearchPrediction within(Bytes budget) const;
  /// As StepClock::least_memory, of the last play.
  [[nodiscard]] Bytes least_memory(Bytes below) const;
  /// What is held when: on the clock, or by steps, as if every copy were over at once.
  enum class Rooms : std::uint8_t { kOnTheClock, kBySteps };
  /// The swapped tensors of the last play with which kept the peak would stay below `limit`
  /// (swap_effect.h), the largest first.
  [[nodiscard]] std::vector<TensorId> idle_swaps(Bytes limit, Rooms rooms) const;

  [[nodiscard]] const StepGraph& step() const { return *step_; }
  /// The most bytes that a single op reads and writes.
  [[nodiscard]] Bytes largest_need() const { return largest_need_; }
  /// Tensors whose size was guessed.
  [[nodiscard]] std::int64_t unknown_sizes() const { return unknown_sizes_; }
  /// What can be given for them (step_ops.h).
  [[nodiscard]] const std::string& expected_sizes() const { return expected_sizes_; }
  /// A step without swaps.
  [[nodiscard]] const SearchPrediction& without() const { return without_; }

 private:
  FaithfulPlays(Prepared& prepared, CostModel costs, Bytes budget)
      : prepared_(&prepared), costs_(std::move(costs)), budget_(budget) {}

  Prepared* prepared_;
  CostModel costs_;
  Bytes budget_;
  std::unique_ptr<StepGraph> step_;
  Bytes largest_need_ = 0;
  std::int64_t unknown_sizes_ = 0;
  std::string expected_sizes_;
  SearchPrediction without_;
  // Of the last play.
  LmsPlan plan_;
  StepGraph edited_;
  FaithfulStep simulated_;
};

}  // namespace tideline::lms2
