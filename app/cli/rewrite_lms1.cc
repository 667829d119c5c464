#include "app/cli/rewrite_lms1.h"

#include <limits>
#include <memory>

#include "app/cli/rewrite_lms.h"
#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/rewrite/lms1/lms1.h"

namespace tideline::cli {
namespace {

struct RewriteOptions {
  LmsArguments arguments;
  Lms1Options lms;
  std::string optimizer_scopes, starting_op_names;
  std::string excl_scopes, incl_scopes, excl_types, incl_types;
  std::string ctrld_strategy = name_of(ControlStrategy::kChainRule);
};

// The parts of the options that CLI11 hands over as text.
Status complete(RewriteOptions& options) {
  Lms1Options& lms = options.lms;
  lms.optimizer_scopes = split_list(options.optimizer_scopes, ',');
  lms.starting_op_names = split_list(options.starting_op_names, ',');
  lms.excl_scopes = split_list(options.excl_scopes, ',');
  lms.incl_scopes = split_list(options.incl_scopes, ',');
  lms.excl_types = split_list(options.excl_types, ',');
  lms.incl_types = split_list(options.incl_types, ',');
  TIDELINE_TRY(lms.ctrld_strategy, control_strategy(options.ctrld_strategy));
  lms.explain = options.arguments.wants_reasons();
  return validate(lms);
}

int rewrite(RewriteOptions& options) {
  if (Status status = complete(options); !status) return report_usage(status.error());
  const LmsMode mode{
      [&](const io::Document& document, const TensorOptions& sizes, Progress& progress) {
        options.lms.batch_size = sizes.batch_size;
        options.lms.shapes = sizes.shapes;
        options.lms.functions = sizes.functions;
        return plan_lms1(document.graph, document.collections, options.lms, progress);
      },
      [&](const Graph& graph, const LmsPlan& plan, const PlanHead& head) {
        return plan_json(graph, plan, options.lms, head);
      }};
  return rewrite_lms(options.arguments, mode);
}

void add_scopes(CLI::App& command, RewriteOptions& options) {
  command
      .add_option("--optimizer-scopes", options.optimizer_scopes,
                  "The backward phase: ops whose names begin with one of these")
      ->type_name("LIST")
      ->required();
  command
      .add_option("--starting-scope", options.lms.starting_scope,
                  "Look for tensors from the ops on whose names begin with this")
      ->type_name("SCOPE");
  command
      .add_option("--starting-op-names", options.starting_op_names,
                  "... and from these ops on (default: found by themselves)")
      ->type_name("LIST");
  const auto add = [&](const char* name, std::string& value, const char* help) {
    command.add_option(name, value, help)->type_name("LIST")->group("Filters (comma lists)");
  };
  add("--excl-scopes", options.excl_scopes, "Never swap outputs of ops in one of these scopes");
  add("--excl-types", options.excl_types, "... of these op types");
  add("--incl-scopes", options.incl_scopes, "Swap only outputs of ops in one of these scopes");
  add("--incl-types", options.incl_types, "... or of these op types");
}

void add_parameters(CLI::App& command, RewriteOptions& options) {
  Lms1Options& lms = options.lms;
  const auto add_number = [&](const char* name, int& value, const char* help) {
    command.add_option(name, value, help)
        ->check(whole_number(std::numeric_limits<std::int64_t>::min()))
        ->type_name("N")
        ->capture_default_str();
  };
  add_number("--n-tensors", lms.n_tensors, "Swap at most N tensors (-1: all, 0: LMS is off)");
  add_number("--lb", lms.lb, "Bring a tensor back at least N ops before its consumer");
  add_number("--ub", lms.ub, "... and less than N");
  command.add_flag("--fuse-swapins", lms.fuse_swapins,
                   "All backward consumers of a tensor share one swap-in");
  command
      .add_option("--ctrld-strategy", options.ctrld_strategy,
                  "How the op that a swap-in waits for is found: chain_rule or direct_order")
      ->capture_default_str();
  command.add_flag("--swap-branches", lms.swap_branches,
                   "Also swap for forward consumers that come late");
  add_number("--branch-threshold", lms.branch_threshold,
             "... more than N orders after the first forward consumer");
  command.add_option("--cpu-device", lms.cpu_device, "Device of the copies")->capture_default_str();
  command.add_flag("--guard-conditionals", lms.guard_conditionals,
                   "Beyond the reference: never wait for an op that a conditional may skip");
}

}  // namespace

void add_rewrite_lms1(CLI::App& rewrite_command, Action& action) {
  auto options = std::make_shared<RewriteOptions>();
  CLI::App* command = rewrite_command.add_subcommand(
      "lms1", "Large model support, version 1: swap what the backward phase reads");
  add_lms_arguments(*command, options->arguments);
  add_scopes(*command, *options);
  add_parameters(*command, *options);
  command->callback([options, &action] { action = [options] { return rewrite(*options); }; });
}

}  // namespace tideline::cli
