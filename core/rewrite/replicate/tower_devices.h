// Where the ops of the new graph run.
#pragma once

#include <string>
#include <vector>

#include "core/rewrite/replicate/options.h"
#include "core/rewrite/replicate/regions.h"

namespace tideline::replicate {

/// Copies run on the device of their tower; variables, the update and what is colocated with them
/// on the parameter device; all else where it did. What a device string of the graph says stays:
/// only what it leaves open is filled in. An op that uses a variable through its handle runs where
/// the variable is, as TensorFlow demands. Thread: immutable once built.
class TowerDevices {
 public:
  TowerDevices(const Context& context, const Regions& regions, const ReplicateOptions& options);

  /// Of `op`, or of its copy in tower `tower`.
  [[nodiscard]] std::string of(OpId op, std::size_t tower) const;
  [[nodiscard]] const std::string& parameters() const { return parameters_; }
  [[nodiscard]] const std::string& tower(std::size_t tower) const { return towers_[tower]; }

 private:
  void find_anchors();

  const Context& context_;
  const Regions& regions_;
  std::vector<std::string> towers_;
  std::string parameters_;
  std::vector<OpId> anchor_;     // by op: what it is colocated with in the end; itself if nothing
  std::vector<bool> is_writer_;  // by op: of moving averages
};

}  // namespace tideline::replicate
