// The input of all views: pointers to the core values of one snapshot, without ownership.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/levels.h"
#include "core/analysis/structure/phases.h"
#include "core/analysis/structure/scopes.h"
#include "core/analysis/structure/while_frames.h"
#include "core/analysis/swap_copies.h"
#include "core/base/units.h"
#include "core/graph/consumers.h"
#include "core/graph/function_library.h"
#include "core/graph/graph.h"
#include "core/graph/source_lines.h"
#include "core/graph/tensor_table.h"
#include "core/memory/faithful.h"
#include "core/memory/measured/measured_run.h"
#include "core/memory/run_model.h"
#include "core/memory/step_time.h"
#include "core/rewrite/lms/swap_effect.h"
#include "core/rewrite/rewrite_plan.h"
#include "core/rewrite/step_parts.h"
#include "core/rewrite/tried_settings.h"

namespace tideline::render {

/// The memory of one device over a step.
struct DeviceCurves {
  std::string_view device;                   ///< "" when the graph names no device
  RunModel run = kAsInFile;                  ///< of the steps
  std::optional<Bytes> peak_in_file = {};    ///< of the unedited graph, if `run` is another step
  std::string taken = {};                    ///< what it takes of conditionals (taken_branches.h)
  const MemoryTimeline* before = nullptr;    ///< of the unedited graph
  const MemoryTimeline* of_graph = nullptr;  ///< of Scene::graph, which a plan may have made
  const MemoryTimeline* after = nullptr;     ///< of the rewritten graph; null without a policy
  /// Every buffer of the step, for bands; null on the compatible model.
  const FaithfulStep* before_step = nullptr;
  const FaithfulStep* after_step = nullptr;
  const TimeReport* timing = nullptr;  ///< of the step on this device; null when unknown
  /// Of the plan's swaps, by index; null when unknown.
  const std::vector<SwapEffect>* swap_effects = nullptr;
};

/// The memory of one device over a run of the cycle that a plan makes of a step.
struct CycleCurve {
  std::string name;                            ///< "forward", "graph_section_2"
  const std::vector<Bytes>* device = nullptr;  ///< by step of the run
};

/// Invariant: all pointers belong to one snapshot, which must outlive the scene. `graph`,
/// `tensors`, `consumers`, `levels`, `scopes` and `phases` are never null; there is at least one
/// device.
struct Scene {
  const Graph* graph = nullptr;
  const TensorTable* tensors = nullptr;  ///< sizes of the faithful model
  const Consumers* consumers = nullptr;
  const LevelMap* levels = nullptr;  ///< the complete map of the unedited graph
  const ScopeTree* scopes = nullptr;
  const Phases* phases = nullptr;
  const SwapCopies* copies = nullptr;          ///< swaps that the graph holds already; null: none
  const WhileFrames* loops = nullptr;          ///< null: not known
  const FunctionLibrary* functions = nullptr;  ///< that its ops call; null: not known
  const SourceLines* lines = nullptr;          ///< of the user's code; null: not known
  const RewritePlan* plan = nullptr;           ///< null without a policy
  const StepParts* parts = nullptr;            ///< of the step by the plan; null: there are none
  std::vector<DeviceCurves> devices = {};      ///< the device of the policy first
  std::vector<CycleCurve> runs = {};           ///< in their order; empty where not known
  const MeasuredRun* measured = nullptr;       ///< a traced step of the graph; null without one
  const TriedSettings* tried = nullptr;        ///< the last search for these settings; null: none
  std::optional<std::size_t> trial = {};       ///< of it: whose values the plan has
  Bytes device_budget = 0;                     ///< 0: none
  Bytes host_budget = 0;                       ///< 0: none
};

}  // namespace tideline::render
