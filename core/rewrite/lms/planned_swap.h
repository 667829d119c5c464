// Swaps that a plan makes, and tensors that it keeps, with the rules that decided.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/graph/graph.h"

namespace tideline {

struct PlannedSwapIn {
  OpId copy;
  std::vector<OpId> consumers;      ///< by level, then file order
  OpId trigger;                     ///< control op; invalid when there is none
  std::int32_t trigger_level = -1;  ///< LMS v1: its order
};

/// Ids are those of the plan.
struct PlannedSwap {
  TensorId tensor;
  Bytes bytes = 0;
  OpId swap_out;
  std::vector<PlannedSwapIn> swap_ins;
  std::string why;
  int own_ahead = 0;  ///< the user's, by which swap-ins were placed; 0: as the parameters say
};

struct KeptTensor {
  TensorId tensor;
  Bytes bytes = 0;
  std::string why;
};

}  // namespace tideline
