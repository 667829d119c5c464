// The swaps of a plan or of a graph on the level axis: swap-out, time on the host, swap-in.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/levels.h"
#include "core/analysis/swap_copies.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_table.h"
#include "core/rewrite/rewrite_plan.h"

namespace tideline {

/// A swap-in with its swap-out, in levels.
struct SwapSpan {
  std::uint32_t swap = 0;     ///< index of RewritePlan::swaps() or SwapCopies::swaps
  std::uint32_t swap_in = 0;  ///< index of PlannedSwap::swap_ins or FileSwap::swap_ins
  bool in_file = false;       ///< of SwapCopies
  TensorId tensor;
  Bytes bytes = 0;  ///< by the given table
  OpId consumer;    ///< the first that reads the swap-in; invalid when none does
  std::int32_t producer_level = 0;
  std::int32_t out_level = 0;  ///< first level with the copy on the host: producer_level + 1
  /// First level with the swap-in: one after everything it waits for, at least out_level.
  std::int32_t in_level = 0;
  std::int32_t consumer_level = 0;  ///< of `consumer`; out_level when there is none
};

/// All spans, in the order of the plan: by swap, then by group. `levels` and `tensors` belong to
/// `graph`, for which the plan was made. Cost: O(swap-ins + their consumers + control edges).
/// Thread: pure.
[[nodiscard]] std::vector<SwapSpan> swap_spans(const Graph& graph, const LevelMap& levels,
                                               const TensorTable& tensors, const RewritePlan& plan);
/// The same for swaps that the graph of `levels` and `tensors` holds already.
[[nodiscard]] std::vector<SwapSpan> swap_spans(const LevelMap& levels, const TensorTable& tensors,
                                               const SwapCopies& copies);

}  // namespace tideline
