// Tested by unit/rewrite/policy_test.cc.
#include "core/rewrite/policy.h"

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/rewrite/lms/own_ahead.h"

namespace tideline {
namespace {

Error unknown_rewriter(const std::string& id) {
  return {Code::kInvalidArgument,
          fmt::format("there is no rewriter '{}'; expected {}", id, rewriter_ids(true))};
}

}  // namespace

bool Policy::is_automatic() const {
  const Rewriter* entry = chosen();
  return entry != nullptr && entry->search && budget && entry->search->is_needed(values);
}

Status validate(const Policy& policy) {
  if (policy.is_off()) return {};
  const Rewriter* rewriter = policy.chosen();
  if (rewriter == nullptr) return tl::unexpected(unknown_rewriter(policy.rewriter));
  return policy.is_automatic() ? rewriter->search->validate(policy.values, *policy.budget)
                               : rewriter->validate(policy.values);
}

const Parameter* find_parameter(const Policy& policy, std::string_view name) {
  if (const Rewriter* rewriter = policy.chosen()) {
    if (const Parameter* found = rewriter->find(name)) return found;
  }
  for (const Rewriter* rewriter : rewriters()) {
    if (const Parameter* found = rewriter->find(name)) return found;
  }
  return nullptr;
}

Value value_of(const Policy& policy, std::string_view name) {
  const Parameter* parameter = find_parameter(policy, name);
  return parameter == nullptr ? Value() : policy.values.get(*parameter);
}

OverrideLists override_lists(const Policy& policy) {
  return {names_of(policy, "keep-tensors"), names_of(policy, "swap-tensors"),
          names_of(policy, kAheadTensors)};
}

std::vector<std::string> names_of(const Policy& policy, std::string_view name) {
  const Parameter* parameter = find_parameter(policy, name);
  return parameter == nullptr ? std::vector<std::string>() : policy.values.names(*parameter);
}

void set_value(Policy& policy, std::string_view name, Value value) {
  const Parameter* parameter = find_parameter(policy, name);
  TIDELINE_CHECK(parameter != nullptr);
  policy.values.set(*parameter, std::move(value));
}

Planner::Planner(const Graph& graph, const Collections& collections, TensorOptions sizes,
                 const GraphFacts* facts)
    : own_(graph, sizes.functions),
      input_{&graph, &collections, std::move(sizes), facts == nullptr ? &own_ : facts} {}

Result<Outcome> Planner::plan(const Policy& policy, bool explain, Progress& progress) {
  if (policy.is_off()) return Outcome{{}, policy, {}};
  TIDELINE_RETURN_IF_ERROR(validate(policy));
  if (!prepared_ || rewriter_ != policy.rewriter) {
    rewriter_ = policy.rewriter;
    prepared_ = policy.chosen()->prepare(input_);
  }
  return prepared_->plan(policy, explain, progress);
}

Result<Outcome> make_plan(const Graph& graph, const Collections& collections,
                          const TensorOptions& sizes, const Policy& policy, bool explain,
                          Progress& progress) {
  return Planner(graph, collections, sizes).plan(policy, explain, progress);
}

Result<SearchResult> tune(const Graph& graph, const Collections& collections,
                          const TensorOptions& sizes, const Policy& policy, Progress& progress) {
  if (!policy.budget) {
    return fail(Code::kInvalidArgument, "{{device-memory}} is missing; expected a SIZE");
  }
  const Rewriter* rewriter = policy.chosen();
  if (rewriter == nullptr || !rewriter->can_tune()) {
    return fail(Code::kInvalidArgument, "'{}' has no parameters to search for", policy.rewriter);
  }
  return rewriter->search->tune({&graph, &collections, sizes}, policy, progress);
}

RunModel with_executor(RunModel run, const Policy& policy, const DeviceProfile& profile) {
  if (run.as_run == AsRun::kOff || run.executor != Executor::kByDevices) return run;
  bool is_on_gpu = profile.knows_computing();
  if (const Rewriter* rewriter = policy.chosen()) {
    is_on_gpu = is_on_gpu || rewriter->is_policy;
    if (find_parameter(rewriter->parameters, "devices") != nullptr) {
      for (const std::string& device : names_of(policy, "devices")) {
        is_on_gpu = is_on_gpu || contains_ignoring_case(device, "gpu");
      }
    }
  }
  if (is_on_gpu) run.executor = Executor::kGpu;
  return run;
}

StepOptions step_options(const Policy& policy, std::vector<std::string> fetches,
                         const FunctionLibrary* functions) {
  StepOptions options;
  options.fetches = std::move(fetches);
  const Value device = value_of(policy, "gpu-device");
  if (const auto* name = std::get_if<std::string>(&device)) options.gpu_device = *name;
  options.functions = functions;
  return options;
}

}  // namespace tideline
