// Tested by the golden case sections.
#include "core/rewrite/sections/rewriter.h"

#include "core/analysis/structure/training_roles.h"
#include "core/rewrite/policy.h"
#include "core/rewrite/sections/report_json.h"
#include "core/rewrite/sections/sections.h"

namespace tideline::sections {
namespace {

Result<Outcome> plan(const RewriteInput& input, const Policy& policy, bool, Progress& progress) {
  SectionsOptions options = options_of<SectionsOptions>(policy.values);
  options.batch_size = input.sizes.batch_size;
  options.run = policy.search.run;
  std::optional<Bytes> limit;
  if (policy.budget && policy.budget->device > 0) {
    limit = static_cast<Bytes>(static_cast<double>(policy.budget->device) *
                               policy.budget->ratio.value_or(1.0));
  }
  TIDELINE_TRY(SectionsPlan made, plan_sections(*input.facts, *input.collections, input.sizes,
                                                options, limit, progress));
  Outcome outcome;
  outcome.plan.edit = std::move(made.edit);
  outcome.plan.warnings = warnings_of("note", made.report.notices);
  outcome.plan.report = std::make_shared<const SectionsPlanReport>(std::move(made.report));
  outcome.used = policy;
  set_values(options, outcome.used.values);
  return outcome;
}

bool leaves_borders_open(const Values& values) {
  const SectionsOptions options = options_of<SectionsOptions>(values);
  return options.scopes.empty() && options.levels.empty() && options.count < 0;
}

Status validate_search(const Values& values, const MemoryBudget& budget) {
  if (budget.device <= 0) {
    return fail(Code::kInvalidArgument, "{{device-memory}} is 0; expected a SIZE");
  }
  return tideline::validate(options_of<SectionsOptions>(values), /*has_budget=*/true);
}

Result<std::vector<Attempt>> attempts(const TrainingRoles& roles, const Graph& graph) {
  if (!roles.loss) return fail(Code::kUnsupported, "no loss is found; expected {{loss}}");
  if (!roles.train_op.valid()) {
    return fail(Code::kUnsupported, "no op updates the variables; expected {{train-op}}");
  }
  SectionsOptions options;
  options.loss = graph.tensor_name(*roles.loss);
  options.train_op = graph.name(roles.train_op);
  Attempt attempt{"sections", {}};
  set_values(options, attempt.values);
  return std::vector{std::move(attempt)};
}

}  // namespace

const Rewriter& rewriter() {
  static const Rewriter kRewriter = {
      .id = "sections",
      .title = "Sections",
      .help = "Section-wise training: a forward run, then one backward run for each section",
      .parameters = parameters_of<SectionsOptions>(),
      .is_policy = false,
      .validate = validate_as<SectionsOptions>,
      .prepare = prepare_stateless<plan>,
      .search = Search{.parameters = {},
                       .has_host_budget = false,
                       .has_models = false,
                       .is_needed = leaves_borders_open,
                       .validate = validate_search,
                       .tune = nullptr,
                       .give_up = nullptr},
      .attempts = attempts,
  };
  return kRewriter;
}

}  // namespace tideline::sections
