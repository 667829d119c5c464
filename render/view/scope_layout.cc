// Problem: a scope is to open in place within a frame of the screen, in a graph of 100,000 ops.
// Idea: only what is seen is laid out, from the inside outwards: the children of an open box are
// placed in columns (scope_columns.h) by what flows between them, which gives the size of the box
// for the columns around it. What flows is summed up between closed boxes (scope_edges.h), and each
// such edge also holds between the two siblings that it leaves and reaches where it is outermost.
// Ops that very many siblings read would draw lines over everything: they stand aside, and so does
// what is no part of the step, such as savers and initializers. Users can move any box aside, or
// back into the flow.
// Example: with `a` open, an edge from a/x to b/y runs from a/x to b, and orders a before b.
// Cost: O(ops + edges) for the sums, O(n log n) in what is seen. Limits: closed boxes have the size
// of their names, not of their contents. Source: the behaviour of TensorBoard's graph view. Tested
// by unit/view/scope_layout_test.cc.
#include "render/view/scope_layout.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "render/view/scope_columns.h"
#include "render/view/scope_edges.h"

namespace tideline::render {
namespace {

constexpr std::uint32_t kMostSiblings = 12;  // of an op that is not aside
constexpr float kLetter = 0.62F;             // mean width
constexpr float kLeastOp = 4, kMostOp = 14, kOpHeight = 1.9F;
constexpr float kLeastScope = 9, kMostScope = 18, kScopeHeight = 3.4F;

// Along x and y, in ems.
Point closed_size(const Scene& scene, const ScopeBoxes& boxes, const ScopeBox& box) {
  const float letters = static_cast<float>(boxes.label(scene, box).size()) * kLetter;
  if (box.kind == BoxKind::kOp) return {std::clamp(letters + 1.6F, kLeastOp, kMostOp), kOpHeight};
  return {std::clamp(letters + 1.8F, kLeastScope, kMostScope), kScopeHeight};
}

// An edge between siblings.
struct SiblingEdge {
  std::uint32_t parent = 0;  // index of ScopeLayout::placed
  ColumnEdge edge;           // by their ordinals
  friend auto operator<=>(const SiblingEdge&, const SiblingEdge&) = default;
};

class ScopePlacer {
 public:
  ScopePlacer(const Scene& scene, const ScopeBoxes& boxes, const ScopesArrangement& arrangement)
      : scene_(scene), boxes_(boxes), by_hand_(arrangement.aside), is_open_(boxes.boxes.size()) {
    layout_.is_vertical = arrangement.is_vertical;
    is_open_[0] = true;
    for (const std::string& path : arrangement.open) {
      if (const auto box = boxes.find(path)) is_open_[*box] = true;
    }
  }

  ScopeLayout place() {
    layout_.placed_of.resize(scene_.graph->op_count());
    list_seen();
    layout_.edges = find_scope_edges(scene_, layout_.placed_of);
    find_siblings();
    find_aside();
    arrange();
    return std::move(layout_);
  }

 private:
  // In the order of a walk, children in theirs.
  void list_seen() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stack = {{0, 0}};  // box, placed parent
    while (!stack.empty()) {
      const auto [box, parent] = stack.back();
      stack.pop_back();
      const auto index = static_cast<std::uint32_t>(layout_.placed.size());
      const ScopeBox& known = boxes_.boxes[box];
      layout_.placed.push_back(
          {.box = box, .parent = parent, .end = index + 1, .is_open = is_open_[box]});
      ordinal_.push_back(index == 0 ? 0 : child_count_[parent]++);
      child_count_.push_back(0);
      if (!is_open_[box]) {
        for (const OpId op : boxes_.ops_of(known)) layout_.placed_of[op.index()] = index;
        continue;
      }
      for (std::uint32_t child = known.child_count; child-- > 0;)
        stack.emplace_back(known.first_child + child, index);
    }
    auto& placed = layout_.placed;
    for (std::size_t i = placed.size(); i-- > 1;)
      placed[placed[i].parent].end = std::max(placed[placed[i].parent].end, placed[i].end);
  }

  // The two siblings that an edge leaves and reaches where it is outermost; whether one on the way
  // there is aside.
  struct Ends {
    std::uint32_t from = 0, to = 0;
    bool is_aside = false;
  };
  [[nodiscard]] Ends outermost(const ScopeEdge& edge) const {
    const auto& placed = layout_.placed;
    Ends ends = {edge.from, edge.to, placed[edge.from].is_aside || placed[edge.to].is_aside};
    while (placed[ends.from].parent != placed[ends.to].parent) {
      const std::uint32_t from_depth = depth(ends.from), to_depth = depth(ends.to);
      if (from_depth >= to_depth) ends.from = placed[ends.from].parent;
      if (to_depth >= from_depth) ends.to = placed[ends.to].parent;
      ends.is_aside = ends.is_aside || placed[ends.from].is_aside || placed[ends.to].is_aside;
    }
    return ends;
  }
  [[nodiscard]] std::uint32_t depth(std::uint32_t index) const {
    return boxes_.boxes[layout_.placed[index].box].depth;
  }

  void find_siblings() {
    for (const ScopeEdge& edge : layout_.edges) {
      const Ends ends = outermost(edge);
      siblings_.push_back(
          {layout_.placed[ends.from].parent, {ordinal_[ends.from], ordinal_[ends.to]}});
    }
    std::sort(siblings_.begin(), siblings_.end());
    siblings_.erase(std::unique(siblings_.begin(), siblings_.end()), siblings_.end());
    first_sibling_.resize(layout_.placed.size() + 1);
    for (const SiblingEdge& edge : siblings_) ++first_sibling_[edge.parent + 1];
    for (std::size_t i = 1; i < first_sibling_.size(); ++i)
      first_sibling_[i] += first_sibling_[i - 1];
  }

