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
    std::string device;
    std::string source;  ///< tensor of the original that the copy carries
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
  std::vector<Copy> added;
  std::vector<InputChange> rerouted;
  std::vector<ControlChange> control;
  /// Everything that a rewrite must not do: lost ops, changed types, devices, attributes, values
  /// that no longer arrive, lost control edges, added ops that compute. Empty: the proof holds.
  std::vector<std::string> violations;
  std::int64_t ops_compared = 0;
};

/// Compares two graphs op by op. A rewrite is sound when every op of the original is there with the
/// same type, device and attributes, reads the same values (directly, or over added Identity ops),
/// waits for all it waited for, and every added op is such a copy. Attributes are compared as sets
/// of (name, encoded value). Cost: O(ops + edges + attribute bytes). Whether the result is acyclic
/// is a question for verify_acyclic.
[[nodiscard]] GraphDiff diff_graphs(const Graph& original, const Graph& rewritten);

}  // namespace tideline
