// The output of `simulate`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/opened_graph.h"
#include "app/engine/planned_peaks.h"
#include "app/engine/sized_graph.h"
#include "core/analysis/swap_copies.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_table.h"
#include "core/memory/step_time.h"
#include "core/memory/timeline.h"
#include "core/rewrite/lms/swap_effect.h"
#include "core/rewrite/rewrite_plan.h"

namespace tideline::cli {

struct Simulation {
  std::string path;
  std::string policy;
  std::optional<RewritePlan> plan;
  std::vector<Warning> warnings;  ///< of the plan
  std::string found;              ///< the parameters that automatic mode found; else empty
  MemoryTimeline before;
  std::optional<MemoryTimeline> after;  ///< with the policy
  std::optional<DeviceProfile> profile;
  std::optional<TimeReport> timing;
  std::vector<SwapEffect>
      effects;  ///< of the plan's swaps, by index; empty on the compatible model
  std::int64_t unknown_sizes = 0;
  std::string expected_sizes;                   ///< what can be given for them (step_ops.h)
  std::int64_t contradicted_shapes = 0;         ///< of the faithful model
  std::shared_ptr<const app::DeviceStep> step;  ///< of the faithful model, without a policy
  app::MeasuredRunPtr run;                      ///< of --run-metadata; null without
  std::vector<app::PlannedPeak> parts;          ///< of --plan
  std::string run_shown;                        ///< the part that the rest is about; empty: all
  RunModel run_model = kAsInFile;               ///< of the step
  std::optional<Bytes> peak_in_file;            ///< as DeviceStep::peak_in_file
  SwapCopies copies;                            ///< swaps that the file holds
  TensorTable tensors;                          ///< of the model; only if there are `copies`
  app::ReadGraphPtr source;                     ///< of the graph; null: without lines of code

  [[nodiscard]] const MemoryTimeline& result() const { return after ? *after : before; }
  /// The line of code that made a tensor, or the one that it is a copy of; null: not known.
  [[nodiscard]] const SourceLine* line_of(TensorId tensor) const {
    const GraphPlan* edit = plan ? &plan->edit : nullptr;
    return source == nullptr ? nullptr : source->lines.of(tensor.op, edit);
  }
};

/// Tensors that stay are grouped by reason (`kept`); with `every_tensor` each one is also listed
/// (`not_swapped`), which takes 200 bytes for each.
void print_json(const Graph& graph, const Simulation& simulation, bool every_tensor);
void print_csv(const Graph& graph, const Simulation& simulation);
void print_text(const Graph& graph, const Simulation& simulation);

}  // namespace tideline::cli