  [[nodiscard]] std::span<const SiblingEdge> siblings_in(std::size_t parent) const {
    return {siblings_.data() + first_sibling_[parent],
            first_sibling_[parent + 1] - first_sibling_[parent]};
  }

  [[nodiscard]] std::optional<bool> asked_aside(const ScopeBox& box) const {
    if (by_hand_.empty()) return std::nullopt;
    const auto asked = by_hand_.find(boxes_.path(scene_, box));
    return asked == by_hand_.end() ? std::nullopt : std::optional(asked->second);
  }

  void find_aside() {
    auto& placed = layout_.placed;
    std::vector<std::uint32_t> neighbours;
    for (std::uint32_t parent = 0; parent < placed.size(); ++parent) {
      if (!placed[parent].is_open) continue;
      neighbours.assign(child_count_[parent], 0);
      for (const SiblingEdge& edge : siblings_in(parent)) {
        ++neighbours[edge.edge.from];
        ++neighbours[edge.edge.to];
      }
      const bool is_in_step = !boxes_.boxes[placed[parent].box].is_outside;
      for (std::uint32_t i = parent + 1; i < placed[parent].end; i = placed[i].end) {
        const ScopeBox& box = boxes_.boxes[placed[i].box];
        const bool is_busy = box.kind == BoxKind::kOp && neighbours[ordinal_[i]] > kMostSiblings;
        placed[i].is_aside = asked_aside(box).value_or(is_busy || (is_in_step && box.is_outside));
      }
    }
    for (ScopeEdge& edge : layout_.edges) edge.is_aside = outermost(edge).is_aside;
  }

  // Sizes from the inside outwards, then places from the outside inwards.
  void arrange() {
    auto& placed = layout_.placed;
    for (std::uint32_t i = static_cast<std::uint32_t>(placed.size()); i-- > 0;) {
      if (placed[i].is_open) {
        place_children(i);
      } else {
        const Point size = closed_size(scene_, boxes_, boxes_.boxes[placed[i].box]);
        placed[i].rect = {0, 0, size.x, size.y};
      }
    }
    for (std::uint32_t i = 1; i < placed.size(); ++i) {
      const Rect& around = placed[placed[i].parent].rect;
      Rect& rect = placed[i].rect;
      rect = {rect.x0 + around.x0, rect.y0 + around.y0, rect.x1 + around.x0, rect.y1 + around.y0};
    }
    layout_.width = std::max(1.0F, placed[0].rect.width());
    layout_.height = std::max(1.0F, placed[0].rect.height());
  }

  // Relative to the left upper corner of the box.
  void place_children(std::uint32_t parent) {
    auto& placed = layout_.placed;
    std::vector<ColumnItem> items;
    for (std::uint32_t i = parent + 1; i < placed[parent].end; i = placed[i].end) {
      const Rect& rect = placed[i].rect;
      items.push_back({layout_.is_vertical ? rect.height() : rect.width(),
                       layout_.is_vertical ? rect.width() : rect.height(), placed[i].is_aside});
    }
    std::vector<ColumnEdge> edges;
    for (const SiblingEdge& edge : siblings_in(parent)) edges.push_back(edge.edge);
    const Columns columns = place_in_columns(items, edges);
    const float head = parent == 0 ? kScopePad : kScopeHead + kScopePad / 2;
    for (std::uint32_t i = parent + 1, at = 0; i < placed[parent].end; i = placed[i].end, ++at) {
      Point corner = columns.at[at];
      if (layout_.is_vertical) std::swap(corner.x, corner.y);
      Rect& rect = placed[i].rect;
      const float width = rect.width(), height = rect.height();
      rect = {corner.x + kScopePad, corner.y + head, corner.x + kScopePad + width,
              corner.y + head + height};
    }
    const float width = layout_.is_vertical ? columns.across : columns.along;
    const float height = layout_.is_vertical ? columns.along : columns.across;
    placed[parent].rect = {0, 0, std::max(width, kLeastScope) + 2 * kScopePad,
                           height + head + kScopePad};
  }

  const Scene& scene_;
  const ScopeBoxes& boxes_;
  const AsideBoxes& by_hand_;
  std::vector<bool> is_open_;               // by box
  std::vector<std::uint32_t> ordinal_;      // by placed: among its siblings
  std::vector<std::uint32_t> child_count_;  // by placed
  std::vector<SiblingEdge> siblings_;       // sorted
  std::vector<std::size_t> first_sibling_;  // by placed parent
  ScopeLayout layout_;
};

}  // namespace

ScopeLayout layout_scopes(const Scene& scene, const ScopeBoxes& boxes,
                          const ScopesArrangement& arrangement) {
  return ScopePlacer(scene, boxes, arrangement).place();
}

std::uint32_t placed_of_box(const ScopeBoxes& boxes, const ScopeLayout& layout, std::uint32_t box) {
  for (;; box = boxes.boxes[box].parent) {
    for (std::uint32_t i = 0; i < layout.placed.size(); ++i) {
      if (layout.placed[i].box == box) return i;
    }
  }
}

std::uint32_t marked_box(const ScopeBoxes& boxes, const ScopeLayout& layout,
                         std::string_view picked, std::optional<TensorId> selected) {
  if (const auto box = picked.empty() ? std::nullopt : boxes.find(picked))
    return placed_of_box(boxes, layout, *box);
  return selected ? placed_of_op(layout, selected->op) : 0;
}

std::uint32_t placed_of_op(const ScopeLayout& layout, OpId op) {
  return op.index() < layout.placed_of.size() ? layout.placed_of[op.index()] : 0;
}

}  // namespace tideline::render
