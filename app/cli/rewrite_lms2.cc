#include "app/cli/rewrite_lms2.h"

#include <memory>

#include "app/cli/lms2_options.h"
#include "app/cli/rewrite_lms.h"
#include "app/cli/terminal.h"
#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/predict.h"

namespace tideline::cli {
namespace {

struct RewriteOptions {
  LmsArguments arguments;
  Lms2Arguments policy;
};

// `used` becomes the options with whatever was found for them.
Result<LmsPlan> make_plan(const RewriteOptions& options, const io::Document& document,
                          Lms2Options& used, Progress& progress) {
  TIDELINE_TRY(LmsPlan plan, plan_by_policy(options.policy, document, used, progress));
  if (!options.arguments.output.plan_path.empty()) {
    const TensorOptions sizes{
        .batch_size = used.batch_size, .shapes = used.shapes, .functions = used.functions};
    TIDELINE_TRY(plan.predicted, predict_peaks(document.graph, document.collections, plan, sizes,
                                               {{}, used.gpu_device, used.functions}));
  }
  return plan;
}

int rewrite(RewriteOptions& options) {
  if (Status status = complete(options.policy, options.arguments.graph); !status) {
    return report_usage(status.error());
  }
  Lms2Options used = options.policy.lms;
  used.explain = options.arguments.wants_reasons();
  const LmsMode mode{
      [&](const io::Document& document, const TensorOptions& sizes, Progress& progress) {
        used.functions = sizes.functions;
        return make_plan(options, document, used, progress);
      },
      [&](const Graph& graph, const LmsPlan& plan, const PlanHead& head) {
        return plan_json(graph, plan, used, head);
      }};
  return rewrite_lms(options.arguments, mode);
}

}  // namespace

void add_rewrite_lms2(CLI::App& rewrite_command, Action& action) {
  auto options = std::make_shared<RewriteOptions>();
  CLI::App* command = rewrite_command.add_subcommand(
      "lms2", "Large model support, version 2: swap tensors to the host and back");
  add_lms_arguments(*command, options->arguments);
  add_lms2_options(*command, options->policy);
  command->callback([options, &action] { action = [options] { return rewrite(*options); }; });
}

}  // namespace tideline::cli
