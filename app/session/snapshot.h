// What a policy makes of an opened graph: plan, memory, time. All that is shown at one moment.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/opened_graph.h"
#include "app/session/replanner.h"
#include "core/base/progress.h"
#include "core/memory/step_time.h"
#include "core/rewrite/policy.h"
#include "render/view/scene.h"

namespace tideline::session {

/// A step on one device, without and with the policy.
struct DeviceResult {
  std::shared_ptr<const DeviceStep> original;
  std::optional<FaithfulStep> after;  ///< absent when the policy is off

  [[nodiscard]] const FaithfulStep& result() const { return after ? *after : original->before; }
};

/// The step that a plan makes of one.
struct PlannedStep {
  StepGraph graph;
  FaithfulStep step;
};
[[nodiscard]] PlannedStep simulate_plan(const DeviceStep& original, const Graph& graph,
                                        const LmsPlan& plan);

/// Invariant: never changes once made. Thread: any number of readers.
struct Snapshot {
  std::shared_ptr<const OpenedGraph> graph;
  Policy policy;    ///< as it was asked for
  Outcome planned;  ///< `used` has what automatic mode found
  DeviceProfile profile;
  std::vector<DeviceResult> devices;  ///< the one that the policy is about first
  StepTime time;                      ///< of a step on the first device, with the policy
  std::vector<Bytes> scope_swapped;   ///< by scope, of OpenedGraph::scope_bytes

  [[nodiscard]] bool has_plan() const { return !policy.is_off(); }
  [[nodiscard]] const LmsPlan& plan() const { return planned.plan; }
  /// The pointers are into this snapshot and live as long as it.
  [[nodiscard]] render::Scene scene() const;
  /// What automatic mode found, in one sentence; empty when it was not used.
  [[nodiscard]] std::string tuned_text() const;
};

/// Gives `policy` the parameters that automatic mode found for `snapshot`, as the user's own; where
/// none were found or needed, such that little or nothing is swapped.
void adopt_found(const Snapshot& snapshot, Policy& policy);

/// Makes snapshots of one graph: plans, and simulates what comes of it. What the last one needed is
/// kept, as in Replanner. Thread: one at a time.
class SnapshotMaker {
 public:
  explicit SnapshotMaker(std::shared_ptr<const OpenedGraph> graph);

  [[nodiscard]] const std::shared_ptr<const OpenedGraph>& graph() const { return graph_; }

  /// Errors: those of Replanner::plan and build_step_graph; kCancelled.
  [[nodiscard]] Result<std::shared_ptr<const Snapshot>> make(const Policy& policy,
                                                             const DeviceProfile& profile,
                                                             Progress& progress);

 private:
  Result<std::vector<std::shared_ptr<const DeviceStep>>> devices_for(const Policy& policy);

  std::shared_ptr<const OpenedGraph> graph_;
  Replanner replanner_;
  std::shared_ptr<const DeviceStep> chosen_;  // a device that only a policy names
};

/// One snapshot by a maker of its own.
[[nodiscard]] Result<std::shared_ptr<const Snapshot>> make_snapshot(
    const std::shared_ptr<const OpenedGraph>& graph, const Policy& policy,
    const DeviceProfile& profile, Progress& progress);

}  // namespace tideline::session
