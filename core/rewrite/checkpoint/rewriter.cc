// Tested by the golden case checkpoint_ops.
#include "core/rewrite/checkpoint/rewriter.h"

#include "core/rewrite/checkpoint/checkpoint.h"
#include "core/rewrite/checkpoint/parameters.h"
#include "core/rewrite/checkpoint/report_json.h"
#include "core/rewrite/policy.h"

namespace tideline::checkpoint_ops {
namespace {

class Work final : public PreparedRewrite {
 public:
  explicit Work(RewriteInput input) : input_(std::move(input)) {}

  Result<Outcome> plan(const Policy& policy, bool /*explain*/, Progress& /*progress*/) override {
    TIDELINE_TRY(CheckpointPlan plan,
                 plan_checkpoint(*input_.graph, *input_.collections, input_.sizes.functions,
                                 options_of(policy.values)));
    Outcome outcome;
    outcome.plan.edit = std::move(plan.edit);
    outcome.plan.warnings = warnings_of("note", plan.report.notices);
    outcome.plan.report = std::make_shared<SaverReport>(std::move(plan.report));
    outcome.used = policy;
    set_values(options_of(policy.values), outcome.used.values);
    return outcome;
  }

 private:
  RewriteInput input_;
};

}  // namespace

const Rewriter& rewriter() {
  static const Rewriter kRewriter = {
      .id = "checkpoint",
      .title = "Checkpoint",
      .help = "Savers save and restore through a checkpoint backend, under the same names",
      .parameters = parameters(),
      .is_policy = false,
      .validate = validate_as<options_of>,
      .prepare = prepare_as<Work>,
  };
  return kRewriter;
}

}  // namespace tideline::checkpoint_ops
