#include "core/rewrite/lms2/rewriter.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/rewrite/lms/explain.h"
#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/lms2/prepared.h"
#include "core/rewrite/lms2/simulate.h"
#include "core/rewrite/lms2/step_readers.h"
#include "core/rewrite/lms2/tune.h"
#include "core/rewrite/policy.h"
#include "core/rewrite/size_options.h"

namespace tideline::lms2 {
namespace {

// Whether a preparation for `a` serves `b`, too.
bool is_same_but_for_parameters(const Lms2Options& a, Lms2Options b) {
  b.swapout_threshold = a.swapout_threshold;
  b.swapin_ahead = a.swapin_ahead;
  b.swapin_groupby = a.swapin_groupby;
  b.sync_mode = a.sync_mode;
  b.keep_tensors = a.keep_tensors;
  b.swap_tensors = a.swap_tensors;
  b.ahead_tensors = a.ahead_tensors;
  return a == b;
}

Lms2Options sized_options(const RewriteInput& input, const Values& values) {
  Lms2Options options = options_of<Lms2Options>(values);
  take_sizes(input.sizes, options);
  options.facts = input.facts;
  return options;
}

// Automatic mode, unless it is the reference's, gives a plan with which the numbers are the same,
// and copies nothing back that nothing reads.
Lms2Options searched_options(const RewriteInput& input, const Policy& policy) {
  Lms2Options options = sized_options(input, policy.values);
  if (!policy.search.is_faithful) return options;
  options.ignore_folded = policy.search.run.as_run != AsRun::kOff;
  for (const std::string_view type : input.graph->types()) {
    if (type == "Switch" || type == "RefSwitch") options.guard_conditionals = true;
  }
  return options;
}

Values values_of(const SwapParameters& set) {
  Lms2Options options;
  options.swapout_threshold = set.swapout_threshold;
  options.swapin_ahead = set.swapin_ahead;
  options.swapin_groupby = set.swapin_groupby;
  options.sync_mode = set.sync_mode;
  Values values;
  set_values(options, values);
  return values;
}

SearchResult search_result(const TuneResult& tuned, const Lms2Options& options) {
  SearchResult result;
  static_cast<SearchFindings&>(result) = tuned;
  result.values = values_of(tuned.parameters);
  result.switches = {{"guard-conditionals", options.guard_conditionals},
                     {"ignore-folded", options.ignore_folded}};
  for (const TuneTrial& trial : tuned.trials) {
    result.trials.push_back({tune_stage_name(trial.stage), values_of(trial.parameters),
                             trial.device_peak, trial.host_peak, trial.step_ns, trial.fits,
                             trial.is_best});
  }
  return result;
}

// Keeps the facts about the graph that threshold, ahead, group-by, sync mode and the lists of
// tensors do not change.
class Work final : public PreparedRewrite {
 public:
  explicit Work(RewriteInput input) : input_(std::move(input)) {}

  Result<Outcome> plan(const Policy& policy, bool explain, Progress& progress) override {
    Lms2Options options = policy.is_automatic() ? searched_options(input_, policy)
                                                : sized_options(input_, policy.values);
    options.explain = explain;
    missed_.reset();
    Outcome outcome;
    LmsPlan plan;
    if (policy.is_automatic()) {
      TIDELINE_TRY(TunedPlan tuned, plan_within(options, policy, progress));
      options = std::move(tuned.options);
      plan = std::move(tuned.plan);
      outcome.tuned = search_result(tuned.tuned, options);
    } else {
      TIDELINE_TRY(plan, plan_with(options, policy.search, progress));
    }
    if (explain)
      TIDELINE_RETURN_IF_ERROR(explain_nothing(input_, "there is nothing to change", plan));
    outcome.plan = finished(*input_.graph, std::move(plan));
    if (!options.ignore_folded) outcome.plan.unread_remedy = "ignore-folded";
    outcome.used = policy;
    set_values(options, outcome.used.values);
    return outcome;
  }

  [[nodiscard]] const SearchResult* missed() const override {
    return missed_ ? &*missed_ : nullptr;
  }

 private:
  Result<TunedPlan> plan_within(const Lms2Options& options, const Policy& policy,
                                Progress& progress) {
    TuneResult tried;
    auto tuned = plan_lms2_within(*input_.graph, *input_.collections, options, *policy.budget,
                                  progress, policy.search, &tried);
    if (!tuned && !tried.trials.empty()) missed_ = search_result(tried, options);
    return tuned;
  }

