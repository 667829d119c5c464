// Which ops read or write the buffer of each variable, for the order of the runs.
#pragma once

#include <span>
#include <vector>

#include "core/rewrite/sections/step_facts.h"

namespace tideline::sections {

struct VariableAccess {
  OpId variable;
  OpId op;
  bool writes = false;
};

/// All accesses to variables by ops of the step. A ref variable is accessed by whatever reads it
/// through Identity ops and control flow, because these hand its buffer on; a resource variable by
/// the ops that take its handle. Cost: O(ops + edges of the variables). Thread: immutable.
class VariableUses {
 public:
  explicit VariableUses(const StepFacts& facts);

  /// By variable, then by op; those of variables that the step writes.
  [[nodiscard]] std::span<const VariableAccess> written() const { return written_; }
  /// Whether `op` must come after `before` in the original step. Cost: O(what waits for `before`).
  [[nodiscard]] bool comes_after(OpId op, OpId before) const;

 private:
  void follow(OpId variable, std::vector<VariableAccess>& found) const;

  const StepFacts* facts_;
  std::vector<VariableAccess> written_;
};

}  // namespace tideline::sections
