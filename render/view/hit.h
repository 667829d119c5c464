// What is under a point of the level view, and of the link track wherever it is shown.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/graph/graph.h"
#include "render/view/canvas.h"

namespace tideline::render {

/// The swaps that leave or come back within a pixel or a level, where there are too many for bars;
/// or those that do neither at the visible levels, but are under way there.
struct SwapColumn {
  float x0 = 0, x1 = 0;
  std::int32_t from_level = 0, to_level = 0;  ///< both included
  std::int32_t outs = 0, ins = 0, late = 0;   ///< swap-outs, swap-ins, and of these the late ones
  Bytes out_bytes = 0, in_bytes = 0, late_bytes = 0;
  std::int32_t passing = 0;  ///< swaps under way all along
  Bytes passing_bytes = 0;
  TensorId largest = {};  ///< of its tensors
  Bytes largest_bytes = -1;
};

enum class HitKind : std::uint8_t {
  kNothing,
  kOp,
  kFolded,
  kSwap,
  kSwapGroup,
  kCandidate,
  kCopyOut,  ///< of the link
  kCopyIn,
  kStall,   ///< the computation waits
  kShare,   ///< the step as a bar of computing and waiting
  kLegend,  ///< the ticks, which stand for a legend without room
};

/// What is under a point.
struct Hit {
  HitKind kind = HitKind::kNothing;
  std::optional<TensorId> tensor = {};  ///< to select; of an op its output 0
  std::span<const OpId> ops = {};       ///< of the box
  std::int32_t swap = -1;  ///< index of SwapLayout::bars; of a copy or a stall, of LinkLayout
  SwapColumn column = {};  ///< for kSwapGroup
  std::optional<double> level = {};     ///< nullopt outside of the levels, and in the lens
  std::vector<std::string> lines = {};  ///< of the legend
  std::optional<Rect> rect = {};  ///< of it as far as it is seen; nullopt for nothing and curves
};

}  // namespace tideline::render
