#include <fmt/format.h>

#include <memory>

#include "app/cli/commands.h"
#include "app/cli/device_profile.h"
#include "app/cli/lms2_options.h"
#include "app/cli/simulation_report.h"
#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/io/functions.h"
#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/lms2/simulate.h"
#include "core/rewrite/predict.h"

namespace tideline::cli {
namespace {

struct SimulateOptions {
  GraphArgument graph;
  Lms2Arguments policy;
  std::string policy_name;
  std::string model = "faithful";
  std::string fetch;
  std::string profile = "pcie3";
  bool json = false;
  bool csv = false;
};

Status simulate_compatible(const io::Document& document, const Lms2Options& used,
                           Simulation& simulation) {
  const bool swaps = simulation.plan && simulation.plan->necessary;
  TIDELINE_TRY(auto result, simulate_lms2(document.graph, document.collections, used, swaps));
  simulation.before = std::move(result.before);
  simulation.after = std::move(result.after);
  return {};
}

Status simulate_faithful(const SimulateOptions& options, const io::Document& document,
                         const TensorTable& tensors, const FunctionLibrary& library,
                         Simulation& simulation) {
  TIDELINE_TRY(const DeviceProfile profile, read_device_profile(options.profile));
  StepOptions step_options;
  step_options.fetches = split_list(options.fetch, ',');
  step_options.gpu_device = options.policy.lms.gpu_device;
  step_options.functions = &library;
  TIDELINE_TRY(const StepGraph graph,
               build_step_graph(document.graph, tensors, document.collections, step_options));
  FaithfulStep before = simulate_step(graph);
  simulation.time = estimate_time(graph, before, profile);
  simulation.before = std::move(before.timeline);
  simulation.profile = profile;
  if (!simulation.plan) return {};
  const StepGraph rewritten = edited(graph, step_edit(*simulation.plan, step_options.gpu_device));
  FaithfulStep after = simulate_step(rewritten);
  simulation.time = estimate_time(rewritten, after, profile);
  simulation.after = std::move(after.timeline);
  return {};
}

Status simulate_graph(const SimulateOptions& options, const io::Document& document,
                      Progress& progress, Simulation& simulation) {
  Diagnostics unreadable;
  const FunctionLibrary library = io::read_functions(document, unreadable);
  Lms2Options used = options.policy.lms;
  used.functions = &library;
  if (simulation.policy == "lms2") {
    TIDELINE_TRY(simulation.plan, plan_by_policy(options.policy, document, used, progress));
  }
  TensorOptions sizes = options.graph.tensor_options();
  sizes.functions = &library;
  if (options.model == "faithful") sizes.model = SizeModel::kFaithful;
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(document.graph, sizes));
  simulation.unknown_sizes = tensors.unknown_count();
  if (options.model == "compatible") return simulate_compatible(document, used, simulation);
  return simulate_faithful(options, document, tensors, library, simulation);
}

int simulate(SimulateOptions& options) {
  Simulation simulation;
  simulation.path = options.graph.graph.path;
  simulation.policy = options.policy_name;
  if (simulation.policy.empty())
    simulation.policy = names_a_policy(options.policy) ? "lms2" : "off";
  if (Status status = complete(options.policy, options.graph);
      !status && simulation.policy != "off") {
    return report_usage(status.error());
  }
  if (options.model == "compatible" && !options.fetch.empty()) {
    return report_usage({Code::kInvalidArgument,
                         "--fetch: the compatible model plays the whole graph; expected --model "
                         "faithful"});
  }
  TerminalProgress progress(false);
  const auto document = events::open_graph(options.graph.graph, progress);
  if (!document) return report(document.error());
  if (Status status = simulate_graph(options, *document, progress, simulation); !status) {
    if (status.error().code == Code::kCancelled) return report(status.error());
    return report(with_context(status.error(), simulation.path));
  }
  if (options.json) {
    print_json(document->graph, simulation);
  } else if (options.csv) {
    print_csv(document->graph, simulation);
  } else {
    print_text(document->graph, simulation);
  }
  return kExitDone;
}

}  // namespace

void add_simulate(CLI::App& app, Action& action) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = app.add_subcommand(
      "simulate", "Device and host memory over a step, with and without a policy");
  add_graph(*command, options->graph);
  command
      ->add_option("--model", options->model,
                   "faithful: buffers shared and reused; compatible: "
                   "as LMS v2 counts")
      ->check(CLI::IsMember({"faithful", "compatible"}))
      ->type_name("MODEL")
      ->capture_default_str();
  command
      ->add_option("--policy", options->policy_name,
                   "lms2 or off (default: off, lms2 when its "
                   "parameters are given)")
      ->check(CLI::IsMember({"lms2", "off"}))
      ->type_name("NAME");
  command
      ->add_option("--fetch", options->fetch,
                   "Ops that the step is run for (comma list; default: "
                   "the collection train_op, else all Apply ops)")
      ->type_name("OP,...");
  command
      ->add_option("--device-profile", options->profile,
                   "pcie3, pcie4, pcie5, nvlink, or a JSON file: how fast copies are")
      ->type_name("NAME|FILE")
      ->capture_default_str();
  CLI::Option* json = command->add_flag("--json", options->json, "Print JSON");
  command->add_flag("--csv", options->csv, "Print a line for each step")->excludes(json);
  add_lms2_options(*command, options->policy);
  command->callback([options, &action] { action = [options] { return simulate(*options); }; });
}

}  // namespace tideline::cli
