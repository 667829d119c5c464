// Tested by the golden case replicate.
#include "core/rewrite/replicate/rewriter.h"

#include "core/analysis/structure/training_roles.h"
#include "core/rewrite/policy.h"
#include "core/rewrite/replicate/on_cluster.h"
#include "core/rewrite/replicate/replicate.h"
#include "core/rewrite/replicate/report_json.h"

namespace tideline::replicate {
namespace {

Result<Outcome> plan(const RewriteInput& input, const Policy& policy, bool /*explain*/,
                     Progress& progress) {
  const ReplicateOptions options = options_of<ReplicateOptions>(policy.values);
  TIDELINE_TRY(ReplicatePlan plan,
               plan_replicate(*input.facts, *input.collections, options, progress));
  Outcome outcome;
  outcome.plan.edit = std::move(plan.edit);
  outcome.plan.warnings = warnings_of("note", plan.report.notices);
  outcome.plan.report = std::make_shared<TowerReport>(std::move(plan.report));
  outcome.used = policy;
  set_values(options, outcome.used.values);
  return outcome;
}

// Towers whose losses are averaged, so that the learning rate keeps its meaning.
Result<std::vector<Attempt>> attempts(const TrainingRoles& roles, const Graph& graph) {
  if (!roles.loss) return fail(Code::kUnsupported, "no loss is found; expected {{loss}}");
  if (!roles.train_op.valid()) {
    return fail(Code::kUnsupported, "no op updates the variables; expected {{train-op}}");
  }
  if (roles.inputs.empty()) {
    return fail(Code::kUnsupported, "no input has the batch as its first dim; expected {{split}}");
  }
  std::vector<Attempt> list;
  for (const int count : {2, 4, 8}) {
    ReplicateOptions options;
    for (int i = 0; i < count; ++i) options.devices.push_back(fmt::format("/device:GPU:{}", i));
    for (const TensorId input : roles.inputs) options.split.push_back(graph.tensor_name(input));
    options.loss = graph.tensor_name(*roles.loss);
    options.train_op = graph.name(roles.train_op);
    options.average = true;
    Attempt attempt{fmt::format("towers on {} devices", count), {}, count};
    set_values(options, attempt.values);
    list.push_back(std::move(attempt));
  }
  return list;
}

}  // namespace

const Rewriter& rewriter() {
  static const Rewriter kRewriter = {
      .id = "replicate",
      .title = "Towers",
      .help = "Data parallelism: a copy of the forward and backward pass for each device",
      .parameters = parameters_of<ReplicateOptions>(),
      .is_policy = false,
      .validate = validate_as<ReplicateOptions>,
      .prepare = prepare_stateless<plan>,
      .attempts = attempts,
      .use_cluster = use_cluster,
  };
  return kRewriter;
}

}  // namespace tideline::replicate
