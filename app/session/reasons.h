// Why each tensor is or is not swapped. Computed on demand, because it takes a text per tensor.
#pragma once

#include <memory>
#include <string_view>

#include "app/session/snapshot.h"

namespace tideline::session {

/// The reasons for one snapshot. Thread: immutable.
class Reasons {
 public:
  /// Plans the policy of `snapshot` again, with reasons.
  /// Errors: those of Planner::plan; kCancelled. Cost: a plan, and a text for each tensor.
  [[nodiscard]] static Result<std::shared_ptr<const Reasons>> find(
      std::shared_ptr<const Snapshot> snapshot, Progress& progress);

  [[nodiscard]] const std::shared_ptr<const Snapshot>& snapshot() const { return snapshot_; }
  /// The plan of the snapshot with all tensors in `swaps` or `not_swapped`.
  [[nodiscard]] const Outcome& explained() const { return explained_; }
  /// The rule that decides about `tensor`, with its values; empty when the policy is off.
  [[nodiscard]] std::string_view why(TensorId tensor) const;

 private:
  std::shared_ptr<const Snapshot> snapshot_;
  Outcome explained_;  // not_swapped sorted by tensor
};

/// The rule for a swapped tensor, which is known without Reasons; empty for other tensors.
[[nodiscard]] std::string_view why_swapped(const Snapshot& snapshot, TensorId tensor);

}  // namespace tideline::session
