#include "core/rewrite/lms2/tune.h"

#include "core/analysis/loop_frames.h"
#include "core/analysis/while_names.h"
#include "core/graph/op_types.h"
#include "core/memory/step_ops.h"
#include "core/rewrite/lms2/faithful_plays.h"
#include "core/rewrite/lms2/play.h"
#include "core/rewrite/lms2/play_input.h"
#include "core/rewrite/lms2/prepared.h"
#include "core/rewrite/lms2/search_budget.h"
#include "core/rewrite/lms2/tune_faithful.h"

namespace tideline {
namespace lms2 {
namespace {

double in_gib(double bytes) {
  return bytes / kBytesPerGiB;
}

// Loops in the reference's sense, and those whose scope has another name.
bool has_loop(const Graph& graph, const WhileNames& names) {
  for (const OpId op : graph.ops()) {
    if (names.in_loop(op)) return true;
    if (is_next_iteration(graph.type(op))) return true;
  }
  return false;
}

// Sizes inside loops may be inferred, or measured unless ops there did not run.
Status check_loops(const Graph& graph, const WhileNames& names, const TensorTable& tensors,
                   bool is_measured) {
  const LoopFrames frames(graph);
  std::int64_t unknown = 0;
  TensorId first;
  for (const OpId op : graph.ops()) {
    if (frames.input_frame(op) == 0 && !names.in_loop(op)) continue;
    for (std::uint32_t slot = 0; slot < tensors.output_count(op); ++slot) {
      if (!tensors.is_unknown({op, slot})) continue;
      if (unknown++ == 0) first = {op, slot};
    }
  }
  if (unknown == 0) return {};
  return fail(Code::kInvalidArgument,
              "Auto-tuning needs the size of every tensor of a while-loop; {} {}, first: {}",
              unknown, is_measured ? "were not measured" : "are unknown", graph.tensor_name(first));
}

bool is_fed_with_batches(const Graph& graph, const TensorTable& tensors) {
  for (const OpId op : graph.ops()) {
    const std::string_view type = graph.type(op);
    if (type != "Placeholder" && type != "PlaceholderWithDefault") continue;
    for (std::uint32_t slot = 0; slot < tensors.output_count(op); ++slot) {
      const Shape& shape = tensors.shape({op, slot});
      if (shape.rank() > 0 && shape.dims[0] == kUnknownDim) return true;
    }
  }
  return false;
}

void log_budget(const TuneResult& result, const MemoryBudget& budget, const SearchModel& model,
                const Lms2Options& options, std::vector<std::string>& log) {
  log.emplace_back(
      "Searching values for parameters: swapout_threshold, swapin_ahead, swapin_groupby and "
      "sync_mode.");
  log.push_back(fmt::format("  device memory for the search: {:.2f} GiB (memory ratio: {})",
                            in_gib(result.device_budget), memory_ratio(budget, model)));
  log.push_back(fmt::format("  host memory for the search: {:.2f} GiB",
                            in_gib(static_cast<double>(budget.host))));
  if (options.batch_size) log.push_back(fmt::format("  batch size: {}", *options.batch_size));
}

void log_outcome(const TuneResult& result, std::vector<std::string>& log) {
  if (!result.found) {
    log.push_back(result.failure);
  } else if (!result.necessary) {
    log.emplace_back("LMS is not necessary. Turned LMS off.");
  } else if (result.only_forced) {
    log.emplace_back("The step fits if only the requested tensors are swapped.");
  }
}

// Adds a warning about sizes that the plays had to guess.
void note_guesses(TuneResult& result) {
  if (result.unknown_sizes == 0) return;
  result.warnings.push_back(
      {"sizes",
       fmt::format("{} tensors have an unknown size, which was guessed, mostly too low{}",
                   result.unknown_sizes, result.expected_sizes),
       {},
       result.unknown_sizes});
}

Status tune_compatible(const Collections& collections, const Prepared& prepared, Progress& progress,
                       TuneResult& result) {
  const Graph& whole = prepared.context().graph;
  TIDELINE_TRY(const Fetches fetches, find_fetches(whole, collections, {}));
  const std::vector<bool> of_step = step_ops(whole, fetches);
  result.unknown_sizes = unknown_sizes(whole, prepared.context().tensors, of_step);
  result.expected_sizes = expected_sizes(whole, prepared.context().tensors, of_step);
  TIDELINE_TRY(const PlayGraph graph, build_play_graph(prepared.context(), prepared.candidates(),
                                                       prepared.variables().trainable));
  Player player(graph);
  std::int64_t plays = 0;
  const PeakFunction peaks = [&](const SwapParameters& set) -> Result<SearchPrediction> {
    if (!progress.report("tuning", ++plays, 0)) return cancelled();
    return player.play(set);
  };
  result.lower_bound_bytes = graph.largest_need;
  return search_parameters(prepared.context().levels.count(),
                           swap_parameters_of(prepared.options()), result.device_budget, peaks,
                           result);
}

Status tune(const Graph& graph, const Collections& collections, Prepared& prepared,
            const MemoryBudget& budget, const SearchModel& model, bool wants_least_peak,
            Progress& progress, TuneResult& result) {
  const Lms2Options options = prepared.options();  // a copy: the search changes them
  result.trainable_bytes = prepared.trainable_bytes();
  result.device_budget = usable_memory(budget, model, result.trainable_bytes);
  log_budget(result, budget, model, options, result.log);
  TIDELINE_RETURN_IF_ERROR(
      model.is_faithful
          ? tune_faithful(graph, collections, prepared, model, wants_least_peak, progress, result)
          : tune_compatible(collections, prepared, progress, result));
  result.smallest_feasible_bytes =
      smallest_memory(model, result.least_peak, result.trainable_bytes, budget);
  if (result.found && result.prediction.host_peak >= budget.host) {
    result.warnings.push_back(
        {"host memory",
         fmt::format("likely to exceed the host memory: {} are needed, {} are given",
                     format_bytes(result.prediction.host_peak), format_bytes(budget.host))});
  }
  note_guesses(result);
  log_outcome(result, result.log);
  return {};
}

}  // namespace
}  // namespace lms2

std::string_view tune_stage_name(TuneStage stage) {
  switch (stage) {
    case TuneStage::kNecessity: return "without swaps";
    case TuneStage::kSyncMode: return "sync_mode";
    case TuneStage::kThreshold: return "swapout_threshold";
    case TuneStage::kAhead: return "swapin_ahead";
    case TuneStage::kGroupBy: return "swapin_groupby";
    case TuneStage::kLeastPeak: return "least peak";
    case TuneStage::kFastest: return "fastest";
  }
  return "";
}

Status validate_tuning(const Lms2Options& options, const MemoryBudget& budget) {
  Lms2Options rest = options;
  if (rest.swapout_threshold == -1) rest.swapout_threshold = 1;
  if (rest.swapin_ahead == -1) rest.swapin_ahead = 1;
  if (rest.swapin_groupby == -1) rest.swapin_groupby = 0;
  TIDELINE_RETURN_IF_ERROR(validate(rest));
  if (budget.ratio && (!(*budget.ratio > 0.0) || *budget.ratio > 1.0)) {
    return fail(Code::kInvalidArgument, "{{memory-ratio}} is {}; expected more than 0, at most 1",
                *budget.ratio);
  }
  return {};
}

bool needs_tuning(const Lms2Options& options) {
  if (options.swapout_threshold < 0) return true;
  if (options.syncs_swap_ins()) return false;
  return options.swapin_ahead < 0 || options.swapin_groupby < 0;
}

Lms2Options tuned_options(Lms2Options options, const SwapParameters& found) {
  options.swapout_threshold = found.swapout_threshold;
  options.swapin_ahead = found.swapin_ahead < 0 ? 1 : found.swapin_ahead;
  options.swapin_groupby = found.swapin_groupby < 0 ? 0 : found.swapin_groupby;
  options.sync_mode = found.sync_mode;
  return options;
}

namespace lms2 {
namespace {

Result<TuneResult> tune_prepared(Prepared& prepared, const Graph& graph,
                                 const Collections& collections, const MemoryBudget& budget,
                                 const SearchModel& model, bool wants_least_peak,
                                 Progress& progress) {
  TuneResult result;
  result.log = prepared.head().log;
  result.warnings = prepared.head().warnings;
  const MeasuredSizes* measured = prepared.options().measured;
  const WhileNames names(graph, prepared.options().swap_lists);
  if (!model.is_faithful && measured != nullptr && has_loop(graph, names)) {
    const std::string held = measured->peak > 0 ? fmt::format(": the traced step held {} in total",
                                                              format_bytes(measured->peak))
                                                : "";
    result.warnings.push_back(
        {"loop",
         fmt::format("The graph has a while-loop, whose sizes are those of the traced step; its "
                     "body counts as one iteration, with the largest size of each tensor. Memory "
                     "kept between iterations is not counted{}.",
                     held)});
  }
  if (prepared.already_edited()) {
    result.already_edited = true;
    result.found = true;
    return result;
  }
  if (!prepared.options().batch_size && is_fed_with_batches(graph, prepared.context().tensors)) {
    return fail(Code::kInvalidArgument,
                "It seems you are feeding data via placeholders. LMS does not have enough "
                "information to auto tune parameters automatically. Please give {{batch-size}}, "
                "or values for {{swapout-threshold}}, {{swapin-ahead}} and {{swapin-groupby}}");
  }
  TIDELINE_RETURN_IF_ERROR(
      tune(graph, collections, prepared, budget, model, wants_least_peak, progress, result));
  return result;
}

// The play has no loops; the faithful model counts their rounds.
Result<std::unique_ptr<Prepared>> prepare(const Graph& graph, const Collections& collections,
                                          const Lms2Options& options, const MemoryBudget& budget,
                                          const SearchModel& model) {
  TIDELINE_RETURN_IF_ERROR(validate_tuning(options, budget));
  const WhileNames names(graph, options.swap_lists);
  const bool loops = has_loop(graph, names);
  const bool is_measured = options.measured != nullptr;
  if (loops && !is_measured && !model.is_faithful) {
    return fail(Code::kInvalidArgument,
                "Auto-tuning does not work since the graph has a while-loop. Please set LMS "
                "parameters manually.");
  }
  TIDELINE_TRY(auto prepared, Prepared::make(graph, collections, options));
  if (!loops || prepared->already_edited()) return prepared;
  if (!model.is_faithful) {
    TIDELINE_RETURN_IF_ERROR(check_loops(graph, names, prepared->context().tensors, is_measured));
    return prepared;
  }
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(graph, faithful_sizes(options)));
  TIDELINE_RETURN_IF_ERROR(check_loops(graph, names, tensors, is_measured));
  return prepared;
}

}  // namespace
}  // namespace lms2

