// Names of tensors as a tree of their parts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"

namespace tideline::ui {

/// The tree of the names of a checkpoint, which are split at '/' or, if none has one, at '.'. A
/// part with a single part below it is joined with that. Immutable once built.
class TensorTree {
 public:
  static constexpr std::int32_t kNone = -1;
  struct Node {
    std::string label;              ///< "kernel", "dense/kernel"
    std::int32_t depth = 0;         ///< 0 at the left edge
    std::int32_t tensor = kNone;    ///< index of its tensor; kNone for a part of names
    std::uint32_t end = 0;          ///< index behind the last node below it
    std::int64_t tensor_count = 0;  ///< of these and of its own
    Bytes bytes = 0;
  };

  TensorTree() = default;
  /// `names` are sorted, each once; `bytes` belong to them. Cost: O(bytes of the names).
  TensorTree(std::span<const std::string> names, std::span<const Bytes> bytes);

  /// A node, then what is below it.
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  /// Indices of the nodes that are seen when those in `closed`, which is sorted, are closed. With
  /// `is_wanted`, by tensor and not empty, only the wanted tensors and the nodes above them, open.
  /// Cost: O(nodes that are seen), or O(nodes) with `is_wanted`.
  [[nodiscard]] std::vector<std::uint32_t> seen(std::span<const std::uint32_t> closed,
                                                const std::vector<bool>& is_wanted) const;

 private:
  void join_single_parts();

  char separator_ = '/';
  std::vector<Node> nodes_;
};

}  // namespace tideline::ui
