// Where the ops of the new graph run.
#pragma once

#include <string>
#include <vector>

#include "core/rewrite/replicate/options.h"
#include "core/rewrite/replicate/regions.h"
#include "core/rewrite/replicate/report.h"
#include "core/rewrite/replicate/variable_devices.h"

namespace tideline::replicate {

/// Copies run on the device of their tower; variables, the update and what is colocated with them
/// on the parameter device; all else where it did. What a device string of the graph says stays:
/// only what it leaves open is filled in. An op that uses a variable through its handle runs where
/// the variable is, as TensorFlow demands. Thread: immutable once built.
class TowerDevices {
 public:
  TowerDevices(const Context& context, const Regions& regions, const ReplicateOptions& options);
  /// Before anything is asked: decides on the devices of variables. Errors: those of
  /// spread_variables.
  [[nodiscard]] Status spread(const ReplicateOptions& options);

  /// Of `op`, or of its copy in tower `tower`.
  [[nodiscard]] std::string of(OpId op, std::size_t tower) const;
  /// Counts where the ops of `tower`, the one of this number, are. Cost: O(replicated ops).
  void count(std::size_t number, Tower& tower) const;
  [[nodiscard]] const std::string& parameters() const { return parameters_; }
  /// Empty where all variables are on `parameters`.
  [[nodiscard]] const std::vector<VariableDevice>& of_variables() const { return spread_.devices; }
  [[nodiscard]] const std::string& tower(std::size_t tower) const { return towers_[tower]; }

 private:
  void find_anchors();
  [[nodiscard]] const std::string& of_variable(OpId variable) const;
  [[nodiscard]] bool follows_variable(OpId op) const {
    return context_.kind(anchor_[op.index()]) == OpKind::kVariable;
  }

  const Context& context_;
  const Regions& regions_;
  std::vector<std::string> towers_;
  std::string parameters_;
  SpreadVariables spread_;       // empty: all variables are on `parameters_`
  std::vector<OpId> anchor_;     // by op: what it is colocated with in the end; itself if nothing
  std::vector<bool> is_writer_;  // by op: of moving averages
};

}  // namespace tideline::replicate
