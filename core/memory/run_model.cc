// Tested by unit/memory/run_model_test.cc.
#include "core/memory/run_model.h"

#include <algorithm>

#include "core/analysis/structure/graph_facts.h"
#include "core/base/text.h"

namespace tideline {

std::string_view as_run_name(AsRun as_run) {
  switch (as_run) {
    case AsRun::kOff: break;
    case AsRun::kModelled: return "modelled";
    case AsRun::kExact: return "exact";
  }
  return "off";
}

std::string_view executor_name(Executor executor) {
  switch (executor) {
    case Executor::kByDevices: break;
    case Executor::kCpu: return "cpu";
    case Executor::kGpu: return "gpu";
  }
  return "by-devices";
}

RunModel with_executor(RunModel run, const GraphFacts& facts) {
  if (run.as_run == AsRun::kOff || run.executor != Executor::kByDevices) return run;
  const auto& devices = facts.graph().devices();
  const bool names_gpu = std::any_of(devices.begin(), devices.end(), [](std::string_view device) {
    return contains_ignoring_case(device, "gpu");
  });
  run.executor = names_gpu || !facts.copies().empty() ? Executor::kGpu : Executor::kCpu;
  return run;
}

std::string run_text(const RunModel& run) {
  if (run.as_run == AsRun::kOff) return {};
  std::string text =
      run.as_run == AsRun::kExact ? "exactly as TensorFlow runs it" : "as TensorFlow runs it";
  switch (run.executor) {
    case Executor::kByDevices: break;
    case Executor::kCpu: text += " on a CPU with one thread"; break;
    case Executor::kGpu: text += " on a GPU"; break;
  }
  if (run.is_in_traced_order) text += ", in the order of the trace";
  if (!run.branches.empty()) text += ", with " + printable(given_branches_text(run.branches));
  return text;
}

std::vector<std::pair<const char*, std::string>> run_members(const RunModel& run) {
  if (run.as_run == AsRun::kOff) return {};
  std::vector<std::pair<const char*, std::string>> members = {
      {"as_run", std::string(as_run_name(run.as_run))},
      {"executor", std::string(executor_name(run.executor))}};
  if (run.is_in_traced_order) members.emplace_back("order", "trace");
  if (!run.branches.empty()) members.emplace_back("branches", given_branches_text(run.branches));
  return members;
}

}  // namespace tideline
