#include "app/cli/rewrite_mode.h"

#include "app/cli/opening.h"
#include "app/cli/terminal.h"
#include "app/engine/rewrite.h"
#include "core/base/text.h"
#include "core/memory/step_time_text.h"

namespace tideline::cli {
namespace {

// What the plan brings, before how it is done.
void print_link(const app::RewriteLink& link, int debug) {
  const RewritePlan& plan = link.made.plan;
  if (link.predicted) {
    say("{}\n", prediction_text(*link.predicted));
    if (link.predicted->time) {
      say("{}\n", basis_text(link.predicted->time->after, link.made.used.search.profile));
    }
  }
  for (const std::string& line : plan.report->lines(*link.graph, plan.edit)) say("{}\n", line);
  for (const std::string& line : plan.report->log()) say("[LMS] {}\n", line);
  if (debug == 0) return;
  for (const std::string& line : plan.report->details(*link.graph, plan.edit, debug >= 2)) {
    say("{}\n", line);
  }
}

Status rewrite_file(const ModeArguments& arguments, const std::vector<Policy>& policies) {
  OutputOptions output = arguments.output;
  output.inputs = {arguments.run_metadata, arguments.policy.profile_name};
  TerminalProgress progress(output.quiet);
  TIDELINE_TRY(const app::SizedGraph opened,
               open_sized_graph(arguments.graph, arguments.run_metadata, progress));
  app::RewriteOptions options;
  options.policies = policies;
  const bool writes_plan = !output.plan_path.empty();
  options.wants_plan = writes_plan;
  options.explain = writes_plan || arguments.debug >= 2;
  // Without a batch size the peaks say little.
  options.wants_prediction = writes_plan || opened.batch_size || opened.measured;
  TIDELINE_TRY(const app::Rewritten rewritten, app::rewrite(opened, options, progress));
  for (const app::RewriteLink& link : rewritten.links) {
    if (!output.quiet) print_link(link, arguments.debug);
    warn(link.warnings());  // not silenced: the numbers of a training run are at stake
  }
  TIDELINE_TRY(const app::StepLogs logs,
               step_logs_for(output, opened, rewritten.graph, arguments.policy.profile,
                             &rewritten.links.back().made.used, progress, rewritten.cycle()));
  TIDELINE_RETURN_IF_ERROR(write_output(output, opened.document(), rewritten.graph,
                                        rewritten.plan_json, progress, logs));
  if (output.quiet) return {};
  if (!output.path.empty()) {
    say("wrote {}: {} ops\n", output.path, rewritten.graph.op_count());
  }
  if (writes_plan) say("wrote {}\n", output.plan_path);
  if (!output.log_path.empty()) {
    say("wrote {}: runs original and rewritten\n", output.log_path);
  }
  return {};
}

}  // namespace

void add_result_options(const Command& command, ModeArguments& arguments) {
  add_output(command, arguments.output, /*is_required=*/false);
  command.add_option("--plan-json", arguments.output.plan_path, "Also write the plan to FILE")
      .not_empty()
      .type_name("FILE");
  add_log_output(command, arguments.output);
  command
      .add_option("--debug", arguments.debug, "1: print every swap, 2: also what is kept, and why")
      .in_range(0, 2);
}

int rewrite_mode(const ModeArguments& arguments, const std::vector<Policy>& policies) {
  if (const auto refused = refuse_output(arguments.output, arguments.graph.graph.path)) {
    return *refused;
  }
  if (Status status = rewrite_file(arguments, policies); !status) return report(status.error());
  return kExitDone;
}

}  // namespace tideline::cli
