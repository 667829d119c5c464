// Tested by unit/rewrite/lms2/tune_test.cc and property/one_truth.py.
#include "core/rewrite/lms2/faithful_plays.h"

#include <algorithm>

#include "core/memory/step_edit.h"
#include "core/memory/step_ops.h"
#include "core/memory/step_time.h"
#include "core/rewrite/lms/swap_effect.h"

namespace tideline::lms2 {
namespace {

SearchPrediction prediction_of(const StepGraph& graph, const FaithfulStep& step,
                               const CostModel& costs) {
  const MemoryTimeline& timeline = step.timeline;
  SearchPrediction prediction;
  prediction.device_peak = timeline.device_peak;
  prediction.host_peak = timeline.host_peak;
  prediction.bytes_out = timeline.bytes_out;
  prediction.bytes_in = timeline.bytes_in;
  prediction.step_ns = estimate_time(graph, step, costs).step_ns();
  return prediction;
}

CostModel costs_of(const Lms2Options& options, const SearchModel& model) {
  if (options.measured == nullptr) return CostModel(model.profile);
  return CostModel(model.profile, options.measured->op_ns);
}

}  // namespace

TensorOptions faithful_sizes(const Lms2Options& options) {
  return {.batch_size = options.batch_size,
          .shapes = options.shapes,
          .rounds = options.rounds,
          .model = SizeModel::kFaithful,
          .functions = options.functions,
          .measured = options.measured};
}

Result<FaithfulPlays> FaithfulPlays::make(const Graph& graph, const Collections& collections,
                                          Prepared& prepared, const SearchModel& model) {
  const Lms2Options& options = prepared.options();
  FaithfulPlays plays(prepared, costs_of(options, model));
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(graph, faithful_sizes(options)));
  TIDELINE_TRY(const Fetches fetches, find_fetches(graph, collections, model.fetches));
  const std::vector<bool> of_step = step_ops(graph, fetches);
  plays.unknown_sizes_ = tideline::unknown_sizes(graph, tensors, of_step);
  plays.expected_sizes_ = tideline::expected_sizes(graph, tensors, of_step);
  TIDELINE_TRY(StepGraph step,
               build_step_graph(graph, tensors, collections,
                                {model.fetches, options.gpu_device, options.functions,
                                 options.measured, nullptr, model.run}));
  const FaithfulStep before = simulate_step(step);
  plays.largest_need_ = before.timeline.largest_need;
  plays.without_ = prediction_of(step, before, plays.costs_);
  plays.step_ = std::make_unique<StepGraph>(std::move(step));
  return plays;
}

Result<SearchPrediction> FaithfulPlays::play(const SwapParameters& set, Progress& progress) {
  prepared_->set(set.swapout_threshold, set.swapin_ahead, set.swapin_groupby, set.sync_mode);
  TIDELINE_TRY(plan_, prepared_->plan(progress, PlanUse::kPeak));
  return play(plan_);
}

SearchPrediction FaithfulPlays::play(const LmsPlan& plan) {
  edited_ = edited(*step_, prepared_->context().graph, plan.edit, prepared_->options().gpu_device);
  simulated_ = simulate_step(edited_);
  SearchPrediction played = prediction_of(edited_, simulated_, costs_);
  played.swapped_out_tensors = plan.swap_out_count();
  played.swap_ins = swap_in_count(plan.swaps);
  return played;
}

std::vector<TensorId> FaithfulPlays::idle_swaps(Bytes limit) const {
  std::vector<std::pair<Bytes, TensorId>> idle;
  const std::vector<SwapEffect> effects = swap_effects(edited_, simulated_, plan_.swaps, limit);
  for (std::size_t i = 0; i < effects.size(); ++i) {
    if (effects[i].has_room) idle.emplace_back(-effects[i].bytes, plan_.swaps[i].tensor);
  }
  std::sort(idle.begin(), idle.end());
  std::vector<TensorId> tensors;
  for (const auto& [bytes, tensor] : idle) tensors.push_back(tensor);
  return tensors;
}

}  // namespace tideline::lms2
