// Problem: lay out every op of a graph of up to a million once, so that a frame at any zoom draws a
// few thousand rectangles and nothing moves between zooms.
// Idea: x is given (the level), so the layout is a matter of counting. The height of a cell (level,
// band) is the square root of its bytes; a linear scale would make all but the largest tensors
// invisible. In a cell the few largest ops have boxes, the highest first, and all others are one
// folded box. For small zooms, cells are merged pairwise by level, keeping the highest of each
// band: table k has bins of 2^k levels, and a frame uses the one whose bins are about a pixel wide.
// Example: a cell of 4 MiB is half as high as the largest one with 16 MiB.
// Cost: O(ops + n log n in the ops of a cell); tables take at most twice the cells.
// Limits: a cell shows kMostBoxes ops separately. Heights stand for outputs, not for live memory.
// Source: own. Tested by tests/unit/view/op_layout_test.cc and tests/property/view_property.cc.
#include "render/view/op_layout.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/check.h"

namespace tideline::render {
namespace {

constexpr std::size_t kMostBoxes = 8;    // of a cell, the folded one included
constexpr float kLeastCell = 0.05F;      // height of a cell without bytes
constexpr float kLeastUnknown = 0.12F;   // room for a question mark
constexpr float kSideShare = 0.35F;      // of what stands beside the scopes
constexpr double kLeastBoxShare = 0.08;  // of its cell
constexpr double kFoldShare = 1e-4;      // of the largest op: what is smaller is folded

// By op: whether it runs in the step of the graph; all of them if no step is known.
std::vector<bool> ops_that_run(const Scene& scene) {
  const bool is_known = !scene.devices.empty() && scene.devices.front().of_graph != nullptr;
  std::vector<bool> runs(scene.graph->op_count(), !is_known);
  if (!is_known) return runs;
  for (const OpId op : scene.devices.front().of_graph->schedule) runs[op.index()] = true;
  return runs;
}

class Layouter {
 public:
  explicit Layouter(const Scene& scene)
      : scene_(scene), bands_(find_level_bands(scene)), runs_(ops_that_run(scene)) {}

  OpLayout run() {
    layout_.level_count = scene_.levels->count();
    layout_.largest_cell = bands_.largest_cell;
    layout_.row_height.assign(bands_.row_count, 0);
    layout_.box_of.assign(scene_.graph->op_count(), 0);
    layout_.box_ops.reserve(scene_.graph->op_count());
    layout_.first_box.reserve(static_cast<std::size_t>(layout_.level_count) + 1);
    layout_.bins.emplace_back();
    std::size_t at = 0;
    for (std::int32_t level = 0; level < layout_.level_count; ++level) {
      const std::size_t begin = at;
      while (at < bands_.cells.size() && bands_.cells[at].level == level) ++at;
      add_level(level, std::span(bands_.cells).subspan(begin, at - begin));
    }
    layout_.first_box.push_back(static_cast<std::uint32_t>(layout_.boxes.size()));
    layout_.bins[0].first.push_back(static_cast<std::uint32_t>(layout_.bins[0].cells.size()));
    layout_.unknown_ops = std::count(bands_.unknown.begin(), bands_.unknown.end(), true);
    layout_.bands = std::move(bands_.bands);
    return std::move(layout_);
  }

 private:
  [[nodiscard]] Bytes bytes_of(OpId op) const { return bands_.op_bytes[op.index()]; }

  void add_level(std::int32_t level, std::span<const CellSum> cells) {
    layout_.first_box.push_back(static_cast<std::uint32_t>(layout_.boxes.size()));
    layout_.bins[0].first.push_back(static_cast<std::uint32_t>(layout_.bins[0].cells.size()));
    for (auto& ops : by_band_) ops.clear();
    for (const OpId op : scene_.levels->ops(level)) {
      by_band_[bands_.of_op[op.index()]].push_back(op);
    }
    std::array<float, kMostBands> used{};  // by row
    for (const CellSum& cell : cells) {
      const std::uint32_t row = bands_.bands[cell.band].row;
      const float height = add_cell(cell, used[row]);
      used[row] += height;
      layout_.row_height[row] = std::max(layout_.row_height[row], used[row]);
    }
  }

  [[nodiscard]] float height_of(const CellSum& cell, bool unknown) const {
    const bool side = bands_.bands[cell.band].is_side;
    const Bytes largest = side ? bands_.largest_side_cell : bands_.largest_cell;
    const double share =
        largest > 0 ? static_cast<double>(cell.bytes) / static_cast<double>(largest) : 0;
    const float height = static_cast<float>(std::sqrt(share)) * (side ? kSideShare : 1);
    return std::max(height, unknown ? kLeastUnknown : kLeastCell);
  }

