#include "core/rewrite/lms1/rewriter.h"

#include "core/analysis/structure/training_roles.h"
#include "core/rewrite/lms/explain.h"
#include "core/rewrite/lms1/lms1.h"
#include "core/rewrite/policy.h"
#include "core/rewrite/size_options.h"

namespace tideline::lms1 {
namespace {

Result<Outcome> plan(const RewriteInput& input, const Policy& policy, bool explain,
                     Progress& progress) {
  Lms1Options options = options_of<Lms1Options>(policy.values);
  take_sizes(input.sizes, options);
  options.explain = explain;
  Outcome outcome;
  TIDELINE_TRY(LmsPlan plan, plan_lms1(*input.graph, *input.collections, options, progress));
  if (explain) {
    TIDELINE_RETURN_IF_ERROR(explain_nothing(input, "LMS is turned off (n_tensors 0)", plan));
  }
  outcome.plan = finished(*input.graph, std::move(plan));
  outcome.used = policy;
  set_values(options, outcome.used.values);
  return outcome;
}

// All that the backward pass reads, copied back as late as possible, and with room for the copies.
Result<std::vector<Attempt>> attempts(const TrainingRoles& roles, const Graph&) {
  if (roles.gradient_scopes.empty()) {
    return fail(Code::kUnsupported,
                "no op names tell the backward pass; expected {{optimizer-scopes}}");
  }
  std::vector<Attempt> list;
  for (const int lower : {1, 20}) {
    Lms1Options options;
    options.optimizer_scopes = {roles.gradient_scopes.begin(), roles.gradient_scopes.end()};
    options.lb = lower;
    options.fuse_swapins = true;
    Attempt attempt{"LMS v1", {}};
    set_values(options, attempt.values);
    list.push_back(std::move(attempt));
  }
  return list;
}

}  // namespace

const Rewriter& rewriter() {
  static const Rewriter kRewriter = {
      .id = "lms1",
      .title = "LMS v1",
      .help = "Large model support, version 1: swap what the backward phase reads",
      .parameters = parameters_of<Lms1Options>(),
      .validate = validate_as<Lms1Options>,
      .prepare = prepare_stateless<plan>,
      .attempts = attempts,
      .include_scopes = find_parameter(parameters_of<Lms1Options>(), "incl-scopes"),
      .exclude_scopes = find_parameter(parameters_of<Lms1Options>(), "excl-scopes"),
      .scopes_are_whole = true,
      .python_first_argument = "graph=tf.get_default_graph()",
  };
  return kRewriter;
}

}  // namespace tideline::lms1
