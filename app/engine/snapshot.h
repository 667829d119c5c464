// A snapshot: an opened graph under one policy, with plan, memory and time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/engine/device_result.h"
#include "app/engine/opened_graph.h"
#include "app/engine/replanner.h"
#include "core/base/progress.h"
#include "core/rewrite/policy.h"
#include "core/rewrite/step_parts.h"
#include "core/rewrite/tried_settings.h"
#include "render/view/scene.h"

namespace tideline::app {

/// Everything that is shown at one time. Thread: immutable, any number of readers.
struct Snapshot {
  std::shared_ptr<const OpenedGraph> graph;  ///< what is open
  /// What the views show: `graph`, or the graph that the plan gives (PlanReport::shows_result), in
  /// which the ops of `graph` have the same ids.
  std::shared_ptr<const OpenedGraph> shown;
  StepParts parts;  ///< of the ops of `shown`
  Policy policy;    ///< as requested
  Outcome planned;  ///< `used` has the values that automatic mode found
  /// Of the last search by the same maker, if it was for this policy but for what it looked for.
  std::shared_ptr<const TriedSettings> tried;
  DeviceProfile profile;
  std::optional<Bytes> device_budget;  ///< of a step: step_budget of the policy
  std::vector<DeviceResult> devices;   ///< the device of the policy first
  std::vector<Bytes> scope_swapped;    ///< by scope, of OpenedGraph::scope_bytes
  bool is_confirmed = false;           ///< SwapEffect::is_idle is known

  [[nodiscard]] bool has_plan() const { return !policy.is_off(); }
  [[nodiscard]] const RewritePlan& plan() const { return planned.plan; }
  /// Of the plan, and of what it does to a step on the first device.
  [[nodiscard]] std::vector<Warning> warnings() const;
  [[nodiscard]] std::optional<PlanPrediction> predicted() const { return prediction_of(devices); }
  /// Whether some swaps may be idle, and SnapshotMaker::confirm has not looked yet.
  [[nodiscard]] bool is_unconfirmed() const;
  /// Of the first device, the one that the policy is about.
  [[nodiscard]] const TimeReport& timing() const { return devices.front().timing; }
  [[nodiscard]] const StepTime& time() const { return timing().after; }
  [[nodiscard]] const std::vector<SwapEffect>& effects() const { return devices.front().effects; }
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
  /// What the last search tried, whether or not something fits, if `policy` differs at most in what
  /// a search sets; else null.
  [[nodiscard]] std::shared_ptr<const TriedSettings> tried_for(const Policy& policy,
                                                               const DeviceProfile& profile) const;
  /// The same snapshot, with its idle swaps marked. Only the first device counts, which the policy
  /// is about: a tensor that is kept is kept on all devices. Precondition: it was made by this
  /// maker. Errors: those of confirm_idle.
  [[nodiscard]] Result<std::shared_ptr<const Snapshot>> confirm(const Snapshot& snapshot,
                                                                Progress& progress);

 private:
  Result<std::vector<std::shared_ptr<const DeviceStep>>> devices_for(const Policy& policy);
  Status show_result(Snapshot& snapshot, Progress& progress);
  void note_tried(const Policy& policy, const DeviceProfile& profile, const SearchResult* search);
  const TimeReport& time_without_plan(const std::shared_ptr<const DeviceStep>& device);

  std::shared_ptr<const OpenedGraph> graph_;
  Replanner replanner_;
  std::shared_ptr<const DeviceStep> chosen_;  // a device that only a policy names
  // Of the devices of the last snapshot; a policy that changes does not change them.
  std::vector<std::pair<std::shared_ptr<const DeviceStep>, TimeReport>> timed_;
  DeviceProfile timed_profile_;
  std::shared_ptr<const TriedSettings> tried_;  // of the last search
  DeviceProfile tried_profile_;
};

/// Makes a single snapshot and confirms it, with a temporary SnapshotMaker.
[[nodiscard]] Result<std::shared_ptr<const Snapshot>> make_snapshot(
    const std::shared_ptr<const OpenedGraph>& graph, const Policy& policy,
    const DeviceProfile& profile, Progress& progress);

}  // namespace tideline::app
