// Tested by the golden case replicate.
#include "core/rewrite/replicate/rewriter.h"

#include "core/rewrite/policy.h"
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
  };
  return kRewriter;
}

}  // namespace tideline::replicate
