// Tested by unit/rewrite/lms2/tune_test.cc and property/one_truth.py.
#include "core/rewrite/lms2/faithful_plays.h"

#include <algorithm>

#include "core/memory/step_clock.h"
#include "core/memory/step_edit.h"
#include "core/memory/step_ops.h"
#include "core/rewrite/lms/swap_effect.h"
#include "core/rewrite/lms2/step_readers.h"

namespace tideline::lms2 {
namespace {

// A step that gets stuck has the time that it takes with enough memory.
SearchPrediction prediction_of(const StepGraph& graph, const FaithfulStep& step,
                               const CostModel& costs, Bytes budget) {
  const MemoryTimeline& timeline = step.timeline;
  const StepClock clock(graph, step, costs);
  const StepTime time = clock.time(budget);
  SearchPrediction prediction;
  prediction.device_peak =
      time.stuck ? std::max(time.stuck->bytes, timeline.device_peak) : time.device_peak;
  prediction.step_ns = time.stuck ? clock.time().step_ns() : time.step_ns();
  prediction.peak_by_steps = timeline.device_peak;
  prediction.host_peak = timeline.host_peak;
  prediction.bytes_out = timeline.bytes_out;
  prediction.bytes_in = timeline.bytes_in;
  return prediction;
}

CostModel costs_of(const Lms2Options& options, const SearchModel& model) {
  if (options.measured == nullptr) return CostModel(model.profile);
  return CostModel(model.profile, options.measured->op_ns, options.measured->span_ns);
}

}  // namespace

TensorOptions faithful_sizes(const Lms2Options& options) {
  return {.batch_size = options.batch_size,
          .shapes = options.shapes,
          .rounds = options.rounds,
          .model = SizeModel::kFaithful,
          .functions = options.functions,
          .measured = options.measured,
          .known = options.known};
}

StepOptions step_options(const Lms2Options& options, const SearchModel& model) {
  return {model.fetches,    options.gpu_device, options.functions,
          options.measured, options.facts,      model.run};
}

Result<FaithfulPlays> FaithfulPlays::make(const Graph& graph, const Collections& collections,
                                          Prepared& prepared, const SearchModel& model,
                                          Bytes budget) {
  const Lms2Options& options = prepared.options();
  FaithfulPlays plays(prepared, costs_of(options, model), budget);
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(graph, faithful_sizes(options)));
  TIDELINE_TRY(const Fetches fetches, find_fetches(graph, collections, model.fetches));
  const std::vector<bool> of_step = step_ops(graph, fetches);
  plays.expected_sizes_ = tideline::expected_sizes(graph, tensors, of_step);
  TIDELINE_TRY(StepGraph step,
               build_step_graph(graph, tensors, collections, step_options(options, model)));
  const FaithfulStep before = simulate_step(step);
  if (options.ignore_folded) prepared.leave_out_all_but(step_readers(step, before));
  plays.unknown_sizes_ =
      tideline::unknown_sizes(graph, tensors, computed_of(of_step, step, before.timeline.schedule));
  plays.largest_need_ = before.timeline.largest_need;
  plays.without_ = prediction_of(step, before, plays.costs_, budget);
  plays.step_ = std::make_unique<StepGraph>(std::move(step));
  return plays;
}

Result<SearchPrediction> FaithfulPlays::play(const SwapParameters& set, Progress& progress) {
  prepared_->set(set.swapout_threshold, set.swapin_ahead, set.swapin_groupby, set.sync_mode);
  TIDELINE_TRY(plan_, prepared_->plan(progress, PlanUse::kPeak));
  edited_ = edited(*step_, prepared_->context().graph, plan_.edit, prepared_->options().gpu_device);
  simulated_ = simulate_step(edited_, StepDetail::kBytes);
  return within(budget_);
}

SearchPrediction FaithfulPlays::within(Bytes budget) const {
  SearchPrediction played = prediction_of(edited_, simulated_, costs_, budget);
  played.swapped_out_tensors = plan_.swap_out_count();
  played.swap_ins = swap_in_count(plan_.swaps);
  return played;
}

Bytes FaithfulPlays::least_memory(Bytes below) const {
  return StepClock(edited_, simulated_, costs_).least_memory(below);
}

std::vector<TensorId> FaithfulPlays::idle_swaps(Bytes limit, Rooms rooms) const {
  std::vector<std::pair<Bytes, TensorId>> idle;
  std::vector<SwapEffect> effects;
  if (rooms == Rooms::kBySteps) {
    effects = swap_effects(edited_, simulated_, plan_.swaps, limit);
  } else {
    const FaithfulStep seen = StepClock(edited_, simulated_, costs_).timeline(budget_);
    effects = swap_effects(edited_, seen, plan_.swaps, limit);
  }
  for (std::size_t i = 0; i < effects.size(); ++i) {
    if (effects[i].has_room) idle.emplace_back(-effects[i].bytes, plan_.swaps[i].tensor);
  }
  std::sort(idle.begin(), idle.end());
  std::vector<TensorId> tensors;
  for (const auto& [bytes, tensor] : idle) tensors.push_back(tensor);
  return tensors;
}

}  // namespace tideline::lms2
