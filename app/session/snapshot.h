// A snapshot: an opened graph under one policy, with plan, memory and time.
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
#include "core/rewrite/swap_effect.h"
#include "render/view/scene.h"

namespace tideline::session {

/// A step on one device, without and with the policy.
struct DeviceResult {
  std::shared_ptr<const DeviceStep> original;
  std::optional<FaithfulStep> after;  ///< nullopt when the policy is off

  [[nodiscard]] const FaithfulStep& result() const { return after ? *after : original->before; }
};

/// A step with a plan.
struct PlannedStep {
  StepGraph graph;
  FaithfulStep step;
};
[[nodiscard]] PlannedStep simulate_plan(const DeviceStep& original, const Graph& graph,
                                        const RewritePlan& plan);

/// Everything that is shown at one time. Thread: immutable, any number of readers.
struct Snapshot {
  std::shared_ptr<const OpenedGraph> graph;
  Policy policy;    ///< as requested
  Outcome planned;  ///< `used` has the values that automatic mode found
  DeviceProfile profile;
  std::vector<DeviceResult> devices;  ///< the device of the policy first
  TimeReport timing;                  ///< of a step on the first device
  std::vector<SwapEffect> effects;    ///< of the swaps on the first device, by index
  std::vector<Bytes> scope_swapped;   ///< by scope, of OpenedGraph::scope_bytes

  [[nodiscard]] bool has_plan() const { return !policy.is_off(); }
  [[nodiscard]] const RewritePlan& plan() const { return planned.plan; }
  [[nodiscard]] const StepTime& time() const { return timing.after; }
  /// What the views draw. Its pointers are valid as long as this snapshot.
  [[nodiscard]] render::Scene scene() const;
  /// The result of automatic mode in one sentence; empty when it was not used.
  [[nodiscard]] std::string tuned_text() const;
};

/// Sets the parameters in `policy` to those that automatic mode found for `snapshot` or, if none
/// were found or needed, to values with which little or nothing is swapped.
void adopt_found(const Snapshot& snapshot, Policy& policy);

/// Makes snapshots of one graph: plans and simulates. Keeps the analyses of the last plan, as
/// Replanner does. Thread: not shared.
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
  void time_first(Snapshot& snapshot);

  std::shared_ptr<const OpenedGraph> graph_;
  Replanner replanner_;
  std::shared_ptr<const DeviceStep> chosen_;  // a device that only a policy names
  // Of the last snapshot's first device; a policy that changes does not change it.
  std::shared_ptr<const DeviceStep> timed_;
  DeviceProfile timed_profile_;
  TimeReport without_plan_;
};

/// Makes a single snapshot, with a temporary SnapshotMaker.
[[nodiscard]] Result<std::shared_ptr<const Snapshot>> make_snapshot(
    const std::shared_ptr<const OpenedGraph>& graph, const Policy& policy,
    const DeviceProfile& profile, Progress& progress);

}  // namespace tideline::session
