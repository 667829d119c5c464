// Why each tensor is or is not swapped. Computed on demand, because it takes a text per tensor.
#pragma once

#include <memory>
#include <string>

#include "app/engine/snapshot.h"

namespace tideline::app {

/// The reasons for one snapshot. Thread: immutable.
class Reasons {
 public:
  /// Plans the policy of `snapshot` again, with reasons.
  /// Errors: those of Replanner::plan; kCancelled. Cost: a plan, and a text for each tensor.
  [[nodiscard]] static Result<std::shared_ptr<const Reasons>> find(
      std::shared_ptr<const Snapshot> snapshot, Progress& progress);

  [[nodiscard]] const std::shared_ptr<const Snapshot>& snapshot() const { return snapshot_; }
  /// The plan of the snapshot, whose report knows the rule for each tensor.
  [[nodiscard]] const Outcome& explained() const { return explained_; }

 private:
  std::shared_ptr<const Snapshot> snapshot_;
  Outcome explained_;
};

/// By which ops the shown file swaps a tensor; empty for other tensors.
[[nodiscard]] std::string why_in_file(const Snapshot& snapshot, TensorId tensor);

}  // namespace tideline::app
