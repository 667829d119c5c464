#include "app/cli/rewrite_mode.h"

#include <fmt/format.h>

#include "app/cli/opening.h"
#include "app/cli/terminal.h"
#include "app/session/apply_plan.h"
#include "app/session/rewrite.h"
#include "core/base/text.h"
#include "core/memory/step_time_text.h"

namespace tideline::cli {
namespace {

void print_details(const Graph& graph, const RewritePlan& plan, int debug) {
  for (const PlannedSwap& swap : plan.swaps) {
    say("  swap {} ({}): {}\n", graph.tensor_name(swap.tensor), format_bytes(swap.bytes), swap.why);
    for (const PlannedSwapIn& swap_in : swap.swap_ins) {
      say("    {} for {} consumer(s) from {}, after {}\n", op_name(graph, plan, swap_in.copy),
          swap_in.consumers.size(), graph.name(swap_in.consumers.front()),
          swap_in.trigger.valid() ? std::string(graph.name(swap_in.trigger))
          : plan.version == 1     ? "no op"
                                  : "no single op (synchronised)");
    }
  }
  if (debug < 2) return;
  for (const KeptTensor& kept : plan.not_swapped) {
    say("  keep {} ({}): {}\n", graph.tensor_name(kept.tensor), format_bytes(kept.bytes), kept.why);
  }
}

// What the plan brings, before how it is done.
void print_prediction(const RewritePlan& plan, const DeviceProfile& profile) {
  if (!plan.predicted) return;
  say("{}\n", prediction_text(*plan.predicted));
  if (plan.predicted->time) say("{}\n", basis_text(plan.predicted->time->after, profile));
}

// Not silenced by --quiet: the numbers of a training run are at stake.
void warn_of(const Graph& graph, const RewritePlan& plan) {
  for (const std::string& notice : plan.notices) {
    complain("tideline: warning: {}\n", printable(notice, 2000));
  }
  if (plan.predicted) {
    const std::string raised =
        raised_peak_text(plan.predicted->device_peak_before, plan.predicted->device_peak_bytes);
    if (!raised.empty()) complain("tideline: warning: {}\n", raised);
  }
  if (plan.risky.empty()) return;
  complain(
      "tideline: warning: {} control edges come from ops that a conditional may skip, and "
      "what waits for them is skipped too: the numbers can change. The first: {} waits for "
      "{}. --guard-conditionals leaves such edges out.\n",
      plan.risky.size(), op_name(graph, plan, plan.risky.front().op),
      op_name(graph, plan, plan.risky.front().after));
}

Status rewrite_file(const ModeArguments& arguments, const std::vector<Policy>& policies) {
  OutputOptions output = arguments.output;
  output.inputs = {arguments.run_metadata, arguments.policy.profile_name};
  TerminalProgress progress(output.quiet);
  TIDELINE_TRY(const session::SizedGraph opened,
               open_sized_graph(arguments.graph, arguments.run_metadata, progress));
  session::RewriteOptions options;
  options.policies = policies;
  const bool writes_plan = !output.plan_path.empty();
  // The log needs to know the runs of a cycle.
  options.wants_plan = writes_plan || !output.log_path.empty();
  options.explain = writes_plan || arguments.debug >= 2;
  // Without a batch size the peaks say little.
  options.wants_prediction = writes_plan || opened.batch_size || opened.measured;
  TIDELINE_TRY(const session::Rewritten rewritten, session::rewrite(opened, options, progress));
  for (const session::RewriteLink& link : rewritten.links) {
    const RewritePlan& plan = link.made.plan;
    if (!output.quiet) print_prediction(plan, link.made.used.search.profile);
    if (!output.quiet && plan.report) {
      for (const std::string& line : plan.report->lines(*link.graph, plan.edit)) {
        say("{}\n", line);
      }
    }
    if (!output.quiet) {
      for (const std::string& line : plan.log) say("[LMS] {}\n", line);
      if (arguments.debug > 0) print_details(*link.graph, plan, arguments.debug);
    }
    warn_of(*link.graph, plan);
  }
  std::optional<Cycle> cycle;  // to parse a large plan takes as long as to make it
  if (!output.log_path.empty()) cycle = session::cycle_of(rewritten.plan_json);
  TIDELINE_TRY(const session::StepLogs logs,
               step_logs_for(output, opened, rewritten.graph, arguments.policy.profile,
                             &rewritten.links.back().made.used, progress, std::move(cycle)));
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
