#include "core/rewrite/policy.h"

#include "core/rewrite/lms1/lms1.h"
#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/lms2/prepared.h"

namespace tideline {
namespace {

template <typename Options>
void add_common(const Policy& policy, const TensorOptions& sizes, bool explain, Options& options) {
  options.keep_tensors = policy.keep_tensors;
  options.swap_tensors = policy.swap_tensors;
  options.batch_size = sizes.batch_size;
  options.shapes = sizes.shapes;
  options.functions = sizes.functions;
  options.measured = sizes.measured;
  options.explain = explain;
}

// A plan without swaps has one reason for all tensors.
std::string why_nothing(const LmsPlan& plan) {
  if (plan.already_edited) return "the graph was edited before, it is left as it is";
  if (!plan.necessary) return "LMS is not necessary, everything fits";
  return "LMS is turned off (n_tensors 0)";
}

Status explain_nothing(const Graph& graph, const TensorOptions& sizes, LmsPlan& plan) {
  TensorOptions compatible = sizes;
  compatible.model = SizeModel::kCompatible;
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(graph, compatible));
  const std::string why = why_nothing(plan);
  for (const OpId op : graph.ops()) {
    for (std::uint32_t slot = 0; slot < tensors.output_count(op); ++slot) {
      plan.not_swapped.push_back({{op, slot}, tensors.bytes({op, slot}), why});
    }
  }
  return {};
}

// Whether a preparation for `a` serves `b`, too.
bool is_same_but_for_parameters(const Lms2Options& a, Lms2Options b) {
  b.swapout_threshold = a.swapout_threshold;
  b.swapin_ahead = a.swapin_ahead;
  b.swapin_groupby = a.swapin_groupby;
  b.sync_mode = a.sync_mode;
  return a == b;
}

}  // namespace

std::string_view policy_mode_name(PolicyMode mode) {
  switch (mode) {
    case PolicyMode::kOff: return "off";
    case PolicyMode::kLms1: return "lms1";
    case PolicyMode::kLms2: return "lms2";
  }
  return "";
}

std::optional<PolicyMode> find_policy_mode(std::string_view name) {
  for (const auto mode : {PolicyMode::kOff, PolicyMode::kLms1, PolicyMode::kLms2}) {
    if (name == policy_mode_name(mode)) return mode;
  }
  return std::nullopt;
}

bool Policy::is_automatic() const {
  return mode == PolicyMode::kLms2 && budget && needs_tuning(lms2);
}

Status validate(const Policy& policy) {
  switch (policy.mode) {
    case PolicyMode::kOff: return {};
    case PolicyMode::kLms1: return validate(policy.lms1);
    case PolicyMode::kLms2: break;
  }
  return policy.is_automatic() ? validate_tuning(policy.lms2, *policy.budget)
                               : validate(policy.lms2);
}

Planner::Planner(const Graph& graph, const Collections& collections, TensorOptions sizes)
    : graph_(&graph), collections_(&collections), sizes_(std::move(sizes)) {}
Planner::~Planner() = default;
Planner::Planner(Planner&&) noexcept = default;
Planner& Planner::operator=(Planner&&) noexcept = default;

Status Planner::plan_by_lms2(Progress& progress, PolicyPlan& result) {
  Lms2Options& options = result.used.lms2;
  if (result.used.is_automatic()) {
    TIDELINE_TRY(TunedPlan tuned,
                 plan_lms2_within(*graph_, *collections_, options, *result.used.budget, progress,
                                  result.used.search));
    options = std::move(tuned.options);
    result.plan = std::move(tuned.plan);
    result.tuned = std::move(tuned.tuned);
    return {};
  }
  if (!prepared_ || !is_same_but_for_parameters(prepared_->options(), options)) {
    TIDELINE_TRY(prepared_, lms2::Prepared::make(*graph_, *collections_, options));
  }
  prepared_->set(options.swapout_threshold, options.swapin_ahead, options.swapin_groupby,
                 options.sync_mode);
  TIDELINE_TRY(result.plan, prepared_->plan(progress));
  return {};
}

Result<PolicyPlan> Planner::plan(const Policy& policy, bool explain, Progress& progress) {
  PolicyPlan result;
  result.used = policy;
  if (policy.mode == PolicyMode::kOff) return result;
  add_common(policy, sizes_, explain, result.used.lms1);
  add_common(policy, sizes_, explain, result.used.lms2);
  TIDELINE_RETURN_IF_ERROR(validate(result.used));
  if (policy.mode == PolicyMode::kLms1) {
    TIDELINE_TRY(result.plan, plan_lms1(*graph_, *collections_, result.used.lms1, progress));
  } else {
    TIDELINE_RETURN_IF_ERROR(plan_by_lms2(progress, result));
  }
  if (explain && result.plan.swaps.empty() && result.plan.not_swapped.empty()) {
    TIDELINE_RETURN_IF_ERROR(explain_nothing(*graph_, sizes_, result.plan));
  }
  return result;
}

Result<PolicyPlan> make_plan(const Graph& graph, const Collections& collections,
                             const TensorOptions& sizes, const Policy& policy, bool explain,
                             Progress& progress) {
  return Planner(graph, collections, sizes).plan(policy, explain, progress);
}

Result<TuneResult> tune(const Graph& graph, const Collections& collections,
                        const TensorOptions& sizes, const Policy& policy, Progress& progress) {
  if (!policy.budget) {
    return fail(Code::kInvalidArgument, "--device-memory is missing; expected a SIZE");
  }
  Lms2Options options = policy.lms2;
  add_common(policy, sizes, /*explain=*/false, options);
  return tune_lms2(graph, collections, options, *policy.budget, progress, policy.search);
}

StepOptions step_options(const Policy& policy, std::vector<std::string> fetches,
                         const FunctionLibrary* functions) {
  StepOptions options;
  options.fetches = std::move(fetches);
  options.gpu_device = policy.lms2.gpu_device;
  options.functions = functions;
  return options;
}

}  // namespace tideline
