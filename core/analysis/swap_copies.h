// Swaps that a graph holds already: ops in it that copy tensors to the host and back.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/graph/consumers.h"
#include "core/graph/graph.h"

namespace tideline {

/// A copy back to the device.
struct FileSwapIn {
  OpId copy;
  std::vector<OpId> consumers;  ///< its readers, each once, in file order; at least one
  std::vector<OpId> waits_for;  ///< its control inputs, each once
};

/// A tensor that ops of the graph copy to the host and back.
struct FileSwap {
  TensorId tensor;
  OpId swap_out;
  std::vector<FileSwapIn> swap_ins;  ///< in file order; at least one
};

/// The swaps of a graph, by the place of their swap-outs in the file. Thread: immutable.
struct SwapCopies {
  std::vector<FileSwap> swaps;
  std::vector<bool> is_copy;  ///< by op: a swap-out or swap-in of `swaps`; empty if there are none

  [[nodiscard]] bool empty() const { return swaps.empty(); }
  [[nodiscard]] bool contains(OpId op) const { return !empty() && is_copy[op.index()]; }
  [[nodiscard]] std::size_t swap_in_count() const;
  /// Swap-outs and swap-ins.
  [[nodiscard]] std::size_t copy_count() const { return swaps.size() + swap_in_count(); }
  /// The swap of `tensor`, or null.
  [[nodiscard]] const FileSwap* of(TensorId tensor) const;
};

/// Finds every swap-out all of whose readers are swap-ins that somebody reads. Both are known by
/// their types in graphs that TensorFlow's memory optimizer edited, and by type, name and device in
/// those that LMS edited. Cost: O(ops) and the edges of the copies. Thread: pure.
[[nodiscard]] SwapCopies find_swap_copies(const Graph& graph, const Consumers& consumers);
/// The same for callers without consumers, which are computed if an op looks like a swap-out.
[[nodiscard]] SwapCopies find_swap_copies(const Graph& graph);

/// "lms/swapout_a_0, an op of this file, copies it to the host, and lms/swapin_a_0 back, after b":
/// what one of its swap-ins does. Names as in the file.
[[nodiscard]] std::string swap_in_file_text(const Graph& graph, const FileSwap& swap,
                                            const FileSwapIn& swap_in);
/// "13 copies are in this file: 6 tensors are swapped out, with 7 swap-ins"; empty if there are
/// none.
[[nodiscard]] std::string copies_in_file_text(const SwapCopies& copies);

}  // namespace tideline
