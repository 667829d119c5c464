// What a rewriter changed, and the proof that nothing else changed.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/graph/graph.h"

namespace tideline {

/// Differences between an original and its rewritten graph. Ops are matched by name.
struct GraphDiff {
  struct Copy {
    std::string name;
    std::string type;
    std::string device;
    /// The tensor of the original that output 0 has the value of: what an Identity carries, or what
    /// a recomputing copy computes again. Empty for a NoOp.
    std::string source;
  };
  struct InputChange {
    std::string op;
    std::uint32_t slot = 0;
    std::string from;
    std::string to;
    std::string carries;  ///< tensor of the original that arrives over the copies
  };
  struct ControlChange {
    std::string op;
    std::string after;
  };
  /// An op of the original that runs in fewer cases than before.
  struct Branching {
    std::string op;
    std::vector<std::string> branches;  ///< that it did not hang on: "cond/pred_id:0 is true"
  };
  std::vector<Copy> added;
  std::vector<InputChange> rerouted;
  std::vector<ControlChange> control;
  /// Ops of v1 conditionals (conditions.h). No violation: what runs computes the same.
  std::vector<Branching> more_branches;
  /// Everything that a rewrite must not do: lost ops, changed types, devices, attributes, values
  /// that no longer arrive, lost control edges, added ops that compute something new. Empty: every
  /// op of the original computes the same from the same values.
  std::vector<std::string> violations;
  std::int64_t ops_compared = 0;

  /// Whether there is no difference at all, but for the order of ops and of control inputs.
  [[nodiscard]] bool is_equal() const {
    return added.empty() && rerouted.empty() && control.empty() && violations.empty();
  }
  /// Every difference as a sentence.
  [[nodiscard]] std::vector<std::string> differences() const;
};

/// Compares two graphs op by op. A rewrite is sound when every op of the original is there with the
/// same type, device and attributes, reads the same values (directly, or from added ops that carry
/// or recompute them: carried_values.h), waits for all it waited for, and every added op is such a
/// copy or a NoOp. Attributes are compared as sets of (name, encoded value).
/// Cost: O(ops + edges + attribute bytes), and of Conditions where there are any. Whether the
/// result is acyclic is a question for verify_acyclic.
[[nodiscard]] GraphDiff diff_graphs(const Graph& original, const Graph& rewritten);

}  // namespace tideline
