// What the scopes view can show of a graph: its name scopes as a tree of boxes, where numbered
// siblings are folded and very many children are parted into groups.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/error.h"
#include "core/base/units.h"
#include "render/view/scene.h"
#include "render/view/scopes_part.h"

namespace tideline::render {

enum class BoxKind : std::uint8_t {
  kOp,
  kScope,
  kSeries,  ///< numbered scopes or ops of equal structure: "block_[1-16]"
  kGroup,   ///< consecutive ones of too many children: "[1-64]"
};
/// A series is folded if it has at least so many members, as in TensorBoard.
inline constexpr std::size_t kLeastSeries = 5;
/// A box with more children has groups of them.
inline constexpr std::size_t kMostChildren = 400;

struct ScopeBox {
  BoxKind kind = BoxKind::kScope;
  std::uint32_t parent = 0;
  std::uint32_t depth = 0;                         ///< 0 for the root
  std::uint32_t first_child = 0, child_count = 0;  ///< a range of ScopeBoxes::boxes
  std::uint32_t first_op = 0, op_count = 0;        ///< a range of ScopeBoxes::ops
  std::uint32_t name = 0;  ///< of an op its id, of a scope its index, else of ScopeBoxes::names
  /// Mean level of its ops, of the first phase that has a fifth of those of the step, each as late
  /// as its readers allow.
  double place = 0;
  std::int32_t first_level = 0, last_level = 0;
  Bytes bytes = 0;          ///< of all outputs
  bool is_unknown = false;  ///< the size of one of them is
  bool is_outside = false;  ///< at most a tenth of its ops are part of the step

  [[nodiscard]] bool can_open() const { return kind != BoxKind::kOp; }
};

/// Box 0 is the whole graph, or a loop of it. Invariants: parents stand before their children,
/// siblings beside each other in the order of their places; every op that is shown is in exactly
/// one box of kind kOp.
struct ScopeBoxes {
  struct Name {
    std::string label;  ///< "block_[1-16]"
    std::string path;   ///< "net/block_[1-16]"
  };

  std::vector<ScopeBox> boxes;
  std::vector<OpId> ops;
  std::deque<Name> names;  ///< of series and groups
  /// Of all that can be opened. Views of names of the graph and of `names`: a path may be as long
  /// as all names of ops together, and there is one for each part.
  std::unordered_map<std::string_view, std::uint32_t> of_path;

  ScopeBoxes() = default;
  ScopeBoxes(ScopeBoxes&&) = default;
  ScopeBoxes& operator=(ScopeBoxes&&) = default;

  [[nodiscard]] std::span<const OpId> ops_of(const ScopeBox& box) const {
    return {ops.data() + box.first_op, box.op_count};
  }
  /// What is written on a box: the last part of its path.
  [[nodiscard]] std::string_view label(const Scene& scene, const ScopeBox& box) const;
  /// The name that options and scripts use, unique among those that can be opened; that of the
  /// root is empty.
  [[nodiscard]] std::string_view path(const Scene& scene, const ScopeBox& box) const;
  /// The box that can be opened of this path, but not the root; nullopt if there is none.
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view path) const;
};

/// Needed once per graph. With the name of a loop only of the ops that run in it; a loop that there
/// is not is the whole graph. Cost: O(ops + edges + scopes x log siblings). Thread: pure.
[[nodiscard]] ScopeBoxes find_scope_boxes(const Scene& scene, std::string_view loop = {});

/// `open` with this box and all around it. Precondition: it can be opened.
[[nodiscard]] OpenBoxes with_open(const Scene& scene, const ScopeBoxes& boxes, OpenBoxes open,
                                  std::uint32_t box);
/// The same for each of some paths; "*" is all there are. Errors: kNotFound for a path of none.
[[nodiscard]] Result<OpenBoxes> with_open(const Scene& scene, const ScopeBoxes& boxes,
                                          OpenBoxes open, std::span<const std::string> paths);
/// What is open at first where only a loop is shown: what is around its condition, or its first
/// Enter. None where there is no such loop.
[[nodiscard]] OpenBoxes open_at_first(const Scene& scene, const ScopeBoxes& boxes,
                                      std::string_view loop);
/// `open` without this box and all within it.
[[nodiscard]] OpenBoxes with_closed(const ScopeBoxes& boxes, OpenBoxes open, std::uint32_t box);

}  // namespace tideline::render
