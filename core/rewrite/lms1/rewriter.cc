#include "core/rewrite/lms1/rewriter.h"

#include "core/rewrite/lms/explain.h"
#include "core/rewrite/lms1/lms1.h"
#include "core/rewrite/lms1/parameters.h"
#include "core/rewrite/policy.h"
#include "core/rewrite/size_options.h"

namespace tideline::lms1 {
namespace {

// Nothing is kept between plans: they are cheap.
class Work final : public PreparedRewrite {
 public:
  explicit Work(RewriteInput input) : input_(std::move(input)) {}

  Result<Outcome> plan(const Policy& policy, bool explain, Progress& progress) override {
    Lms1Options options = options_of(policy.values);
    take_sizes(input_.sizes, options);
    options.explain = explain;
    Outcome outcome;
    TIDELINE_TRY(LmsPlan plan, plan_lms1(*input_.graph, *input_.collections, options, progress));
    if (explain) {
      TIDELINE_RETURN_IF_ERROR(explain_nothing(input_, "LMS is turned off (n_tensors 0)", plan));
    }
    outcome.plan = finished(*input_.graph, std::move(plan));
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
      .id = "lms1",
      .title = "LMS v1",
      .help = "Large model support, version 1: swap what the backward phase reads",
      .parameters = parameters(),
      .validate = validate_as<options_of>,
      .prepare = prepare_as<Work>,
      .include_scopes = &include_scopes(),
      .exclude_scopes = &exclude_scopes(),
      .scopes_are_whole = true,
      .python_first_argument = "graph=tf.get_default_graph()",
  };
  return kRewriter;
}

}  // namespace tideline::lms1
