// The output of `simulate`.
#pragma once

#include <optional>
#include <string>

#include "core/graph/graph.h"
#include "core/memory/measured/measured_run.h"
#include "core/memory/step_time.h"
#include "core/memory/timeline.h"
#include "core/rewrite/lms_plan.h"

namespace tideline::cli {

struct Simulation {
  std::string path;
  std::string policy;
  std::optional<LmsPlan> plan;
  MemoryTimeline before;
  std::optional<MemoryTimeline> after;  ///< with the policy
  std::optional<DeviceProfile> profile;
  std::optional<StepTime> time;  ///< of the step with the policy
  std::int64_t unknown_sizes = 0;
  std::optional<MeasuredRun> run;  ///< of --run-metadata

  [[nodiscard]] const MemoryTimeline& result() const { return after ? *after : before; }
};

void print_json(const Graph& graph, const Simulation& simulation);
void print_csv(const Graph& graph, const Simulation& simulation);
void print_text(const Graph& graph, const Simulation& simulation);

}  // namespace tideline::cli
