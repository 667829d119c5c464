#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/exact.h"
#include "app/cli/opening.h"
#include "app/cli/output.h"
#include "app/cli/policy_options.h"
#include "app/cli/run_metadata.h"
#include "app/cli/terminal.h"
#include "app/engine/apply_plan.h"
#include "app/engine/rewrite.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/memory/step_time_text.h"

namespace tideline::cli {
namespace {

// What the modes of `rewrite` that choose by a policy have in common.

// The options of such a mode; `policy.policy.rewriter` says which one it is.
struct ModeArguments {
  GraphArgument graph;
  OutputOptions output;
  PolicyArguments policy;
  std::string run_metadata;
  int debug = 0;
};

// What the plan brings, before how it is done.
void print_link(const app::RewriteLink& link, int debug) {
  const RewritePlan& plan = link.made.plan;
  if (link.predicted) {
    say("{}\n", prediction_text(*link.predicted));
    if (link.predicted->time) {
      const TimeReport& time = *link.predicted->time;
      const std::string memory = memory_text(time, link.predicted->device_peak_bytes);
      if (!memory.empty()) say("{}\n", memory);
      say("{}\n", basis_text(time.after, link.made.used.search.profile));
    }
  }
  for (const std::string& line : plan.report->lines(*link.graph, plan.edit)) say("{}\n", line);
  for (const std::string& line : plan.report->log()) say("[LMS] {}\n", line);
  if (debug == 0) return;
  for (const std::string& line : plan.report->details(*link.graph, plan.edit, debug >= 2)) {
    say("{}\n", line);
  }
}

// By the policy of the last link.
Result<std::optional<ExactResult>> ask_exactly(const ModeArguments& arguments,
                                               const app::SizedGraph& opened,
                                               const app::Rewritten& rewritten,
                                               Progress& progress) {
  const app::RewriteLink& last = rewritten.links.back();
  PlannedGraph planned{opened, rewritten.graph, last.made.used, {}, {}};
  if (last.predicted) {
    planned.device_peak = last.predicted->device_peak_bytes;
    planned.device = last.predicted->device;
  }
  return exact_result(arguments.graph, arguments.policy, planned, progress);
}

Status rewrite_file(const ModeArguments& arguments, const std::vector<Policy>& policies) {
  OutputOptions output = arguments.output;
  output.inputs = {arguments.run_metadata, arguments.policy.profile_name};
  TerminalProgress progress(output.quiet);
  RunModel run = planned_run(arguments.graph, arguments.policy);
  for (const Policy& policy : policies) run = with_executor(run, policy, policy.search.profile);
  TIDELINE_TRY(const app::SizedGraph opened,
               open_sized_graph(arguments.graph, arguments.run_metadata, run, progress));
  app::RewriteOptions options;
  options.policies = policies;
  const bool writes_plan = !output.plan_path.empty();
  options.wants_plan = writes_plan;
  options.explain = writes_plan || arguments.debug >= 2;
  // Without a batch size the peaks say little.
  const bool is_exact = arguments.graph.as_run == AsRun::kExact;
  options.wants_prediction = writes_plan || opened.batch_size || opened.measured || is_exact;
  TIDELINE_TRY(const app::Rewritten rewritten, app::rewrite(opened, options, progress));
  if (opened.source->inlined && !output.quiet) {
    say("{}\n", inlining_lines(opened.source->inlined->made).front());
  }
  for (const app::RewriteLink& link : rewritten.links) {
    if (!output.quiet) print_link(link, arguments.debug);
    warn(link.warnings());  // not silenced: the numbers of a training run are at stake
  }
  TIDELINE_TRY(const auto exactly, ask_exactly(arguments, opened, rewritten, progress));
  if (!output.quiet) say_exact(exactly);
  warn_exact(exactly);
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

// What is written and shown.
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

// Reads the graph; plans by the first policy, says what will be done and applies the plan; then
// the same by each further policy for what the one before it gives; and writes. Returns the exit
// code. Precondition: the policies are valid.
int rewrite_mode(const ModeArguments& arguments, const std::vector<Policy>& policies) {
  if (const auto refused = refuse_output(arguments.output, arguments.graph.graph.path)) {
    return *refused;
  }
  if (Status status = rewrite_file(arguments, policies); !status) return report(status.error());
  return kExitDone;
}

// The mode apply of the verb rewrite: a plan file, applied to the graph that it is for.

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

// The options of a rewriter, with which it is a mode.
void add_mode_options(const Command& command, const Rewriter& rewriter,
                      PolicyArguments& arguments) {
  arguments.policy.rewriter = rewriter.id;
  add_rewriter_options(command, rewriter, arguments);
  const bool has_models = rewriter.search && rewriter.search->has_models;
  if (has_models) add_search_options(command, arguments.policy.search);
  for (const ParameterOption& entry : arguments.options) {
    // A cluster may say it as well; without, the rewriter misses it.
    const bool may_be_of_cluster =
        rewriter.use_cluster != nullptr && entry.parameter->name == "devices";
    if (entry.parameter->is_required && !may_be_of_cluster) entry.option.required();
  }
}

// Adds the policy of the link `number`, which stands behind --then; what is written and shown may
// be said in any link. Returns the exit code, and says why, when it is no good.
std::optional<int> add_link(const LinkWords& words, std::size_t number, ModeArguments& arguments,
                            std::vector<Policy>& policies) {
  const CommandLine line("tideline rewrite ... --then",
                         "One more rewriter, for what the one before it gives", "",
                         fmt::format("tideline {}", kVersion));
  const Command root = line.root();
  root.require_subcommand();
  PolicyArguments* chosen = nullptr;
  std::vector<std::unique_ptr<PolicyArguments>> given;
  for (const Rewriter* rewriter : rewriters()) {
    const Command command =
        root.add_subcommand(std::string(rewriter->id), std::string(rewriter->help));
    PolicyArguments* policy = given.emplace_back(std::make_unique<PolicyArguments>()).get();
    add_result_options(command, arguments);
    add_mode_options(command, *rewriter, *policy);
    command.callback([&chosen, policy] { chosen = policy; });
  }
  std::vector<std::string> texts = words;
  std::string program = "tideline";
  std::vector<char*> argv = {program.data()};
  for (std::string& text : texts) argv.push_back(text.data());
  if (const auto ended = line.parse(static_cast<int>(argv.size()), argv.data())) {
    if (ended->message.empty()) return ended->exit_code;
    return report_usage(
        {Code::kInvalidArgument, fmt::format("--then {}: {}", number, ended->message)});
  }
  if (const auto refused = refuse_policy(*chosen)) return *refused;
  policies.push_back(chosen->policy);
  return std::nullopt;
}

int rewrite_chain(ModeArguments& arguments, const std::vector<LinkWords>& links) {
  if (const auto refused = refuse_policy(arguments.policy)) return *refused;
  if (const auto refused = check_run_model(arguments.graph)) return *refused;
  if (const auto refused = refuse_exact_trace(arguments.graph, arguments.run_metadata)) {
    return *refused;
  }
  std::vector<Policy> policies = {arguments.policy.policy};
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (const auto ended = add_link(links[i], i + 1, arguments, policies)) return *ended;
  }
  return rewrite_mode(arguments, policies);
}

// A mode of `rewrite` for every line of the table of rewriters.
void add_mode(const Command& rewrite, const Rewriter& rewriter, const std::vector<LinkWords>& links,
              const Front& front, Action& action) {
  auto arguments = std::make_shared<ModeArguments>();
  arguments->output.draw_png = front.draw_png;
  const Command command =
      rewrite.add_subcommand(std::string(rewriter.id), std::string(rewriter.help));
  add_graph(command, arguments->graph);
  add_inline(command, arguments->graph.graph);
  add_rounds(command, arguments->graph);
  add_run_model(command, arguments->graph);
  add_run_metadata(command, arguments->run_metadata);
  add_result_options(command, *arguments);
  command
      .add_option_function(
          "--then", [](const std::string&) {},
          "Another rewriter behind this one, with its own options; may be repeated")
      .type_name("MODE OPTIONS");
  add_mode_options(command, rewriter, arguments->policy);
  command.callback([arguments, &links, &action] {
    action = [arguments, &links] { return rewrite_chain(*arguments, links); };
  });
}

}  // namespace

void add_rewrite(const Command& app, const std::vector<LinkWords>& links, const Front& front,
                 Action& action) {
  const Command command = app.add_subcommand(
      "rewrite", "Write a graph that trains in less memory, with the same numbers");
  command.require_subcommand();
  for (const Rewriter* rewriter : rewriters()) add_mode(command, *rewriter, links, front, action);
  add_rewrite_apply(command, front, action);
}

}  // namespace tideline::cli
