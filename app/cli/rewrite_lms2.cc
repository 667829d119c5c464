#include "app/cli/rewrite_lms2.h"

#include <fmt/format.h>

#include <limits>
#include <memory>

#include "app/cli/output.h"
#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/io/digest.h"
#include "core/io/functions.h"
#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/plan_json.h"

namespace tideline::cli {
namespace {

struct RewriteOptions {
  GraphArgument graph;
  OutputOptions output;
  Lms2Options lms;
  std::string serialization;
  std::string serialization_by_size;
  std::string gpu_device;
  std::string excl_output_by_scopes, excl_output_by_types;
  std::string excl_input_by_scopes, excl_input_by_types;
  std::string incl_output_by_scopes, incl_output_by_types;
  std::string incl_input_by_scopes, incl_input_by_types;
  bool inference = false;
  int debug = 0;
};

// The parts of the options that CLI11 hands over as text.
Status complete(RewriteOptions& options) {
  Lms2Options& lms = options.lms;
  lms.serialization = split_list(options.serialization, ',');
  if (!options.serialization_by_size.empty()) {
    auto size = parse_size(options.serialization_by_size);
    if (!size) {
      return tl::unexpected(with_context(std::move(size).error(), "--serialization-by-size"));
    }
    lms.serialization_by_size = *size;
  }
  if (!options.gpu_device.empty()) lms.gpu_device = options.gpu_device;
  lms.batch_size = options.graph.batch_size;
  lms.shapes = options.graph.tensor_options().shapes;
  lms.is_training = !options.inference;
  lms.excl_output = {split_list(options.excl_output_by_scopes, ','),
                     split_list(options.excl_output_by_types, ',')};
  lms.excl_input = {split_list(options.excl_input_by_scopes, ','),
                    split_list(options.excl_input_by_types, ',')};
  lms.incl_output = {split_list(options.incl_output_by_scopes, ','),
                     split_list(options.incl_output_by_types, ',')};
  lms.incl_input = {split_list(options.incl_input_by_scopes, ','),
                    split_list(options.incl_input_by_types, ',')};
  lms.explain = !options.output.plan_path.empty() || options.debug >= 2;
  return validate(lms);
}

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

Status rewrite_file(const RewriteOptions& options) {
  TerminalProgress progress(options.output.quiet);
  TIDELINE_TRY(const io::Document document, events::open_graph(options.graph.graph, progress));
  Diagnostics unreadable;
  const FunctionLibrary library = io::read_functions(document, unreadable);
  Lms2Options lms = options.lms;
  lms.functions = &library;
  auto plan = plan_lms2(document.graph, document.collections, lms, progress);
  if (!plan) {
    if (plan.error().code == Code::kCancelled) return tl::unexpected(plan.error());
    return tl::unexpected(with_context(plan.error(), options.graph.graph.path));
  }
  std::string json;
  if (!options.output.plan_path.empty()) {
    json = plan_json(document.graph, *plan, options.lms,
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
  if (Status status = complete(options); !status) return report_usage(status.error());
  if (const auto refused = refuse_output(options.output, options.graph.graph.path)) return *refused;
  if (Status status = rewrite_file(options); !status) return report(status.error());
  return kExitDone;
}

void add_parameters(CLI::App& command, RewriteOptions& options) {
  Lms2Options& lms = options.lms;
  command
      .add_option("--swapout-threshold", lms.swapout_threshold,
                  "Swap a tensor for consumers more than this many levels away (1 or more)")
      ->check(whole_number(std::numeric_limits<std::int64_t>::min()))
      ->type_name("N");
  command
      .add_option("--swapin-ahead", lms.swapin_ahead,
                  "Bring it back this many levels before its first consumer (1 or more)")
      ->check(whole_number(std::numeric_limits<std::int64_t>::min()))
      ->type_name("N");
  command
      .add_option("--swapin-groupby", lms.swapin_groupby,
                  "Consumers at most this many levels apart share a swap-in (0: none do)")
      ->check(whole_number(std::numeric_limits<std::int64_t>::min()))
      ->type_name("N");
  command
      .add_option("--sync-mode", lms.sync_mode,
                  "0 asynchronous, 1 swap-outs synchronised, 2 swap-ins, 3 both")
      ->check(whole_number(std::numeric_limits<std::int64_t>::min()))
      ->type_name("N");
  command.add_option("--serialization", options.serialization,
                     "Levels whose ops run one after the other: 60:64,70 (with = for a minus)");
  command
      .add_option("--serialization-by-size", options.serialization_by_size,
                  "The same for levels that need more than SIZE")
      ->type_name("SIZE");
  command.add_option("--cpu-device", lms.cpu_device, "Device of the copies")->capture_default_str();
  command.add_option("--gpu-device", options.gpu_device,
                     "Look at this device only, e.g. /device:GPU:0 (default: all that are no CPU)");
  command.add_flag("--guard-conditionals", lms.guard_conditionals,
                   "Beyond the reference: never wait for an op that a conditional may skip");
  command.add_flag("--inference", options.inference, "The graph is run for inference");
  command.add_flag("--keras", lms.is_keras, "A Keras graph with a learning phase");
}

void add_filters(CLI::App& command, RewriteOptions& options) {
  const auto add = [&](const char* name, std::string& value, const char* help) {
    command.add_option(name, value, help)->type_name("LIST")->group("Filters (comma lists)");
  };
  add("--excl-output-by-scopes", options.excl_output_by_scopes,
      "Never swap outputs of ops whose name begins with one of these");
  add("--excl-output-by-types", options.excl_output_by_types, "... of these op types");
  add("--excl-input-by-scopes", options.excl_input_by_scopes, "Never feed such ops from the host");
  add("--excl-input-by-types", options.excl_input_by_types, "... of these op types");
  add("--incl-output-by-scopes", options.incl_output_by_scopes, "Swap only outputs of such ops");
  add("--incl-output-by-types", options.incl_output_by_types, "... of these op types");
  add("--incl-input-by-scopes", options.incl_input_by_scopes, "Feed only such ops from the host");
  add("--incl-input-by-types", options.incl_input_by_types, "... of these op types");
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
  add_parameters(*command, *options);
  add_filters(*command, *options);
  command->callback([options, &action] { action = [options] { return rewrite(*options); }; });
}

}  // namespace tideline::cli
