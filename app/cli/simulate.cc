#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/cli/cluster_report.h"
#include "app/cli/commands.h"
#include "app/cli/exact.h"
#include "app/cli/opening.h"
#include "app/cli/output.h"
#include "app/cli/policy_options.h"
#include "app/cli/run_metadata.h"
#include "app/cli/simulation_report.h"
#include "app/cli/terminal.h"
#include "app/engine/confirm_idle.h"
#include "app/engine/measure.h"
#include "app/engine/read_cluster.h"
#include "core/base/check.h"
#include "core/base/text.h"
#include "core/graph/graph_edit.h"
#include "core/memory/step_ops.h"
#include "core/rewrite/parameter_names.h"

namespace tideline::cli {
namespace {

struct SimulateOptions {
  GraphArgument graph;
  PolicyArguments policy;
  std::string model;  ///< empty: faithful
  std::string fetch;
  std::string run_metadata;
  [[nodiscard]] bool is_compatible() const { return model == "compatible"; }
  bool json = false;
  bool csv = false;
  bool every_tensor = false;
  std::string cluster;  ///< a file, or TF_CONFIG; empty: one machine
  OutputOptions output;
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
  const bool swaps = simulation.plan && !simulation.plan->swaps().empty();
  const Rewriter& rewriter = used.is_off() ? counting() : *used.chosen();
  TIDELINE_TRY(CountedStep result, rewriter.count_step(input, used.values, swaps));
  simulation.before = std::move(result.before);
  simulation.after = std::move(result.after);
  return {};
}

Status simulate_faithful(const SimulateOptions& options, const app::SizedGraph& graph,
                         const TensorTable& tensors, const StepOptions& step,
                         app::Replanner& replanner, const Outcome& made, Progress& progress,
                         Simulation& simulation) {
  const DeviceProfile profile = options.policy.profile.value_or(*built_in_profile("pcie3"));
  const CostModel costs = graph.costs(profile);
  TIDELINE_TRY(const std::optional<Bytes> budget, app::step_budget(graph, made.used));
  TIDELINE_TRY(app::DeviceResult result,
               app::simulate_device(graph, tensors, step, costs,
                                    simulation.plan ? &*simulation.plan : nullptr, budget));
  if (simulation.plan) {
    TIDELINE_RETURN_IF_ERROR(app::confirm_idle(replanner, step.fetches, made, result, progress));
    simulation.after = result.after->timeline;
  }
  simulation.profile = profile;
  simulation.before = result.original->before.timeline;
  if (!simulation.plan && budget) {
    // The graph as it is, which may hold swaps.
    simulation.before = app::within_budget(costs, *budget, result);
  }
  TIDELINE_TRY(const Fetches fetches,
               find_fetches(graph.graph(), graph.document().collections, step.fetches));
  simulation.unknown_sizes =
      unknown_sizes(graph.graph(), tensors,
                    computed_of(step_ops(graph.graph(), fetches), result.original->graph,
                                result.original->before.timeline.schedule));
  simulation.step = result.original;
  simulation.run_model = result.original->graph.run;
  simulation.peak_in_file = result.original->peak_in_file();
  simulation.contradicted_shapes = tensors.difference_count();
  simulation.timing = std::move(result.timing);
  simulation.effects = std::move(result.effects);
  return {};
}

// The whole graph, whatever the step is run for: the trace is of what ran.
Status compare_with_run(const SimulateOptions& options, app::SizedGraph& graph) {
  const app::ReadGraph& source = *graph.source;
  TIDELINE_TRY(const TensorTable tensors, graph.tensors(SizeModel::kFaithful));
  TIDELINE_TRY(
      graph.measured,
      app::compared(source, source.facts.levels(), tensors,
                    step_options(options.policy.policy, {}, &source.functions), *graph.measured));
  return {};
}

Status simulate_graph(SimulateOptions& options, app::SizedGraph& graph, Progress& progress,
                      Simulation& simulation, Policy& used) {
  TIDELINE_RETURN_IF_ERROR(run_exactly(graph, options.policy, progress));
  if (graph.measured) TIDELINE_RETURN_IF_ERROR(compare_with_run(options, graph));
  simulation.run = graph.measured;
  Policy policy = options.policy.policy;
  const bool asks_for_a_run = !policy.search.fetches.empty();
  if (!options.graph.plan.empty() && !asks_for_a_run && !options.is_compatible()) {
    TIDELINE_TRY(simulation.parts,
                 app::planned_peaks(graph, step_options(policy, {}, nullptr).gpu_device));
    if (graph.cycle) {
      simulation.run_shown = app::largest_run(simulation.parts).name;
      policy.search.fetches = app::largest_run(simulation.parts).fetches;
    }
  }
  simulation.source = graph.source;
  app::Replanner replanner(graph);
  TIDELINE_TRY(const Outcome made, replanner.plan(policy, options.json, progress));
  used = made.used;
  if (!made.used.is_off()) simulation.plan = made.plan;
  if (made.tuned) simulation.found = made.used.chosen()->caption(made.used.values, true);
  TIDELINE_TRY(
      const TensorTable tensors,
      graph.tensors(options.is_compatible() ? SizeModel::kCompatible : SizeModel::kFaithful));
  TIDELINE_TRY(const Fetches fetches,
               find_fetches(graph.graph(), graph.document().collections, policy.search.fetches));
  simulation.copies = graph.source->facts.copies();
  if (!simulation.copies.empty()) simulation.tensors = tensors;
  const std::vector<bool> of_step = step_ops(graph.graph(), fetches);
  simulation.unknown_sizes = unknown_sizes(graph.graph(), tensors, of_step);
  // A cycle feeds its runs itself.
  if (!graph.cycle) {
    simulation.expected_sizes =
        with_parameter_names(expected_sizes(graph.graph(), tensors, of_step), Naming::kOption);
  }
  if (options.is_compatible()) {
    const RewriteInput input{&graph.graph(), &graph.document().collections, graph.options()};
    return simulate_compatible(input, made.used, simulation);
  }
  if (simulation.plan) {
    const DeviceProfile profile = options.policy.profile.value_or(*built_in_profile("pcie3"));
    TIDELINE_TRY(const std::optional<Bytes> budget, app::step_budget(graph, made.used));
    TIDELINE_RETURN_IF_ERROR(
        app::add_policy(graph, *simulation.plan, graph.costs(profile), budget, simulation.parts));
  }
  return simulate_faithful(options, graph, tensors,
                           step_options(policy, policy.search.fetches, &graph.source->functions),
                           replanner, made, progress, simulation);
}

// With a plan the graph that it gives is the second run; without, the graph itself.
Status write_log(const SimulateOptions& options, const app::SizedGraph& opened,
                 const Simulation& simulation, const Policy& used, Progress& progress) {
  if (options.output.log_path.empty()) return {};
  std::optional<Graph> planned;
  if (simulation.plan) {
    TIDELINE_TRY(planned, apply(opened.graph(), simulation.plan->edit));
  }
  const Graph& after = planned ? *planned : opened.graph();
  TIDELINE_TRY(const app::StepLogs logs, step_logs_for(options.output, opened, after,
                                                       options.policy.profile, &used, progress));
  OutputOptions output = options.output;
  output.inputs = {options.run_metadata, options.policy.profile_name};
  return write_output(output, opened.document(), after, "", progress, logs);
}

// Of the graph as it is: what a plan does to it is seen in the graph that the plan gives.
std::optional<int> refuse_cluster(const SimulateOptions& options) {
  if (options.cluster.empty()) return std::nullopt;
  std::string other;
  if (!options.policy.policy.is_off()) other = "a policy; expected the graph that it gives";
  if (options.is_compatible()) other = "--model compatible, which knows one device";
  if (options.csv) other = "--csv; expected --json";
  if (options.graph.as_run == AsRun::kExact)
    other = "--as-run exact; expected the graph of optimize";
  if (!options.output.log_path.empty()) other = "--tb";
  if (!options.graph.plan.empty()) other = "--plan; expected the graph that it gives";
  if (other.empty()) return std::nullopt;
  return report_usage(
      {Code::kInvalidArgument, fmt::format("--cluster: not together with {}", other)});
}

int simulate_cluster(const SimulateOptions& options) {
  const auto cluster = app::read_cluster(options.cluster, Pipes::kRead);
  if (!cluster) return report(cluster.error());
  TerminalProgress progress(false);
  const auto opened =
      open_sized_graph(options.graph, options.run_metadata, options.graph.run(), progress);
  if (!opened) return report(opened.error());
  const DeviceProfile profile = options.policy.profile.value_or(*built_in_profile("pcie3"));
  const auto step = app::simulate_on_cluster(*opened, *cluster, main_task(*cluster), profile,
                                             options.policy.policy.search.fetches);
  if (!step) return report(with_context(step.error(), options.graph.graph.path));
  const ClusterReport report{*opened, *cluster, *step, profile, options.graph.graph.path};
  if (options.json) {
    print_cluster_json(report);
  } else {
    print_cluster_text(report);
  }
  return kExitDone;
}

int simulate(SimulateOptions& options) {
  Simulation simulation;
  simulation.path = options.graph.graph.path;
  Policy& policy = options.policy.policy;
  policy.search.is_faithful = !options.is_compatible();
  policy.search.fetches = split_list(options.fetch, ',');
  if (const auto refused = refuse_policy(options.policy)) return *refused;
  simulation.policy = policy.rewriter;
  if (options.is_compatible() && !options.fetch.empty()) {
    return report_usage({Code::kInvalidArgument,
                         "--fetch: the compatible model counts the whole graph; expected --model "
                         "faithful"});
  }
  if (const auto refused = check_run_model(options.graph, !options.is_compatible())) {
    return *refused;
  }
  if (options.is_compatible() && !policy.is_off() && policy.chosen()->count_step == nullptr) {
    return report_usage(
        {Code::kInvalidArgument, fmt::format("--model compatible: is the model of {}, which does "
                                             "not cover {}; expected --model faithful",
                                             counting().title, policy.rewriter)});
  }
  if (const auto refused = refuse_cluster(options)) return *refused;
  if (!options.cluster.empty()) return simulate_cluster(options);
  if (const auto refused = refuse_plan(options.graph, options.run_metadata)) return *refused;
  if (const auto refused = refuse_exact(options.graph, options.policy, options.run_metadata)) {
    return *refused;
  }
  if (const auto refused = refuse_log_output(options.output, simulation.path)) return *refused;
  TerminalProgress progress(false);
  auto opened =
      open_sized_graph(options.graph, options.run_metadata, run_of(options.graph, options.policy),
                       progress, Notices::kInReport);
  if (!opened) return report(opened.error());
  Policy used;
  if (Status status = simulate_graph(options, *opened, progress, simulation, used); !status) {
    if (status.error().code == Code::kCancelled) return report(status.error());
    return report(with_context(status.error(), simulation.path));
  }
  if (Status status = write_log(options, *opened, simulation, used, progress); !status) {
    return report(status.error());
  }
  if (simulation.plan) {
    simulation.warnings = simulation.plan->warnings_at(
        simulation.before.device_peak, simulation.result().device_peak, simulation.effects,
        simulation.timing ? &*simulation.timing : nullptr);
  }
  if (options.json) {
    print_json(opened->graph(), simulation, options.every_tensor);
  } else if (options.csv) {
    print_csv(opened->graph(), simulation);
  } else {
    print_text(opened->graph(), simulation);
  }
  warn(simulation.warnings);
  return kExitDone;
}

}  // namespace

void add_simulate(const Command& app, const Front& front, Action& action) {
  auto options = std::make_shared<SimulateOptions>();
  options->output.draw_png = front.draw_png;
  const Command command = app.add_subcommand(
      "simulate", "Device and host memory over a step, with and without a policy");
  add_graph(command, options->graph);
  add_inline(command, options->graph.graph);
  add_rounds(command, options->graph);
  add_run_model(command, options->graph);
  add_plan(command, options->graph);
  command
      .add_option("--model", options->model,
                  "faithful (default): buffers shared and reused; compatible: as LMS v2 counts. "
                  "Also the model on which automatic mode searches")
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
  command.add_flag("--every-tensor", options->every_tensor,
                   "With --json, also list every tensor that stays, with the rule that decided");
  command
      .add_option("--cluster", options->cluster,
                  "The memory of every device of a cluster, the bytes sent between them, and the "
                  "time: JSON as tf.train.ClusterSpec takes it, or the word TF_CONFIG")
      .not_empty()
      .type_name("FILE");
  add_only_log_output(command, options->output);
  add_policy_options(command, options->policy);
  command.callback([options, &action] { action = [options] { return simulate(*options); }; });
}

}  // namespace tideline::cli
