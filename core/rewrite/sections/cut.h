// The runs of a cycle: which ops each computes, what it is fed, and what it hands to later runs.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "core/rewrite/sections/membership.h"
#include "core/rewrite/sections/step_facts.h"
#include "core/rewrite/sections/variable_uses.h"

namespace tideline::sections {

/// The backward run of one section.
struct PhaseCut {
  std::vector<OpId> targets;        ///< what it has to run: writes and other effects; by id
  std::vector<TensorId> delivered;  ///< kept on the host for later runs; sorted
  std::vector<TensorId> feeds;      ///< values of earlier runs; sorted
  std::vector<OpId> ops;            ///< what it computes besides variables and placeholders; by id
  std::vector<bool> runs;           ///< by op: whether it is in `ops`

  /// Whether input `slot` of `op`, one of `ops`, is fed.
  [[nodiscard]] bool is_fed(const StepFacts& facts, OpId op, std::uint32_t slot) const;
};

/// A cycle: the forward run on the original ops, then the phases from the last to the first.
struct Cut {
  std::vector<PhaseCut> phases;         ///< by section
  std::vector<TensorId> forward_cache;  ///< kept from the forward run; sorted
  std::vector<bool> forward_ops;        ///< by op: what the forward run executes
};

/// Invariants of the result: an op with an effect runs in exactly one run; what a run reads was
/// computed by an earlier run, is fed by the caller, or does not vary; no variable is read after an
/// update that the original step does later, nor before one that it does earlier.
/// Errors: kUnsupported naming the op and the rule that forbids to cut there.
/// Cost: O((ops + edges) x sections), again for each variable that several sections use.
/// Thread: pure.
[[nodiscard]] Result<Cut> cut_step(const StepFacts& facts, const VariableUses& uses,
                                   Membership membership);

}  // namespace tideline::sections