Result<TuneResult> tune_lms2(const Graph& graph, const Collections& collections,
                             const Lms2Options& options, const MemoryBudget& budget,
                             Progress& progress, const SearchModel& model) {
  TIDELINE_TRY(const auto prepared, lms2::prepare(graph, collections, options, budget, model));
  return lms2::tune_prepared(*prepared, graph, collections, budget, model,
                             /*wants_least_peak=*/true, progress);
}

Result<TunedPlan> plan_lms2_within(const Graph& graph, const Collections& collections,
                                   const Lms2Options& options, const MemoryBudget& budget,
                                   Progress& progress, const SearchModel& model,
                                   TuneResult* missed) {
  TIDELINE_TRY(const auto prepared, lms2::prepare(graph, collections, options, budget, model));
  TunedPlan result;
  TIDELINE_TRY(result.tuned, lms2::tune_prepared(*prepared, graph, collections, budget, model,
                                                 /*wants_least_peak=*/false, progress));
  const TuneResult& tuned = result.tuned;
  if (!tuned.found) {
    if (missed != nullptr) *missed = tuned;
    return fail(Code::kOverBudget, "{}", missed_budget(tuned, budget));
  }
  result.options = tuned_options(options, tuned.parameters);
  result.options.keep_tensors.insert(result.options.keep_tensors.end(), tuned.kept.begin(),
                                     tuned.kept.end());
  if (tuned.already_edited || !tuned.necessary) {
    result.plan = prepared->head();
    result.plan.log = tuned.log;
    result.plan.edit.control.clear();
    result.plan.necessary = tuned.already_edited;
    return result;
  }
  prepared->set(result.options.swapout_threshold, result.options.swapin_ahead,
                result.options.swapin_groupby, result.options.sync_mode);
  TIDELINE_TRY(result.plan, prepared->plan(progress));
  // The lines of the search come between the facts of the graph and the plan.
  auto& log = result.plan.log;
  const auto facts = static_cast<std::ptrdiff_t>(prepared->head().log.size());
  log.insert(log.begin() + facts, tuned.log.begin() + facts, tuned.log.end());
  std::vector<Warning>& warnings = result.plan.warnings;
  for (const Warning& warning : tuned.warnings) {
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
      warnings.push_back(warning);
    }
  }
  return result;
}

}  // namespace tideline
