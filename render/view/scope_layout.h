// The layout of the scopes view: which boxes are seen, where they lie, and what flows between them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "render/view/canvas.h"
#include "render/view/scope_boxes.h"

namespace tideline::render {

/// A box that is seen.
struct PlacedScope {
  std::uint32_t box = 0;     ///< index of ScopeBoxes::boxes
  std::uint32_t parent = 0;  ///< index of ScopeLayout::placed
  std::uint32_t end = 0;     ///< behind all that lies in it: [index + 1, end) of `placed`
  Rect rect = {};            ///< in ems
  bool is_open = false;
  /// Beside the flow of its parent: it is read by, or reads, very many siblings, or is not part of
  /// the step, or was moved there by hand. Its edges are drawn only where it is selected or under
  /// the mouse.
  bool is_aside = false;
};

/// All that one closed box reads of another.
struct ScopeEdge {
  std::uint32_t from = 0, to = 0;  ///< indices of ScopeLayout::placed
  std::uint32_t tensors = 0;       ///< different ones
  std::uint32_t references = 0;    ///< of them, read as references or resources
  std::uint32_t controls = 0;      ///< control edges
  Bytes bytes = 0;                 ///< of the tensors
  bool is_unknown = false;         ///< the size of one of them is
  bool is_aside = false;           ///< one end, or what is around it, is aside of the other

  [[nodiscard]] bool is_reference() const { return tensors > 0 && references == tensors; }
};

/// Invariants: parents stand before what lies in them, and around it; boxes of one parent do not
/// overlap; every op that is shown is in exactly one closed box.
struct ScopeLayout {
  std::vector<PlacedScope> placed;  ///< the first is the root, which is always open
  std::vector<ScopeEdge> edges;     ///< by `from`, then `to`
  std::vector<std::uint32_t>
      placed_of;                ///< by op: the closed box that it is in; 0: it is not shown
  float width = 1, height = 1;  ///< in ems
  bool is_vertical = false;
};

/// Height of the name above an open box, in ems, and the space around what lies in it.
inline constexpr float kScopeHead = 1.8F;
inline constexpr float kScopePad = 1;

/// Lays out what is seen of `boxes`, which are those of the loop; paths of none are ignored. The
/// flow is from left to right, or from top to bottom if it is vertical. Cost: O(ops + edges) and
/// O(n log n) in what is seen. Thread: pure.
[[nodiscard]] ScopeLayout layout_scopes(const Scene& scene, const ScopeBoxes& boxes,
                                        const ScopesArrangement& arrangement);

/// Where a box is seen: its own index, or that of the closed box around it.
[[nodiscard]] std::uint32_t placed_of_box(const ScopeBoxes& boxes, const ScopeLayout& layout,
                                          std::uint32_t box);
/// The closed box of an op, or the root's index 0 for an op that the graph does not have.
[[nodiscard]] std::uint32_t placed_of_op(const ScopeLayout& layout, OpId op);

/// The box that is marked: that of the path `picked`, if it is seen, else the closed one of the
/// selected op; 0: none.
[[nodiscard]] std::uint32_t marked_box(const ScopeBoxes& boxes, const ScopeLayout& layout,
                                       std::string_view picked, std::optional<TensorId> selected);

}  // namespace tideline::render
