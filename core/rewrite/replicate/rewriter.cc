// Tested by the golden case replicate.
#include "core/rewrite/replicate/rewriter.h"

#include "core/rewrite/policy.h"
#include "core/rewrite/replicate/parameters.h"
#include "core/rewrite/replicate/replicate.h"
#include "core/rewrite/replicate/report_json.h"

namespace tideline::replicate {
namespace {

// Nothing is kept between plans: hardly ever are there two for one graph.
class Work final : public PreparedRewrite {
 public:
  explicit Work(RewriteInput input) : input_(std::move(input)) {}

  Result<Outcome> plan(const Policy& policy, bool /*explain*/, Progress& progress) override {
    const ReplicateOptions options = options_of(policy.values);
    TIDELINE_TRY(ReplicatePlan plan,
                 plan_replicate(*input_.facts, *input_.collections, options, progress));
    Outcome outcome;
    outcome.plan.edit = std::move(plan.edit);
    outcome.plan.warnings = warnings_of("note", plan.report.notices);
    outcome.plan.report = std::make_shared<TowerReport>(std::move(plan.report));
    outcome.used = policy;
    set_values(options, outcome.used.values);
    return outcome;
  }

 private:
  RewriteInput input_;
};

}  // namespace

const Rewriter& rewriter() {
  static const Rewriter kRewriter = {
      .id = "replicate",
      .title = "Towers",
      .help = "Data parallelism: a copy of the forward and backward pass for each device",
      .parameters = parameters(),
      .is_policy = false,
      .validate = validate_as<options_of>,
      .prepare = prepare_as<Work>,
  };
  return kRewriter;
}

}  // namespace tideline::replicate
