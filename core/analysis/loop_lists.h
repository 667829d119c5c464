// Lists that loops stack for their gradients.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/structure/graph_facts.h"
#include "core/base/units.h"
#include "core/graph/tensor_table.h"

namespace tideline {

/// A list of tensors (TensorList) that a loop or a call of the forward pass returns and loops or
/// calls of the backward pass read.
struct LoopList {
  TensorId tensor;
  std::vector<OpId> readers;             ///< in file order, each once; at least one
  std::optional<Bytes> element_bytes;    ///< nullopt: of unknown shape
  std::optional<std::int64_t> elements;  ///< one for each round; nullopt: unknown rounds
  Bytes bytes = 0;  ///< as simulated: an unknown dim counts 1, unknown rounds count 0
};

/// The lists of a graph, in file order. Thread: immutable.
class LoopLists {
 public:
  /// `tensors` are those of the faithful model, which counts rounds. What lies between a list and
  /// its reader may be Identity ops and copies of swaps. Cost: O(calls and their edges), and that
  /// of finding phases if there are any calls.
  [[nodiscard]] static LoopLists find(const GraphFacts& facts, const TensorTable& tensors);

  [[nodiscard]] const std::vector<LoopList>& all() const { return lists_; }
  [[nodiscard]] bool empty() const { return lists_.empty(); }
  /// The list that `tensor` is, or null. Cost: O(log lists).
  [[nodiscard]] const LoopList* of(TensorId tensor) const;
  [[nodiscard]] Bytes bytes() const;
  /// Those whose bytes are not known.
  [[nodiscard]] std::int64_t unknown_count() const;

 private:
  std::vector<LoopList> lists_;
};

/// Whether a graph can have such lists: an op calls a function or is a loop, and reads one of its
/// kind. Cost: O(edges of such ops).
[[nodiscard]] bool may_have_loop_lists(const Graph& graph);

/// "a list of 12 elements of 768 B", "a list of unknown rounds, 768 B in each".
[[nodiscard]] std::string list_text(const LoopList& list);
/// "24 lists that loops keep for their gradients: 1.2 MiB, 3 of them of unknown size"; then the
/// largest, one a line, as "while:4 (9.00 KiB): a list of 12 elements of 768 B, read by
/// gradients/while". Empty without lists. Names as in the file.
[[nodiscard]] std::vector<std::string> loop_lists_text(const Graph& graph, const LoopLists& lists);
/// The same of the lists that LoopLists::find finds.
[[nodiscard]] std::vector<std::string> loop_lists_text(const GraphFacts& facts,
                                                       const TensorTable& tensors);

}  // namespace tideline
