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
    /// The tensor of the original whose value output 0 has, carried by an Identity or recomputed by
    /// a copy. Empty for a NoOp.
    std::string source;
  };
  struct InputChange {
    std::string op;
    std::uint32_t slot = 0;
    std::string from;
    std::string to;
    std::string carries;  ///< the tensor of the original whose value `to` has
  };
  struct ControlChange {
    std::string op;
    std::string after;
  };
  /// An op of the original that runs in fewer cases than before.
  struct Branching {
    std::string op;
    std::vector<std::string> branches;  ///< it now depends on: "cond/pred_id:0 is true"
  };
  std::vector<Copy> added;
  std::vector<InputChange> rerouted;
  std::vector<ControlChange> control;
  /// Ops of v1 conditionals (conditions.h). Not violations: ops that run compute the same values.
  std::vector<Branching> more_branches;
  /// Changes that a rewrite must not make: lost ops, changed types, devices, attributes or input
  /// values, lost control edges, added ops that compute something new. If empty, every op of the
  /// original computes the same from the same values.
  std::vector<std::string> violations;
  std::int64_t ops_compared = 0;

  /// True if there are no differences except the order of ops and of control inputs.
  [[nodiscard]] bool is_equal() const {
    return added.empty() && rerouted.empty() && control.empty() && violations.empty();
  }
  /// All differences, one sentence each.
  [[nodiscard]] std::vector<std::string> differences() const;
};

/// Compares two graphs op by op. A rewrite is sound if every op of the original exists with the
/// same type, device and attributes, reads the same values (directly, or from added ops that carry
/// or recompute them, see carried_values.h) and keeps its control inputs, and every added op is
/// such a copy or a NoOp. Attributes are compared as sets of (name, encoded value). Does not check
/// for cycles (verify_acyclic does). Cost: O(ops + edges + attribute bytes), plus Conditions if
/// there are any.
[[nodiscard]] GraphDiff diff_graphs(const Graph& original, const Graph& rewritten);

}  // namespace tideline
