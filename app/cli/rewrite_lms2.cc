#include "app/cli/rewrite_lms2.h"

#include <fmt/format.h>

#include <limits>
#include <memory>

#include "app/cli/lms2_options.h"
#include "app/cli/output.h"
#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/io/digest.h"
#include "core/io/functions.h"
#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/plan_json.h"
#include "core/rewrite/predict.h"

namespace tideline::cli {
namespace {

struct RewriteOptions {
  GraphArgument graph;
  OutputOptions output;
  Lms2Arguments policy;
  int debug = 0;
};

void print_details(const Graph& graph, const LmsPlan& plan, int debug) {
  for (const PlannedSwap& swap : plan.swaps) {
    fmt::print("  swap {} ({}): {}\n", graph.tensor_name(swap.tensor), format_bytes(swap.bytes),
               swap.why);
    for (const PlannedSwapIn& swap_in : swap.swap_ins) {
      fmt::print("    {} for {} consumer(s) from {}, after {}\n",
                 op_name(graph, plan, swap_in.copy), swap_in.consumers.size(),
                 graph.name(swap_in.consumers.front()),
                 swap_in.trigger.valid() ? std::string(graph.name(swap_in.trigger))
                                         : "no single op (synchronised)");
    }
  }
  if (debug < 2) return;
  for (const KeptTensor& kept : plan.not_swapped) {
    fmt::print("  keep {} ({}): {}\n", graph.tensor_name(kept.tensor), format_bytes(kept.bytes),
               kept.why);
  }
}

// Not silenced by --quiet: the numbers of a training run are at stake.
void warn(const Graph& graph, const LmsPlan& plan) {
  for (const std::string& notice : plan.notices) {
    fmt::print(stderr, "tideline: warning: {}\n", printable(notice, 2000));
  }
  if (plan.risky.empty()) return;
  fmt::print(stderr,
             "tideline: warning: {} control edges come from ops that a conditional may skip, and "
             "what waits for them is skipped too: the numbers can change. The first: {} waits for "
             "{}. --guard-conditionals leaves such edges out.\n",
             plan.risky.size(), op_name(graph, plan, plan.risky.front().op),
             op_name(graph, plan, plan.risky.front().after));
}

// `used` becomes the options with whatever was found for them.
Result<LmsPlan> make_plan(const RewriteOptions& options, const io::Document& document,
                          Lms2Options& used, Progress& progress) {
  if (!options.policy.automatic) {
    return plan_lms2(document.graph, document.collections, used, progress);
  }
  TIDELINE_TRY(auto tuned, plan_lms2_within(document.graph, document.collections, used,
                                            options.policy.budget, progress));
  used = tuned.options;
  return std::move(tuned.plan);
}

Status rewrite_file(const RewriteOptions& options) {
  TerminalProgress progress(options.output.quiet);
  TIDELINE_TRY(const io::Document document, events::open_graph(options.graph.graph, progress));
  Diagnostics unreadable;
  const FunctionLibrary library = io::read_functions(document, unreadable);
  Lms2Options used = options.policy.lms;
  used.functions = &library;
  auto plan = make_plan(options, document, used, progress);
  if (!plan) {
    if (plan.error().code == Code::kCancelled) return tl::unexpected(plan.error());
    return tl::unexpected(with_context(plan.error(), options.graph.graph.path));
  }
  std::string json;
  if (!options.output.plan_path.empty()) {
    TIDELINE_TRY(plan->predicted, predict_peaks(document.graph, document.collections, *plan, used));
    json = plan_json(document.graph, *plan, used,
                     {fmt::format("tideline {}", kVersion), options.graph.graph.path,
                      io::sha256_hex(document.graph_bytes), document.function});
  }
  if (!options.output.quiet) {
    for (const std::string& line : plan->log) fmt::print("[LMS] {}\n", line);
    if (options.debug > 0) print_details(document.graph, *plan, options.debug);
  }
  warn(document.graph, *plan);
  TIDELINE_TRY(const Graph rewritten, apply(document.graph, *plan));
  TIDELINE_RETURN_IF_ERROR(write_output(options.output, document, rewritten, json, progress));
  if (!options.output.quiet) {
    fmt::print("wrote {}: {} ops\n", options.output.path, rewritten.op_count());
    if (!options.output.plan_path.empty()) fmt::print("wrote {}\n", options.output.plan_path);
    if (!options.output.log_path.empty()) {
      fmt::print("wrote {}: runs original and rewritten\n", options.output.log_path);
    }
  }
  return {};
}

int rewrite(RewriteOptions& options) {
  if (Status status = complete(options.policy, options.graph); !status) {
    return report_usage(status.error());
  }
  options.policy.lms.explain = !options.output.plan_path.empty() || options.debug >= 2;
  if (const auto refused = refuse_output(options.output, options.graph.graph.path)) return *refused;
  if (Status status = rewrite_file(options); !status) return report(status.error());
  return kExitDone;
}

}  // namespace

void add_rewrite_lms2(CLI::App& rewrite_command, Action& action) {
  auto options = std::make_shared<RewriteOptions>();
  CLI::App* command = rewrite_command.add_subcommand(
      "lms2", "Large model support, version 2: swap tensors to the host and back");
  add_graph(*command, options->graph);
  add_output(*command, options->output);
  command->add_option("--plan-json", options->output.plan_path, "Also write the plan to FILE")
      ->type_name("FILE");
  command
      ->add_option("--tb", options->output.log_path,
                   "Also write a log for TensorBoard: the graph before and after, as two runs")
      ->type_name("DIR");
  command
      ->add_option("--debug", options->debug, "1: print every swap, 2: also what is kept, and why")
      ->check(CLI::Range(0, 2));
  add_lms2_options(*command, options->policy);
  command->callback([options, &action] { action = [options] { return rewrite(*options); }; });
}

}  // namespace tideline::cli
