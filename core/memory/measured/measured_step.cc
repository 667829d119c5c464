// Tested by: tests/unit/memory/measured/measured_step_test.cc, tests/golden/measured_test.cc.
#include "core/memory/measured/measured_step.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/memory/measured/measured_buffers.h"
#include "core/memory/measured/measured_curve.h"
#include "core/memory/measured/traced_names.h"

namespace tideline {
namespace {

// Ops added by the executor: _arg_x_0, _retval_y_0, _SOURCE.
bool is_added_by_executor(const TracedOp& row) {
  const std::string_view type = traced_type(row);
  return row.name.starts_with("_") || type.ends_with("Send") || type.ends_with("Recv");
}

// The executions of a device with these rows, by start, then row.
std::vector<MeasuredExecution> executions_of(const Graph& graph, const StepTrace& trace,
                                             const std::vector<std::uint32_t>& rows,
                                             Diagnostics& diagnostics) {
  std::vector<MeasuredExecution> executions;
  for (const std::uint32_t row : rows) {
    const TracedOp& op = trace.ops[row];
    MeasuredExecution execution{row, graph.find(op.name), op.start_ns, op.duration_ns};
    if (!execution.op.valid()) {
      diagnostics.add(Severity::kInfo,
                      is_added_by_executor(op) ? "execution of an op that the executor adds"
                                               : "execution of an op that is not in the graph",
                      fmt::format("'{}'", printable(op.name)));
    }
    executions.push_back(execution);
  }
  std::stable_sort(executions.begin(), executions.end(),
                   [](const auto& a, const auto& b) { return a.start_ns < b.start_ns; });
  return executions;
}

MeasuredStep measure_device(const Graph& graph, const StepTrace& trace, std::uint32_t device,
                            const std::vector<std::uint32_t>& rows, Diagnostics& diagnostics) {
  MeasuredStep step;
  step.device = trace.devices[device].name;
  step.executions = executions_of(graph, trace, rows, diagnostics);
  std::vector<bool> own;  // allocators
  for (const std::string_view allocator : trace.allocators) {
    own.push_back(is_memory_of(step.device, allocator));
  }
  find_buffers(trace, own, step, diagnostics);
  draw_curve(trace, own, step);
  return step;
}

}  // namespace

std::vector<MeasuredStep> measure_step(const Graph& graph, const StepTrace& trace,
                                       Diagnostics& diagnostics) {
  std::vector<MeasuredStep> steps;
  const std::vector<std::vector<std::uint32_t>> rows = trace.rows_by_device();
  for (std::uint32_t device = 0; device < trace.devices.size(); ++device) {
    if (trace.devices[device].lane != TraceLane::kOps || rows[device].empty()) continue;
    steps.push_back(measure_device(graph, trace, device, rows[device], diagnostics));
  }
  std::stable_sort(steps.begin(), steps.end(), [](const MeasuredStep& a, const MeasuredStep& b) {
    if (is_cpu_device(a.device) != is_cpu_device(b.device)) return is_cpu_device(b.device);
    return a.peak > b.peak;
  });
  return steps;
}

}  // namespace tideline
