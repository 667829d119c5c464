// Interned lists of dims: equal shapes, and equal small tensors, have the same id.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_set>

#include "core/graph/shapes/dim.h"

namespace tideline {

/// Id of a list in a DimLists. kNothing stands for an unknown rank, or unknown elements.
using DimsId = std::uint32_t;
inline constexpr DimsId kNothing = 0;

/// Lists are never removed, so their total length is bounded: past the bound, and for lists longer
/// than `kMaxLength`, `id` returns kNothing. Pointers to lists stay valid. Cost: O(length) per
/// `id`. Thread: not shared.
class DimLists {
 public:
  static constexpr std::size_t kMaxLength = 1024;
  static constexpr std::size_t kMaxTotal = std::size_t{1} << 25;

  DimLists();
  DimLists(const DimLists&) = delete;
  DimLists& operator=(const DimLists&) = delete;

  /// The id of `dims`, which are added if they are new.
  [[nodiscard]] DimsId id(const Dims& dims);
  /// Null for kNothing.
  [[nodiscard]] const Dims* find(DimsId id) const { return id == kNothing ? nullptr : &lists_[id]; }
  /// The empty list: a scalar.
  [[nodiscard]] static constexpr DimsId scalar() { return 1; }

 private:
  struct Hash {
    using is_transparent = void;
    const DimLists* owner;
    std::size_t operator()(DimsId id) const { return (*this)(owner->lists_[id]); }
    std::size_t operator()(const Dims& dims) const;
  };
  struct Equal {
    using is_transparent = void;
    const DimLists* owner;
    bool operator()(DimsId a, DimsId b) const { return a == b; }
    bool operator()(DimsId a, const Dims& b) const { return owner->lists_[a] == b; }
    bool operator()(const Dims& a, DimsId b) const { return owner->lists_[b] == a; }
  };

  std::deque<Dims> lists_;
  std::unordered_set<DimsId, Hash, Equal> ids_;
  std::size_t total_ = 0;
};

}  // namespace tideline
