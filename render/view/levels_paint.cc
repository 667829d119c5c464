// Tested by unit/view/op_colors_test.cc.
#include "render/view/levels_paint.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/base/check.h"
#include "core/base/units.h"

namespace tideline::render {
namespace {

// The bytes of each kind in a box or a cell.
class KindSums {
 public:
  void add(std::uint8_t kind, Bytes bytes) {
    if (bytes_.at(kind) == 0) kinds_.push_back(kind);
    bytes_.at(kind) = saturating_add(bytes_.at(kind), saturating_add(bytes, 1));  // 0 counts, too
  }
  // The kind of most bytes, the first of equal ones; the sums are empty afterwards.
  std::uint8_t take() {
    std::uint8_t most = 0;
    Bytes bytes = 0;
    std::sort(kinds_.begin(), kinds_.end());
    for (const std::uint8_t kind : kinds_) {
      if (bytes_.at(kind) > bytes) {
        most = kind;
        bytes = bytes_.at(kind);
      }
      bytes_.at(kind) = 0;
    }
    kinds_.clear();
    return most;
  }

 private:
  std::array<Bytes, 256> bytes_{};
  std::vector<std::uint8_t> kinds_;
};

class LevelsPainter {
 public:
  LevelsPainter(const Scene& scene, const OpLayout& layout, LevelsPaint& paint)
      : scene_(scene), layout_(layout), paint_(paint) {}

  void run() {
    paint_.boxes.reserve(layout_.boxes.size());
    for (const OpBox& box : layout_.boxes) {
      add(box);
      paint_.boxes.push_back(sums_.take());
    }
    paint_.cells.resize(layout_.bins.size());
    paint_cells();
    for (std::size_t k = 1; k < layout_.bins.size(); ++k) merge_cells(k);
  }

 private:
  void add(const OpBox& box) {
    for (const OpId op : layout_.ops_of(box)) {
      sums_.add(paint_.ops.kind_of[op.index()], scene_.tensors->output_bytes(op));
    }
  }

  // Of one level each: boxes are in the order of the cells that they lie in.
  void paint_cells() {
    for (std::int32_t level = 0; level < layout_.level_count; ++level) {
      const std::span<const OpBox> boxes = layout_.boxes_at(level);
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        add(boxes[i]);
        const bool is_last = i + 1 == boxes.size() || boxes[i + 1].band != boxes[i].band;
        if (is_last) paint_.cells[0].push_back(sums_.take());
      }
    }
    TIDELINE_CHECK(paint_.cells[0].size() == layout_.bins[0].cells.size());
  }

  // As the layout made them of pairs of bins: of each band the higher cell.
  void merge_cells(std::size_t k) {
    const CellBins& fine = layout_.bins[k - 1];
    const CellBins& coarse = layout_.bins[k];
    const std::size_t fine_count = fine.first.size() - 1;
    for (std::size_t bin = 0; bin + 1 < coarse.first.size(); ++bin) {
      const std::uint32_t begin = fine.first[2 * bin];
      const std::uint32_t end = fine.first[std::min(2 * bin + 2, fine_count)];
      for (std::uint32_t i = coarse.first[bin]; i < coarse.first[bin + 1]; ++i) {
        std::uint32_t highest = end;
        for (std::uint32_t from = begin; from < end; ++from) {
          if (fine.cells[from].band != coarse.cells[i].band) continue;
          if (highest == end || fine.cells[from].height > fine.cells[highest].height)
            highest = from;
        }
        paint_.cells[k].push_back(highest == end ? 0 : paint_.cells[k - 1][highest]);
      }
    }
  }

  const Scene& scene_;
  const OpLayout& layout_;
  LevelsPaint& paint_;
  KindSums sums_;
};

}  // namespace

LevelsPaint paint_levels(const Scene& scene, const OpLayout& layout, const Palette& colors,
                         ColorBy by) {
  LevelsPaint paint;
  paint.ops = color_ops(scene, colors, by);
  LevelsPainter(scene, layout, paint).run();
  return paint;
}

}  // namespace tideline::render
