// The swaps of a plan on the level axis: when a tensor leaves the device and when it comes back.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/levels.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_table.h"
#include "core/rewrite/lms_plan.h"

namespace tideline {

/// A swap-in with what led to it, in levels.
struct SwapSpan {
  std::uint32_t swap = 0;     ///< index of LmsPlan::swaps
  std::uint32_t swap_in = 0;  ///< index of PlannedSwap::swap_ins
  TensorId tensor;
  Bytes bytes = 0;  ///< as the given table counts
  OpId consumer;    ///< the first that reads it again; invalid when none does
  std::int32_t producer_level = 0;
  std::int32_t out_level = 0;  ///< from here on the copy on the host is there: producer + 1
  /// From here on it may be back: one after all that it waits for, not before out_level.
  std::int32_t in_level = 0;
  std::int32_t consumer_level = 0;  ///< of `consumer`; out_level when there is none
};

/// In the order of the plan: by tensor, then by group. `levels` and `tensors` are those of `graph`,
/// which the plan was made for. Cost: O(swap-ins + their consumers + control edges). Thread: pure.
[[nodiscard]] std::vector<SwapSpan> swap_spans(const Graph& graph, const LevelMap& levels,
                                               const TensorTable& tensors, const LmsPlan& plan);

}  // namespace tideline
