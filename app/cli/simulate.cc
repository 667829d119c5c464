#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/policy_options.h"
#include "app/cli/run_metadata.h"
#include "app/cli/simulation_report.h"
#include "app/cli/terminal.h"
#include "core/base/check.h"
#include "core/base/text.h"
#include "core/io/functions.h"
#include "core/rewrite/predict.h"

namespace tideline::cli {
namespace {

struct SimulateOptions {
  GraphArgument graph;
  PolicyArguments policy;
  std::string model;  ///< empty: faithful, and automatic mode searches on the compatible one
  std::string fetch;
  std::string run_metadata;
  [[nodiscard]] bool is_compatible() const { return model == "compatible"; }
  bool json = false;
  bool csv = false;
};

// The first rewriter whose reference counts steps.
const Rewriter& counting() {
  const auto found =
      std::find_if(rewriters().begin(), rewriters().end(),
                   [](const Rewriter* entry) { return entry->count_step != nullptr; });
  TIDELINE_CHECK(found != rewriters().end());
  return **found;
}

Status simulate_compatible(const RewriteInput& input, const Policy& used, Simulation& simulation) {
  const bool swaps = simulation.plan && simulation.plan->necessary;
  const Rewriter& rewriter = used.is_off() ? counting() : *used.chosen();
  TIDELINE_TRY(CountedStep result, rewriter.count_step(input, used.values, swaps));
  simulation.before = std::move(result.before);
  simulation.after = std::move(result.after);
  return {};
}

Status simulate_faithful(const SimulateOptions& options, const io::Document& document,
                         const TensorTable& tensors, const FunctionLibrary& library,
                         Simulation& simulation) {
  const DeviceProfile profile = options.policy.profile.value_or(*built_in_profile("pcie3"));
  const StepOptions step =
      step_options(options.policy.policy, split_list(options.fetch, ','), &library);
  TIDELINE_TRY(StepGraph graph,
               build_step_graph(document.graph, tensors, document.collections, step));
  if (simulation.run) add_scratch(*simulation.run, graph);
  FaithfulStep before = simulate_step(graph);
  const std::vector<std::int64_t> none;
  const CostModel costs(profile, simulation.run ? simulation.run->op_ns : none);
  simulation.time = estimate_time(graph, before, costs);
  simulation.before = std::move(before.timeline);
  simulation.profile = profile;
  if (!simulation.plan) return {};
  const StepGraph rewritten = edited(graph, document.graph, simulation.plan->edit, step.gpu_device);
  FaithfulStep after = simulate_step(rewritten);
  simulation.time = estimate_time(rewritten, after, costs);
  simulation.after = std::move(after.timeline);
  return {};
}

Status simulate_graph(const SimulateOptions& options, const io::Document& document,
                      Progress& progress, Simulation& simulation) {
  Diagnostics unreadable;
  const FunctionLibrary library = io::read_functions(document, unreadable);
  TensorOptions sizes = options.graph.tensor_options();
  sizes.functions = &library;
  if (simulation.run) {
    sizes.measured = &simulation.run->sizes;
    TIDELINE_RETURN_IF_ERROR(compare_run(
        document, sizes, step_options(options.policy.policy, {}, &library), *simulation.run));
  }
  TIDELINE_TRY(Outcome made, make_plan(document.graph, document.collections, sizes,
                                       options.policy.policy, options.json, progress));
  if (!made.used.is_off()) simulation.plan = std::move(made.plan);
  const RewriteInput input{&document.graph, &document.collections, sizes};
  if (!options.is_compatible()) sizes.model = SizeModel::kFaithful;
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(document.graph, sizes));
  simulation.unknown_sizes = tensors.unknown_count();
  if (options.is_compatible()) return simulate_compatible(input, made.used, simulation);
  return simulate_faithful(options, document, tensors, library, simulation);
}

int simulate(SimulateOptions& options) {
  Simulation simulation;
  simulation.path = options.graph.graph.path;
  Policy& policy = options.policy.policy;
  policy.search = {options.model == "faithful", split_list(options.fetch, ',')};
  if (const auto refused = refuse_policy(options.policy)) return *refused;
  simulation.policy = policy.rewriter;
  if (options.is_compatible() && !options.fetch.empty()) {
    return report_usage({Code::kInvalidArgument,
                         "--fetch: the compatible model plays the whole graph; expected --model "
                         "faithful"});
  }
  if (options.is_compatible() && !policy.is_off() && policy.chosen()->count_step == nullptr) {
    return report_usage(
        {Code::kInvalidArgument, fmt::format("--model compatible: is the model of {}, which does "
                                             "not cover {}; expected --model faithful",
                                             counting().title, policy.rewriter)});
  }
  TerminalProgress progress(false);
  auto opened = open_graph_and_run(options.graph, options.run_metadata, progress);
  if (!opened) return report(opened.error());
  const io::Document* document = &opened->document;
  simulation.run = std::move(opened->run);
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

void add_simulate(const Command& app, Action& action) {
  auto options = std::make_shared<SimulateOptions>();
  const Command command = app.add_subcommand(
      "simulate", "Device and host memory over a step, with and without a policy");
  add_graph(command, options->graph);
  command
      .add_option("--model", options->model,
                  "faithful (default): buffers shared and reused; compatible: as LMS v2 counts. "
                  "Automatic mode uses the one given here, else the compatible one")
      .one_of({"faithful", "compatible"})
      .type_name("MODEL");
  command
      .add_option("--fetch", options->fetch,
                  "Ops that the step is run for (comma list; default: "
                  "the collection train_op, else all Apply ops)")
      .type_name("OP,...");
  add_run_metadata(command, options->run_metadata);
  const Option json = command.add_flag("--json", options->json, "Print JSON");
  command.add_flag("--csv", options->csv, "Print a line for each step").excludes(json);
  add_policy_options(command, options->policy);
  command.callback([options, &action] { action = [options] { return simulate(*options); }; });
}

}  // namespace tideline::cli
