// Tested by unit/memory/run_model_test.cc.
#include "core/memory/run_model.h"

#include <algorithm>

#include "core/analysis/structure/graph_facts.h"
#include "core/base/text.h"

namespace tideline {

std::string_view as_run_name(AsRun as_run) {
  return as_run == AsRun::kModelled ? "modelled" : "off";
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

std::string run_text(RunModel run) {
  if (run.as_run == AsRun::kOff) return {};
  switch (run.executor) {
    case Executor::kByDevices: break;
    case Executor::kCpu: return "as TensorFlow runs it on a CPU with one thread";
    case Executor::kGpu: return "as TensorFlow runs it on a GPU";
  }
  return "as TensorFlow runs it";
}

std::vector<std::pair<const char*, std::string_view>> run_members(RunModel run) {
  if (run.as_run == AsRun::kOff) return {};
  return {{"as_run", as_run_name(run.as_run)}, {"executor", executor_name(run.executor)}};
}

}  // namespace tideline
