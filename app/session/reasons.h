// Why every tensor goes or stays: found when somebody asks, because it is a text for each.
#pragma once

#include <memory>
#include <string_view>

#include "app/session/snapshot.h"

namespace tideline::session {

/// Thread: immutable once made.
class Reasons {
 public:
  /// Of the policy of `snapshot`, by a replanner of its own.
  /// Errors: those of Replanner::plan; kCancelled. Cost: a plan, and a text for each tensor.
  [[nodiscard]] static Result<std::shared_ptr<const Reasons>> find(
      std::shared_ptr<const Snapshot> snapshot, Progress& progress);

  [[nodiscard]] const std::shared_ptr<const Snapshot>& snapshot() const { return snapshot_; }
  /// The plan of the snapshot with all tensors in `swaps` or `not_swapped`.
  [[nodiscard]] const Outcome& explained() const { return explained_; }
  /// The rule that decided, with its values; empty when the policy is off.
  [[nodiscard]] std::string_view why(TensorId tensor) const;

 private:
  std::shared_ptr<const Snapshot> snapshot_;
  Outcome explained_;  // not_swapped sorted by tensor
};

/// The rule for a swapped tensor, which needs no reasons; empty for one that stays.
[[nodiscard]] std::string_view why_swapped(const Snapshot& snapshot, TensorId tensor);

}  // namespace tideline::session
