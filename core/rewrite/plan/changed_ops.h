// Which ops differ between two graphs, whatever made them differ.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace tideline {

/// An attribute that one of two ops lacks, or whose values differ.
struct AttributeDifference {
  enum class Kind : std::uint8_t { kLost, kChanged, kNew };
  std::string key;
  Kind kind = Kind::kChanged;
};
/// Those of `op` that are lost or changed in `twin`, by key, then the new ones. Values are compared
/// as messages. Cost: O(attribute bytes of both). Thread: pure.
[[nodiscard]] std::vector<AttributeDifference> attribute_differences(const Graph& before, OpId op,
                                                                     const Graph& after, OpId twin);

/// "is lost", "changed", "is new".
[[nodiscard]] std::string_view difference_word(AttributeDifference::Kind kind);

/// Control inputs, as sets of names, sorted.
struct ControlDifference {
  std::vector<std::string_view> lost, added;
  [[nodiscard]] bool empty() const { return lost.empty() && added.empty(); }
};
[[nodiscard]] ControlDifference control_difference(const Graph& before, OpId op, const Graph& after,
                                                   OpId twin);

/// An op that only one of two graphs has, or that differs between them. Ops are matched by name.
struct ChangedOp {
  OpId before;  ///< in the first graph; invalid: it was added
  OpId after;   ///< in the second graph; invalid: it was removed
  /// Of an op that both have. Inputs are compared by the names of their tensors, control inputs as
  /// sets; `fields` are attributes and whatever else an op holds.
  bool type = false, device = false, fields = false, inputs = false, control = false;

  [[nodiscard]] bool is_added() const { return !before.valid(); }
  [[nodiscard]] bool is_removed() const { return !after.valid(); }
};

/// In the order of `before`, then the added ones in the order of `after`. The order of ops in a
/// graph makes no difference. Cost: O(ops + edges + attribute bytes). Thread: pure.
[[nodiscard]] std::vector<ChangedOp> find_changed_ops(const Graph& before, const Graph& after);

}  // namespace tideline
