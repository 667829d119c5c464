// Tested by the golden case optimize and by integration/optimize_test.py.
#include "app/cli/exact.h"

#include <utility>

#include "app/cli/terminal.h"
#include "app/engine/device_result.h"
#include "core/base/text.h"
#include "core/runtime/find_tensorflow.h"

namespace tideline::cli {
namespace {

// Nothing, and a warning, without TensorFlow.
Result<std::optional<app::AskOptimizer>> find_optimizer(Progress& progress) {
  auto python = runtime::find_tensorflow_python(progress);
  if (python) return app::optimizer_of(*std::move(python));
  if (python.error().code != Code::kNotFound) return tl::unexpected(python.error());
  complain("tideline: warning: --as-run exact: {}; the step is modelled, as by --as-run modelled\n",
           python.error().message);
  return std::nullopt;
}

}  // namespace

std::optional<int> refuse_exact_trace(const GraphArgument& graph, const std::string& run_metadata) {
  if (graph.as_run != AsRun::kExact || run_metadata.empty()) return std::nullopt;
  return report_usage({Code::kInvalidArgument,
                       "--as-run exact: a traced step is of other ops; expected no "
                       "--run-metadata with it"});
}

std::optional<int> refuse_exact(const GraphArgument& graph, const PolicyArguments& policy,
                                const std::string& run_metadata) {
  if (graph.as_run != AsRun::kExact) return std::nullopt;
  if (const auto refused = refuse_exact_trace(graph, run_metadata)) return refused;
  if (policy.policy.is_off()) return std::nullopt;
  return report_usage({Code::kInvalidArgument,
                       "--as-run exact: plans are made for the graph of the file; expected no "
                       "policy, but --plan with a plan that 'rewrite --plan-json' wrote"});
}

Status run_exactly(app::SizedGraph& opened, PolicyArguments& policy, Progress& progress) {
  if (opened.run.as_run != AsRun::kExact) return {};
  TIDELINE_TRY(const auto optimizer, find_optimizer(progress));
  if (!optimizer) {
    opened.run.as_run = AsRun::kModelled;
    return {};
  }
  const auto done =
      app::run_exactly(opened, policy.policy.search.fetches, policy.profile, *optimizer, progress);
  return done ? Status() : tl::unexpected(done.error());
}

RunModel planned_run(const GraphArgument& graph, const PolicyArguments& policy) {
  RunModel run = run_of(graph, policy);
  if (run.as_run == AsRun::kExact) run.as_run = AsRun::kModelled;
  return run;
}

Result<std::optional<ExactResult>> exact_result(const GraphArgument& graph,
                                                const PolicyArguments& policy,
                                                const PlannedGraph& planned, Progress& progress) {
  if (graph.as_run != AsRun::kExact) return std::nullopt;
  if (!planned.device_peak) {
    complain(
        "tideline: warning: --as-run exact: the plan makes several runs of a step, which are "
        "modelled alone\n");
    return std::nullopt;
  }
  TIDELINE_TRY(const auto optimizer, find_optimizer(progress));
  if (!optimizer) return std::nullopt;
  app::ExactRequest request;
  request.fetches = planned.used.search.fetches;
  request.devices = {planned.device.empty() ? step_options(planned.used, {}, nullptr).gpu_device
                                            : std::optional(planned.device)};
  request.profile = policy.profile;
  TIDELINE_TRY(request.budget, app::step_budget(planned.opened, planned.used));
  app::SizedGraph changed = planned.opened;
  changed.source = app::with_graph(*changed.source, planned.changed);
  auto found = app::exact_step(std::move(changed), request, *optimizer, progress);
  if (found) {
    return ExactResult{std::move(found->tensorflow), found->peaks.front(), *planned.device_peak,
                       request.budget};
  }
  if (found.error().code == Code::kCancelled) return tl::unexpected(found.error());
  return tl::unexpected(with_context(std::move(found).error(), graph.graph.path));
}

void say_exact(const std::optional<ExactResult>& result) {
  if (result) say("{}\n", ui::exact_text(result->tensorflow, result->peak, result->modelled));
}

void warn_exact(const std::optional<ExactResult>& result) {
  if (!result) return;
  const std::string miss = ui::exact_miss(result->peak, result->budget.value_or(0));
  if (miss.empty()) return;
  complain(
      "tideline: warning: the step that TensorFlow {} runs exactly {}; plan for less, with a "
      "smaller --device-memory\n",
      printable(result->tensorflow, 40), miss);
}

}  // namespace tideline::cli
