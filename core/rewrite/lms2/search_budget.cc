#include "core/rewrite/lms2/search_peaks.h"

#include <algorithm>
#include <limits>

#include "core/rewrite/lms2/play_input.h"
#include "core/rewrite/predict.h"

namespace tideline::lms2 {
namespace {

Result<StepGraph> build_step(const Graph& graph, const Collections& collections,
                             const Lms2Options& options, const SearchModel& model) {
  TIDELINE_TRY(const TensorTable tensors,
               TensorTable::build(graph, {.batch_size = options.batch_size,
                                          .shapes = options.shapes,
                                          .model = SizeModel::kFaithful,
                                          .functions = options.functions,
                                          .measured = options.measured}));
  return build_step_graph(graph, tensors, collections,
                          {model.fetches, options.gpu_device, options.functions});
}

}  // namespace

Result<SearchPeaks> SearchPeaks::make(const Graph& graph, const Collections& collections,
                                      Prepared& prepared, const SearchModel& model) {
  SearchPeaks peaks(prepared);
  peaks.levels_ = prepared.context().levels.count();
  if (model.is_faithful) {
    TIDELINE_TRY(StepGraph step, build_step(graph, collections, prepared.options(), model));
    peaks.step_ = std::make_unique<StepGraph>(std::move(step));
    peaks.largest_need_ = simulate_step(*peaks.step_).timeline.largest_need;
    return peaks;
  }
  TIDELINE_TRY(PlayGraph play, build_play_graph(prepared.context(), prepared.candidates(),
                                                prepared.variables().trainable));
  peaks.play_ = std::make_unique<PlayGraph>(std::move(play));
  peaks.player_ = std::make_unique<Player>(*peaks.play_);
  peaks.largest_need_ = peaks.play_->largest_need;
  return peaks;
}

Result<SearchPrediction> SearchPeaks::of(const SwapParameters& set, Progress& progress) {
  if (player_) return player_->play(set);
  prepared_->set(set.swapout_threshold, set.swapin_ahead, set.swapin_groupby, set.sync_mode);
  TIDELINE_TRY(const LmsPlan plan, prepared_->plan(progress));
  const FaithfulStep step =
      predict_step(*step_, prepared_->context().graph, plan, prepared_->options().gpu_device);
  const MemoryTimeline& timeline = step.timeline;
  return SearchPrediction{timeline.device_peak, timeline.host_peak, plan.swap_out_count(),
                          plan.swap_in_count(), timeline.bytes_out, timeline.bytes_in};
}

double search_budget(const SearchModel& model, Bytes device_memory, Bytes trainable, double ratio) {
  const double shared = static_cast<double>(device_memory - trainable) * ratio;
  return model.is_faithful ? shared + static_cast<double>(trainable) : shared;
}

Bytes smallest_memory(const SearchModel& model, Bytes peak, Bytes trainable, double ratio) {
  const auto fits = [&](Bytes memory) {
    return static_cast<double>(peak) < search_budget(model, memory, trainable, ratio);
  };
  const Bytes shared = model.is_faithful ? peak - trainable : peak;
  const double guess = static_cast<double>(shared) / ratio + static_cast<double>(trainable);
  if (guess >= static_cast<double>(std::numeric_limits<Bytes>::max() / 2)) {
    return std::numeric_limits<Bytes>::max();
  }
  // Rounding moves the bound by a few bytes at most.
  Bytes memory = std::max<Bytes>(static_cast<Bytes>(guess), 0);
  while (memory > 0 && fits(memory)) --memory;
  while (!fits(memory)) ++memory;
  return memory;
}

}  // namespace tideline::lms2
