// Tested by: tests/unit/memory/measured/measured_run_test.cc.
#include "core/memory/measured/measured_run.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/text.h"
#include "core/memory/measured/time_shares.h"
#include "core/memory/measured/traced_names.h"

namespace tideline {
namespace {

// The reads of all executions together: their graph has to fit into memory.
constexpr std::int64_t kMostReads = std::int64_t{1} << 25U;
// Each is compared with the model, which costs a walk of the graph.
constexpr std::size_t kMostDevices = 1024;

// The larger of two executions' sizes of one tensor.
void keep_largest(std::vector<MeasuredSize>& sizes) {
  std::stable_sort(sizes.begin(), sizes.end(), [](const MeasuredSize& a, const MeasuredSize& b) {
    return a.tensor != b.tensor ? a.tensor < b.tensor : a.bytes > b.bytes;
  });
  const auto same = [](const MeasuredSize& a, const MeasuredSize& b) {
    return a.tensor == b.tensor;
  };
  sizes.erase(std::unique(sizes.begin(), sizes.end(), same), sizes.end());
}

// TensorFlow runs a While op as the ops "while/enter/_4", "while/next_iteration/_9", and so on.
std::vector<GivenRounds> called_loops(const StepTrace& trace) {
  struct Runs {
    std::map<std::string_view, std::int64_t> enters, rounds;  // by op
  };
  std::map<std::string_view, Runs> loops;
  for (const TracedOp& row : trace.ops) {
    if (trace.devices[row.device].lane != TraceLane::kOps) continue;
    for (const std::string_view part : {"/enter/_", "/next_iteration/_"}) {
      const std::size_t at = row.name.rfind(part);
      if (at == std::string_view::npos) continue;
      Runs& runs = loops[row.name.substr(0, at)];
      ++(part.starts_with("/enter") ? runs.enters : runs.rounds)[row.name];
    }
  }
  std::vector<GivenRounds> found;
  const auto most = [](const std::map<std::string_view, std::int64_t>& runs) {
    std::int64_t count = 0;
    for (const auto& [name, number] : runs) count = std::max(count, number);
    return count;
  };
  for (const auto& [name, runs] : loops) {
    const std::int64_t enters = most(runs.enters);
    const std::int64_t rounds = most(runs.rounds);
    if (enters > 0 && rounds > 0)
      found.push_back({std::string(name), (rounds + enters - 1) / enters});
  }
  return found;
}

// The most that each op used besides its outputs.
void add_scratch(const MeasuredStep& step, std::vector<Bytes>& scratch) {
  for (std::size_t i = 0; i < step.executions.size(); ++i) {
    const OpId op = step.executions[i].op;
    if (op.valid()) scratch[op.index()] = std::max(scratch[op.index()], step.scratch[i]);
  }
}

// How often each op ran; on the device where it did most often.
void count_runs(const Graph& graph, const StepTrace& trace, std::vector<std::int32_t>& runs) {
  runs.assign(graph.op_count(), 0);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> by_device;
  for (const TracedOp& row : trace.ops) {
    if (trace.devices[row.device].lane != TraceLane::kOps) continue;
    const OpId op = graph.find(row.name);
    if (op.valid())
      runs[op.index()] = std::max(runs[op.index()], ++by_device[{op.value, row.device}]);
  }
}

// By op: its place among all, by the start of its first execution; -1: there is none.
std::vector<std::int32_t> measured_places(const Graph& graph,
                                          const std::vector<MeasuredStep>& devices) {
  std::vector<std::pair<std::int64_t, OpId>> starts;
  for (const MeasuredStep& step : devices) {
    for (const MeasuredExecution& execution : step.executions) {
      if (execution.op.valid()) starts.emplace_back(execution.start_ns, execution.op);
    }
  }
  std::ranges::stable_sort(starts, {}, [](const auto& start) { return start.first; });
  std::vector<std::int32_t> places(graph.op_count(), -1);
  std::int32_t place = 0;
  for (const auto& [start_ns, op] : starts) {
    if (places[op.index()] < 0) places[op.index()] = place++;
  }
  return places;
}

}  // namespace

MeasuredSizes measured_sizes(const Graph& graph, const StepTrace& trace) {
  MeasuredSizes measured;
  for (const TracedOp& row : trace.ops) {
    if (trace.devices[row.device].lane != TraceLane::kOps) continue;
    const OpId op = graph.find(row.name);
    const auto fed = op.valid() ? std::nullopt : fed_tensor(graph, row.name);
    if (!op.valid() && !fed) continue;
    for (const TracedOutput& output : trace.outputs_of(row)) {
      MeasuredSize size{fed.value_or(TensorId{op, output.slot}), output.bytes(), output.type,
                        Shape::unknown()};
      if (output.requested > 0) size.bytes = output.requested;
      if (output.has_shape) {
        const auto dims = trace.dims_of(output);
        size.shape = Shape::of({dims.begin(), dims.end()});
      }
      measured.sizes.push_back(std::move(size));
    }
  }
  keep_largest(measured.sizes);
  count_runs(graph, trace, measured.runs);
  measured.called_loops = called_loops(trace);
  return measured;
}

Result<MeasuredRun> measure_run(const Graph& graph, StepTrace trace, Diagnostics diagnostics) {
  MeasuredRun run;
  run.trace = std::move(trace);
  run.diagnostics = std::move(diagnostics);
  run.devices = measure_step(graph, run.trace, run.diagnostics);
  if (run.devices.size() > kMostDevices) {
    return fail(Code::kUnsupported, "ops ran on {} devices; expected at most {}",
                run.devices.size(), kMostDevices);
  }
  run.comparisons.resize(run.devices.size());
  const auto is_of_graph = [](const MeasuredExecution& execution) { return execution.op.valid(); };
  const bool fits = std::any_of(run.devices.begin(), run.devices.end(), [&](const auto& step) {
    return std::any_of(step.executions.begin(), step.executions.end(), is_of_graph);
  });
  if (!fits) {
    return fail(Code::kInvalidArgument,
                "none of the {} executions names an op of the graph; expected a step of this graph",
                run.trace.ops.size());
  }
  std::int64_t reads = 0;
  std::int64_t strangers = 0;
  for (const MeasuredStep& step : run.devices) {
    for (const MeasuredExecution& execution : step.executions) {
      if (!execution.op.valid()) {
        if (&step == &run.step()) ++strangers;
        continue;
      }
      reads += static_cast<std::int64_t>(graph.inputs(execution.op).size() +
                                         graph.control_inputs(execution.op).size());
    }
  }
  if (reads > kMostReads) {
    return fail(Code::kUnsupported, "the executions read {} values; expected at most {}", reads,
                kMostReads);
  }
  const auto count = static_cast<std::int64_t>(run.step().executions.size());
  if (2 * strangers > count) {
    run.diagnostics.add(Severity::kNotice, "trace whose ops are mostly not in the graph",
                        fmt::format("{} of {} executions", strangers, count));
  }
  run.sizes = measured_sizes(graph, run.trace);
  run.sizes.peak = run.step().peak;
  run.sizes.op_ns = measured_times(graph, run.trace);
  run.sizes.span_ns = TraceClock(run.trace).span_ns();
  run.sizes.places = measured_places(graph, run.devices);
  run.sizes.is_of_gpu = contains_ignoring_case(run.step().device, "gpu");
  run.sizes.scratch.assign(graph.op_count(), 0);
  // What an op of a GPU uses on the host besides is no memory of that GPU.
  for (const MeasuredStep& step : run.devices) {
    if (contains_ignoring_case(step.device, "gpu") == run.sizes.is_of_gpu) {
      add_scratch(step, run.sizes.scratch);
    }
  }
  return run;
}

std::vector<LevelBytes> level_bytes(const LevelMap& levels, const MeasuredStep& step,
                                    const MeasuredComparison& comparison) {
  std::map<std::int32_t, LevelBytes> by_level;
  const auto& executions = step.executions;
  const auto first = std::find_if(executions.begin(), executions.end(),
                                  [](const auto& execution) { return execution.op.valid(); });
  std::int32_t level = first == executions.end() ? -1 : levels.level(first->op);
  for (std::size_t i = 0; i < executions.size(); ++i) {
    const OpId op = executions[i].op;
    if (op.valid()) level = levels.level(op);
    if (level < 0) continue;
    LevelBytes& most = by_level.try_emplace(level, LevelBytes{level, 0, 0}).first->second;
    most.measured = std::max(most.measured, step.live[i]);
    if (i < comparison.model.size()) most.model = std::max(most.model, comparison.model[i]);
  }
  std::vector<LevelBytes> list;
  list.reserve(by_level.size());
  for (const auto& entry : by_level) list.push_back(entry.second);
  return list;
}

void compare(const Graph& graph, const StepGraph& step, const FunctionLibrary* functions,
             const LevelMap& levels, MeasuredRun& run) {
  const OpFactsTable facts = OpFactsTable::for_graph(graph, functions);
  for (std::size_t i = 0; i < run.devices.size(); ++i) {
    run.comparisons[i] = compare_with_model(graph, step, facts, run.trace, run.devices[i]);
  }
  if (run.step().has_memory()) run.levels = level_bytes(levels, run.step(), run.comparison());
}

}  // namespace tideline