  float add_cell(const CellSum& cell, float top) {
    std::vector<OpId>& ops = by_band_[cell.band];
    bool unknown = false;
    std::array<Bytes, kPhaseCount> phases{};
    for (const OpId op : ops) {
      unknown = unknown || bands_.unknown[op.index()];
      Bytes& sum = phases[static_cast<std::size_t>(scene_.phases->of(op))];
      sum = saturating_add(sum, saturating_add(bytes_of(op), 1));  // without bytes ops count
    }
    const auto most = std::max_element(phases.begin(), phases.end()) - phases.begin();
    const float height = height_of(cell, unknown);
    layout_.bins[0].cells.push_back(
        {static_cast<std::uint8_t>(cell.band), static_cast<Phase>(most), unknown, height});
    add_boxes(cell, ops, split(ops), top, height);
    return height;
  }

  // Puts the ops with boxes of their own first, the largest in front; answers how many.
  std::size_t split(std::vector<OpId>& ops) const {
    const auto least = static_cast<Bytes>(kFoldShare * static_cast<double>(bands_.largest_op)) + 1;
    const auto folded = std::stable_partition(ops.begin(), ops.end(), [&](OpId op) {
      return bytes_of(op) >= least || bands_.unknown[op.index()];
    });
    auto own = static_cast<std::size_t>(folded - ops.begin());
    const bool all_fit = own == ops.size() ? own <= kMostBoxes : own < kMostBoxes;
    const std::size_t kept = all_fit ? own : kMostBoxes - 1;
    std::partial_sort(ops.begin(), ops.begin() + static_cast<std::ptrdiff_t>(kept), folded,
                      [&](OpId a, OpId b) {
                        return bytes_of(a) != bytes_of(b) ? bytes_of(a) > bytes_of(b) : a < b;
                      });
    own = kept;
    return own + 1 == ops.size() ? ops.size() : own;  // nothing is gained by folding a single one
  }

  void add_boxes(const CellSum& cell, const std::vector<OpId>& ops, std::size_t own, float top,
                 float height) {
    const std::size_t first = layout_.boxes.size();
    for (std::size_t i = 0; i < own; ++i) begin_box(cell, ops[i]);
    if (own < ops.size()) {
      begin_box(cell, ops[own]);
      for (std::size_t i = own + 1; i < ops.size(); ++i) add_to_box(ops[i]);
      layout_.boxes.back().is_folded = true;
    }
    const double all = std::max<double>(1, static_cast<double>(cell.bytes));
    double sum = 0;
    const auto weight = [&](const OpBox& box) {
      return std::max(kLeastBoxShare, static_cast<double>(box.bytes) / all);
    };
    for (std::size_t i = first; i < layout_.boxes.size(); ++i) sum += weight(layout_.boxes[i]);
    double used = 0;
    for (std::size_t i = first; i < layout_.boxes.size(); ++i) {
      OpBox& box = layout_.boxes[i];
      box.top = top + height * static_cast<float>(used / sum);
      used += weight(box);
      box.bottom = top + height * static_cast<float>(used / sum);
    }
  }

  void begin_box(const CellSum& cell, OpId op) {
    OpBox box;
    box.level = cell.level;
    box.band = static_cast<std::uint8_t>(cell.band);
    box.phase = scene_.phases->of(op);
    box.first_op = static_cast<std::uint32_t>(layout_.box_ops.size());
    layout_.boxes.push_back(box);
    add_to_box(op);
  }

  void add_to_box(OpId op) {
    OpBox& box = layout_.boxes.back();
    layout_.box_of[op.index()] = static_cast<std::uint32_t>(layout_.boxes.size() - 1);
    layout_.box_ops.push_back(op);
    ++box.op_count;
    box.bytes = saturating_add(box.bytes, bytes_of(op));
    box.is_unknown = box.is_unknown || bands_.unknown[op.index()];
    box.runs = box.runs || runs_[op.index()];
    if (!runs_[op.index()] && scene_.phases->of(op) != Phase::kOther) ++layout_.not_run_ops;
  }

  const Scene& scene_;
  LevelBands bands_;
  std::vector<bool> runs_;  // by op
  OpLayout layout_;
  std::array<std::vector<OpId>, kMostBands> by_band_;
};

// Two neighbouring bins as one: of each band the higher cell. Both are sorted by band.
void merge_cells(std::span<const OpCell> a, std::span<const OpCell> b, std::vector<OpCell>& out) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (j == b.size() || (i < a.size() && a[i].band < b[j].band)) {
      out.push_back(a[i++]);
    } else if (i == a.size() || b[j].band < a[i].band) {
      out.push_back(b[j++]);
    } else {
      OpCell cell = a[i].height >= b[j].height ? a[i] : b[j];
      cell.is_unknown = a[i].is_unknown || b[j].is_unknown;
      out.push_back(cell);
      ++i;
      ++j;
    }
  }
}

void add_bins(OpLayout& layout) {
  while (layout.bins.back().first.size() > 2) {
    const CellBins& fine = layout.bins.back();
    const std::size_t count = fine.first.size() - 1;
    const auto cells = [&](std::size_t bin) -> std::span<const OpCell> {
      if (bin >= count) return {};
      return std::span(fine.cells).subspan(fine.first[bin], fine.first[bin + 1] - fine.first[bin]);
    };
    CellBins coarse;
    for (std::size_t bin = 0; bin < count; bin += 2) {
      coarse.first.push_back(static_cast<std::uint32_t>(coarse.cells.size()));
      merge_cells(cells(bin), cells(bin + 1), coarse.cells);
    }
    coarse.first.push_back(static_cast<std::uint32_t>(coarse.cells.size()));
    layout.bins.push_back(std::move(coarse));
  }
}

