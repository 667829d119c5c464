#include "app/cli/rewrite_apply.h"

#include <memory>

#include "app/cli/opening.h"
#include "app/cli/output.h"
#include "app/cli/terminal.h"
#include "app/engine/apply_plan.h"

namespace tideline::cli {
namespace {

struct ApplyArguments {
  events::GraphChoice graph;
  std::string plan;
  OutputOptions output;
};

Status apply_file(const ApplyArguments& arguments) {
  OutputOptions output = arguments.output;
  output.inputs = {arguments.plan};
  TerminalProgress progress(output.quiet);
  TIDELINE_TRY(const app::ReadGraphPtr source, open_input(arguments.graph, progress));
  const io::Document& document = source->document;
  TIDELINE_TRY(app::AppliedPlan applied, app::apply_plan_file(document, arguments.plan, progress));
  const Graph& changed = applied.graph;
  TIDELINE_TRY(const app::StepLogs logs,
               step_logs_for(output, {.source = source}, changed, std::nullopt, nullptr, progress,
                             std::move(applied.cycle)));
  TIDELINE_RETURN_IF_ERROR(write_output(output, document, changed, "", progress, logs));
  if (output.quiet) return {};
  say("wrote {}: {} ops\n", output.path, changed.op_count());
  if (!output.log_path.empty()) {
    say("wrote {}: runs original and rewritten\n", output.log_path);
  }
  return {};
}

int apply_plan(const ApplyArguments& arguments) {
  if (const auto refused = refuse_output(arguments.output, arguments.graph.path)) return *refused;
  if (Status status = apply_file(arguments); !status) return report(status.error());
  return kExitDone;
}

}  // namespace

void add_rewrite_apply(const Command& rewrite, const Front& front, Action& action) {
  auto arguments = std::make_shared<ApplyArguments>();
  const Command command =
      rewrite.add_subcommand("apply", "Apply a plan that was written with --plan-json");
  command.add_option("GRAPH", arguments->graph.path, "Graph file, SavedModel or event log")
      .not_empty()
      .required();
  add_graph_choice(command, arguments->graph);
  command.add_option("--plan", arguments->plan, "Plan of a rewriter, for this graph")
      .required()
      .not_empty()
      .type_name("FILE");
  add_output(command, arguments->output);
  add_log_output(command, arguments->output);
  arguments->output.draw_png = front.draw_png;
  command.callback(
      [arguments, &action] { action = [arguments] { return apply_plan(*arguments); }; });
}

}  // namespace tideline::cli
