// Tested by the golden case checkpoint_ops.
#include "core/rewrite/checkpoint/rewriter.h"

#include "core/rewrite/checkpoint/checkpoint.h"
#include "core/rewrite/checkpoint/report_json.h"
#include "core/rewrite/policy.h"

namespace tideline::checkpoint_ops {
namespace {

Result<Outcome> plan(const RewriteInput& input, const Policy& policy, bool /*explain*/,
                     Progress& /*progress*/) {
  TIDELINE_TRY(CheckpointPlan plan,
               plan_checkpoint(*input.graph, *input.collections, input.sizes.functions,
                               options_of<CheckpointOptions>(policy.values)));
  Outcome outcome;
  outcome.plan.edit = std::move(plan.edit);
  outcome.plan.warnings = warnings_of("note", plan.report.notices);
  outcome.plan.report = std::make_shared<SaverReport>(std::move(plan.report));
  outcome.used = policy;
  set_values(options_of<CheckpointOptions>(policy.values), outcome.used.values);
  return outcome;
}

}  // namespace

const Rewriter& rewriter() {
  static const Rewriter kRewriter = {
      .id = "checkpoint",
      .title = "Checkpoint",
      .help = "Savers save and restore through a checkpoint backend, under the same names",
      .parameters = parameters_of<CheckpointOptions>(),
      .is_policy = false,
      .validate = validate_as<CheckpointOptions>,
      .prepare = prepare_stateless<plan>,
  };
  return kRewriter;
}

}  // namespace tideline::checkpoint_ops
