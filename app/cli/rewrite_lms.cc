#include "app/cli/rewrite_lms.h"

#include <fmt/format.h>

#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/io/digest.h"
#include "core/io/functions.h"
#include "core/rewrite/plan_json.h"
#include "core/rewrite/predict.h"

namespace tideline::cli {
namespace {

void print_details(const Graph& graph, const LmsPlan& plan, int debug) {
  for (const PlannedSwap& swap : plan.swaps) {
    fmt::print("  swap {} ({}): {}\n", graph.tensor_name(swap.tensor), format_bytes(swap.bytes),
               swap.why);
    for (const PlannedSwapIn& swap_in : swap.swap_ins) {
      fmt::print("    {} for {} consumer(s) from {}, after {}\n",
                 op_name(graph, plan, swap_in.copy), swap_in.consumers.size(),
                 graph.name(swap_in.consumers.front()),
                 swap_in.trigger.valid() ? std::string(graph.name(swap_in.trigger))
                 : plan.version == 1     ? "no op"
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

// With what the faithful model says of it, when a plan will be written.
Result<Outcome> make_plan(const LmsArguments& arguments, const io::Document& document,
                          const TensorOptions& sizes, Progress& progress) {
  const Policy& policy = arguments.policy.policy;
  TIDELINE_TRY(Outcome made, tideline::make_plan(document.graph, document.collections, sizes,
                                                 policy, arguments.wants_reasons(), progress));
  if (!arguments.output.plan_path.empty()) {
    TIDELINE_TRY(made.plan.predicted,
                 predict_peaks(document.graph, document.collections, made.plan, sizes,
                               step_options(policy, policy.search.fetches, sizes.functions)));
  }
  return made;
}

std::string plan_text(const LmsArguments& arguments, const io::Document& document,
                      const Outcome& made) {
  if (arguments.output.plan_path.empty()) return "";
  const PlanHead head{fmt::format("tideline {}", kVersion), arguments.graph.graph.path,
                      io::sha256_hex(document.graph_bytes), document.function};
  return plan_json(document.graph, made.plan, *made.used.chosen(), made.used.values, head);
}

Status rewrite_file(const LmsArguments& arguments) {
  TerminalProgress progress(arguments.output.quiet);
  TIDELINE_TRY(const io::Document document, events::open_graph(arguments.graph.graph, progress));
  Diagnostics unreadable;
  const FunctionLibrary library = io::read_functions(document, unreadable);
  TensorOptions sizes = arguments.graph.tensor_options();
  sizes.functions = &library;
  auto made = make_plan(arguments, document, sizes, progress);
  if (!made) {
    if (made.error().code == Code::kCancelled) return tl::unexpected(made.error());
    return tl::unexpected(with_context(made.error(), arguments.graph.graph.path));
  }
  const LmsPlan* plan = &made->plan;
  const std::string json = plan_text(arguments, document, *made);
  if (!arguments.output.quiet) {
    for (const std::string& line : plan->log) fmt::print("[LMS] {}\n", line);
    if (arguments.debug > 0) print_details(document.graph, *plan, arguments.debug);
  }
  warn(document.graph, *plan);
  TIDELINE_TRY(const Graph rewritten, apply(document.graph, *plan));
  TIDELINE_RETURN_IF_ERROR(write_output(arguments.output, document, rewritten, json, progress));
  if (!arguments.output.quiet) {
    fmt::print("wrote {}: {} ops\n", arguments.output.path, rewritten.op_count());
    if (!arguments.output.plan_path.empty()) fmt::print("wrote {}\n", arguments.output.plan_path);
    if (!arguments.output.log_path.empty()) {
      fmt::print("wrote {}: runs original and rewritten\n", arguments.output.log_path);
    }
  }
  return {};
}

}  // namespace

void add_lms_arguments(const Command& command, LmsArguments& arguments) {
  add_graph(command, arguments.graph);
  add_output(command, arguments.output);
  command.add_option("--plan-json", arguments.output.plan_path, "Also write the plan to FILE")
      .type_name("FILE");
  command
      .add_option("--tb", arguments.output.log_path,
                  "Also write a log for TensorBoard: the graph before and after, as two runs")
      .type_name("DIR");
  command
      .add_option("--debug", arguments.debug, "1: print every swap, 2: also what is kept, and why")
      .in_range(0, 2);
}

int rewrite_lms(LmsArguments& arguments) {
  if (const auto refused = refuse_policy(arguments.policy)) return *refused;
  if (const auto refused = refuse_output(arguments.output, arguments.graph.graph.path)) {
    return *refused;
  }
  if (Status status = rewrite_file(arguments); !status) return report(status.error());
  return kExitDone;
}

}  // namespace tideline::cli