// Made by a device op of the forward pass; constants, variables and what reads them are there
// anyway.
bool may_wait(const Scene& scene, OpId op) {
  const std::string_view type = scene.graph->type(op);
  return scene.phases->of(op) == Phase::kForward && scene.levels->level(op) > 0 &&
         type != "Identity" && type != "ReadVariableOp";
}

void find_long_lived(const Scene& scene, OpLayout& layout) {
  const std::int32_t least = std::max(4, layout.level_count / 20);
  const auto cost = [](const LongLived& tensor) {
    return static_cast<double>(tensor.bytes) * (tensor.to_level - tensor.from_level);
  };
  const auto first = [&](const LongLived& a, const LongLived& b) {
    return cost(a) != cost(b) ? cost(a) > cost(b) : a.tensor < b.tensor;
  };
  std::vector<std::int32_t> last;  // by slot
  for (const OpId op : scene.graph->ops()) {
    if (!may_wait(scene, op)) continue;
    last.assign(scene.tensors->output_count(op), 0);
    for (const Use& use : scene.consumers->data(op)) {
      const std::uint32_t slot = scene.graph->inputs(use.consumer)[use.slot].slot;
      if (slot < last.size()) last[slot] = std::max(last[slot], scene.levels->level(use.consumer));
    }
    const std::int32_t level = scene.levels->level(op);
    for (std::uint32_t slot = 0; slot < last.size(); ++slot) {
      const Bytes bytes = scene.tensors->bytes({op, slot});
      if (last[slot] - level < least || bytes <= 0) continue;
      layout.long_lived.push_back({{op, slot}, bytes, level, last[slot]});
      if (layout.long_lived.size() < 8 * kMostLongLived) continue;
      std::nth_element(layout.long_lived.begin(), layout.long_lived.begin() + kMostLongLived,
                       layout.long_lived.end(), first);
      layout.long_lived.resize(kMostLongLived);
    }
  }
  std::sort(layout.long_lived.begin(), layout.long_lived.end(), first);
  if (layout.long_lived.size() > kMostLongLived) layout.long_lived.resize(kMostLongLived);
}

// Ops that stand beside the scopes hand their tensors to every part, which says nothing.
void find_part_edges(const Scene& scene, OpLayout& layout) {
  if (scene.parts == nullptr) return;
  const auto band_of = [&](OpId op) -> const Band& {
    return layout.bands[layout.boxes[layout.box_of[op.index()]].band];
  };
  std::vector<std::pair<Bytes, PartEdge>> found;
  for (const OpId op : scene.graph->ops()) {
    for (const TensorId input : scene.graph->inputs(op)) {
      const std::int32_t from = scene.parts->part_of[input.op.index()];
      if (from < 0 || from == scene.parts->part_of[op.index()]) continue;
      if (band_of(input.op).is_side || band_of(op).is_side) continue;
      found.emplace_back(scene.tensors->bytes(input), PartEdge{input.op, op});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (found.size() > kMostPartEdges) found.resize(kMostPartEdges);
  for (const auto& [bytes, edge] : found) layout.part_edges.push_back(edge);
}

// The level that parts forward from backward with fewest bytes on the wrong side.
std::int32_t find_backward_level(const OpLayout& layout) {
  double behind = 0;  // forward bytes from the level on
  bool any = false;
  for (const OpBox& box : layout.boxes) {
    if (box.phase == Phase::kForward) behind += static_cast<double>(box.bytes) + 1;
    any = any || box.phase == Phase::kBackward;
  }
  if (!any) return -1;
  double wrong = behind;  // with the border at level 0
  double least = wrong;
  std::int32_t best = 0;
  for (std::int32_t level = 0; level < layout.level_count; ++level) {
    for (const OpBox& box : layout.boxes_at(level)) {
      const double bytes = static_cast<double>(box.bytes) + 1;
      if (box.phase == Phase::kForward) wrong -= bytes;
      if (box.phase == Phase::kBackward) wrong += bytes;
    }
    if (wrong < least) {
      least = wrong;
      best = level + 1;
    }
  }
  return best;
}

}  // namespace

std::span<const OpBox> OpLayout::boxes_at(std::int32_t level) const {
  if (level < 0 || level >= level_count) return {};
  const auto at = static_cast<std::size_t>(level);
  return std::span(boxes).subspan(first_box[at], first_box[at + 1] - first_box[at]);
}

float OpLayout::total_height() const {
  float sum = 0;
  for (const float height : row_height) sum += height;
  return sum;
}

OpLayout layout_ops(const Scene& scene) {
  TIDELINE_CHECK(scene.graph && scene.tensors && scene.levels && scene.scopes && scene.phases);
  OpLayout layout = Layouter(scene).run();
  add_bins(layout);
  find_long_lived(scene, layout);
  find_part_edges(scene, layout);
  layout.backward_level = find_backward_level(layout);
  return layout;
}

}  // namespace tideline::render
