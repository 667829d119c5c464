// The option --as-run exact: steps on the graph that TensorFlow's optimizer makes.
#pragma once

#include <optional>
#include <string>

#include "app/cli/commands.h"
#include "app/cli/policy_options.h"
#include "app/engine/exact_step.h"
#include "app/engine/sized_graph.h"

namespace tideline::cli {

// Of verbs that look at one graph.
/// With --as-run exact, the graph that TensorFlow's optimizer makes of `opened`; `policy.search`
/// names what is fetched. Without TensorFlow a warning, and the step is modelled. Errors: those of
/// app::run_exactly.
[[nodiscard]] Status run_exactly(app::SizedGraph& opened, PolicyArguments& policy,
                                 Progress& progress);
/// Whether other options rule --as-run exact out: prints that and returns the exit code.
[[nodiscard]] std::optional<int> refuse_exact(const GraphArgument& graph,
                                              const PolicyArguments& policy,
                                              const std::string& run_metadata = {});

// Of verbs that plan: plans are made on the model, and TensorFlow is asked about what they give.
/// The run model of the plan.
[[nodiscard]] RunModel planned_run(const GraphArgument& graph, const PolicyArguments& policy);
/// A traced step is of other ops: prints that and returns the exit code.
[[nodiscard]] std::optional<int> refuse_exact_trace(const GraphArgument& graph,
                                                    const std::string& run_metadata);
/// What a plan gives, and what the model says of it.
struct PlannedGraph {
  const app::SizedGraph& opened;
  const Graph& changed;  ///< an edit of it
  const Policy& used;
  std::optional<Bytes> device_peak;  ///< nullopt if the plan makes several runs of a step
  std::string device = {};           ///< whose, where the plan makes several of one
};
struct ExactResult {
  std::string tensorflow;  ///< the version
  ui::ExactPeak peak;
  Bytes modelled = 0;
  std::optional<Bytes> budget;
};
/// With --as-run exact, the step of `planned`, for the fetches and within the budget of its policy.
/// Nothing without the option; nothing, and a warning, without TensorFlow and for several runs.
/// Errors: those of app::exact_step.
[[nodiscard]] Result<std::optional<ExactResult>> exact_result(const GraphArgument& graph,
                                                              const PolicyArguments& policy,
                                                              const PlannedGraph& planned,
                                                              Progress& progress);
/// Both peaks in a line; nothing for nullopt.
void say_exact(const std::optional<ExactResult>& result);
/// Warns of a step that does not fit the budget, which no switch silences.
void warn_exact(const std::optional<ExactResult>& result);

}  // namespace tideline::cli