  Result<LmsPlan> plan_with(const Lms2Options& options, const SearchModel& model,
                            Progress& progress) {
    const bool is_other_step = options.ignore_folded && !(model == model_);
    if (!facts_ || is_other_step || !is_same_but_for_parameters(facts_->options(), options)) {
      TIDELINE_TRY(facts_, Prepared::make(*input_.graph, *input_.collections, options));
      model_ = model;
      if (options.ignore_folded && !facts_->already_edited()) {
        TIDELINE_TRY(const auto reads,
                     step_readers(*input_.graph, *input_.collections, options, model));
        facts_->leave_out_all_but(reads);
      }
    }
    facts_->set(options.swapout_threshold, options.swapin_ahead, options.swapin_groupby,
                options.sync_mode);
    TIDELINE_RETURN_IF_ERROR(
        facts_->set_tensors({options.keep_tensors, options.swap_tensors, options.ahead_tensors}));
    return facts_->plan(progress);
  }

  RewriteInput input_;
  std::unique_ptr<Prepared> facts_;  // of the last plan that was no search
  SearchModel model_;                // for which they were made
  std::optional<SearchResult> missed_;
};

void set_where_missing(Values& values, int threshold, int ahead, int group_by) {
  Lms2Options options = options_of<Lms2Options>(values);
  if (options.swapout_threshold < 0) options.swapout_threshold = std::max(1, threshold);
  if (options.swapin_ahead < 0) options.swapin_ahead = ahead;
  if (options.swapin_groupby < 0) options.swapin_groupby = group_by;
  set_values(options, values);
}

std::string describe(const Values& values, bool with_defaults) {
  const Lms2Options options = options_of<Lms2Options>(values);
  std::string text = fmt::format("threshold {}, ahead {}, group-by {}", options.swapout_threshold,
                                 options.swapin_ahead, options.swapin_groupby);
  if (with_defaults || options.sync_mode != 0) {
    text += fmt::format(", sync mode {}", options.sync_mode);
  }
  return text;
}

Result<CountedStep> count_step(const RewriteInput& input, const Values& values, bool with_swaps) {
  TIDELINE_TRY(
      CompatibleSimulation counted,
      simulate_lms2(*input.graph, *input.collections, sized_options(input, values), with_swaps));
  return CountedStep{std::move(counted.before), std::move(counted.after)};
}

// The parameters that a search tries.
std::span<const Parameter* const> swap_parameters() {
  static const std::array kSearched = [] {
    const auto all = parameters_of<Lms2Options>();
    return std::array{find_parameter(all, "swapout-threshold"), find_parameter(all, "swapin-ahead"),
                      find_parameter(all, "swapin-groupby"), find_parameter(all, "sync-mode")};
  }();
  return kSearched;
}

const Search kSearch = {
    .parameters = swap_parameters(),
    .is_needed = [](const Values& values) { return needs_tuning(options_of<Lms2Options>(values)); },
    .validate =
        [](const Values& values, const MemoryBudget& budget) {
          return validate_tuning(options_of<Lms2Options>(values), budget);
        },
    .tune = [](const RewriteInput& input, const Policy& policy,
               Progress& progress) -> Result<SearchResult> {
      const Lms2Options options = searched_options(input, policy);
      TIDELINE_TRY(const TuneResult tuned, tune_lms2(*input.graph, *input.collections, options,
                                                     *policy.budget, progress, policy.search));
      return search_result(tuned, options);
    },
    // No distance is larger than the number of levels.
    .give_up = [](Values& values, std::int32_t levels) { set_where_missing(values, levels, 1, 0); },
};

}  // namespace

const Rewriter& rewriter() {
  static const Rewriter kRewriter = {
      .id = "lms2",
      .title = "LMS v2",
      .help = "Large model support, version 2: swap tensors to the host and back",
      .parameters = parameters_of<Lms2Options>(),
      .validate = validate_as<Lms2Options>,
      .prepare = prepare_as<Work>,
      .add_starting_values =
          [](Values& values, std::int32_t levels) { set_where_missing(values, levels / 4, 3, 0); },
      .describe = describe,
      .search = kSearch,
      .count_step = count_step,
      .attempts = [](const TrainingRoles&, const Graph&) -> Result<std::vector<Attempt>> {
        return std::vector<Attempt>{{"LMS v2", {}}};
      },
      .include_scopes = find_parameter(parameters_of<Lms2Options>(), "incl-output-by-scopes"),
      .exclude_scopes = find_parameter(parameters_of<Lms2Options>(), "excl-output-by-scopes"),
      .python_batch_size = "batch_size",
      .python_device_memory = "autotune_gpu_mem",
  };
  return kRewriter;
}

}  // namespace tideline::lms2
