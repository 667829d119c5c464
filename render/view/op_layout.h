// The layout of ops in the level view: columns are levels, heights are bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/view/level_bands.h"
#include "render/view/scene.h"

namespace tideline::render {

/// One op, or several small ones folded together. Heights are relative: 1 is the highest cell.
struct OpBox {
  std::int32_t level = 0;
  std::uint8_t band = 0;
  Phase phase = Phase::kOther;               ///< of its first op
  bool is_folded = false;                    ///< stands for several ops: "+n"
  bool is_unknown = false;                   ///< the size of one of them is unknown
  bool runs = false;                         ///< one of them, in the step of the graph
  float top = 0, bottom = 0;                 ///< from the top of its row
  std::uint32_t first_op = 0, op_count = 0;  ///< a range of OpLayout::box_ops
  Bytes bytes = 0;
};

/// The boxes of one band over one level, or over 2^k levels.
struct OpCell {
  std::uint8_t band = 0;
  Phase phase = Phase::kOther;  ///< of most bytes
  bool is_unknown = false;
  float height = 0;
};

/// Cells by bin of 2^k levels, then by band. Cells in one row are stacked from top to bottom in
/// this order.
struct CellBins {
  std::vector<std::uint32_t> first;  ///< by bin, with one element more at the end
  std::vector<OpCell> cells;
};

/// A data edge between ops of different parts, or from a part to the rest of the step.
struct PartEdge {
  OpId from, to;
};

/// A tensor with a long lifetime.
struct LongLived {
  TensorId tensor;
  Bytes bytes = 0;
  std::int32_t from_level = 0, to_level = 0;  ///< of its producer, of its last reader
};

/// Invariants: every op is in exactly one box; boxes of one level and row do not overlap, nor do
/// cells. Depends on graph, sizes and Scene::parts, not on swaps.
struct OpLayout {
  std::int32_t level_count = 0;
  std::vector<Band> bands;
  std::vector<float> row_height;         ///< in units
  std::vector<OpBox> boxes;              ///< by level, then band, then downwards
  std::vector<std::uint32_t> first_box;  ///< by level, with one element more at the end
  std::vector<OpId> box_ops;
  std::vector<std::uint32_t> box_of;  ///< by op
  std::vector<CellBins> bins;         ///< by k; the last has one bin (at least k = 0 is there)
  std::vector<LongLived> long_lived;  ///< at most kMostLongLived, by bytes x levels, descending
  std::vector<PartEdge> part_edges;   ///< at most kMostPartEdges, the largest
  std::int32_t backward_level = -1;   ///< first level with mostly backward ops; -1: there is none
  Bytes largest_cell = 0;             ///< bytes of a cell 1 unit high
  std::int64_t unknown_ops = 0;       ///< ops with outputs of unknown size
  std::int64_t not_run_ops = 0;       ///< ops of the passes that do not run

  [[nodiscard]] std::span<const OpId> ops_of(const OpBox& box) const {
    return {box_ops.data() + box.first_op, box.op_count};
  }
  [[nodiscard]] std::span<const OpBox> boxes_at(std::int32_t level) const;
  [[nodiscard]] float total_height() const;  ///< of all rows, in units
};
inline constexpr std::size_t kMostLongLived = 400;
inline constexpr std::size_t kMostPartEdges = 600;

/// Computes the layout. Needed once per graph and parts. Cost: O(n log n) in the ops of a level.
/// Thread: pure.
[[nodiscard]] OpLayout layout_ops(const Scene& scene);

}  // namespace tideline::render
