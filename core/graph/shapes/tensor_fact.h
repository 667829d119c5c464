// What shape inference knows about a tensor, and about the containers behind handles.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/base/ids.h"
#include "core/graph/dtype.h"
#include "core/graph/shapes/dim_lists.h"

namespace tideline {

/// The shape of an output whose op has not been evaluated yet. Its consumers wait for it.
inline constexpr DimsId kPending = 0xffffffffU;

/// What a handle or a list refers to.
class Handle {
 public:
  constexpr Handle() = default;
  /// Something of a fixed shape, such as a variable, or a list of tensors of that shape.
  /// kPending: nothing was added yet. `length` of a list: a DimsId of one dim; `type`: its
  /// elements' type, where known.
  [[nodiscard]] static constexpr Handle of_content(DimsId content, DimsId length = kNothing,
                                                   DataType type = DataType::kInvalid) {
    return {Kind::kContent, content, length, type};
  }
  /// A container whose content is the join of what all ops write to it.
  [[nodiscard]] static constexpr Handle of_cell(std::uint32_t cell) {
    return {Kind::kCell, cell, kNothing, DataType::kInvalid};
  }
  /// The same container; writes through this handle are ignored.
  [[nodiscard]] constexpr Handle for_reading() const {
    return is_cell() ? Handle(Kind::kReadOnlyCell, value_, kNothing, type_) : *this;
  }

  [[nodiscard]] constexpr bool has_content() const { return kind_ == Kind::kContent; }
  [[nodiscard]] constexpr bool is_cell() const {
    return kind_ == Kind::kCell || kind_ == Kind::kReadOnlyCell;
  }
  [[nodiscard]] constexpr bool is_read_only() const { return kind_ == Kind::kReadOnlyCell; }
  /// The content's shape, or the number of the cell.
  [[nodiscard]] constexpr std::uint32_t value() const { return value_; }
  [[nodiscard]] constexpr DimsId length() const { return length_; }
  [[nodiscard]] constexpr DataType type() const { return type_; }
  friend constexpr bool operator==(Handle, Handle) = default;

 private:
  enum class Kind : std::uint32_t { kNone, kContent, kCell, kReadOnlyCell };
  constexpr Handle(Kind kind, std::uint32_t value, DimsId length, DataType type)
      : kind_(kind), value_(value), length_(length), type_(type) {}
  Kind kind_ = Kind::kNone;
  std::uint32_t value_ = 0;
  DimsId length_ = kNothing;
  DataType type_ = DataType::kInvalid;
};

/// Shape, elements as far as known (row-major), and what a handle refers to.
struct TensorFact {
  DimsId shape = kNothing;
  DimsId value = kNothing;
  Handle handle = {};

  [[nodiscard]] static constexpr TensorFact pending() { return {kPending, kNothing, {}}; }
  friend constexpr bool operator==(const TensorFact&, const TensorFact&) = default;
};

/// A container of tensors that ops fill by side effect: a TensorArray, a stack, a queue.
/// `content` is the join of all that is added; pending while it is empty.
struct Cell {
  OpId owner;
  TensorFact content = TensorFact::pending();
  DimsId length = kNothing;   ///< a list of one dim; kNothing when unknown
  bool is_fixed = false;      ///< what is added does not change `content`
  std::vector<OpId> readers;  ///< evaluated again when `content` changes
};

/// The containers of one graph.
class Cells {
 public:
  /// The cell of `owner`, created on first use.
  [[nodiscard]] std::uint32_t of(OpId owner, DimsId fixed_content);
  [[nodiscard]] Cell& operator[](std::uint32_t cell) { return cells_[cell]; }
  [[nodiscard]] const Cell& operator[](std::uint32_t cell) const { return cells_[cell]; }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(cells_.size()); }
  /// Makes `reader` a reader of `cell`, once. Cost: O(1).
  void add_reader(std::uint32_t cell, OpId reader);

 private:
  std::vector<Cell> cells_;
  std::unordered_map<std::uint32_t, std::uint32_t> by_owner_;
  std::unordered_set<std::uint64_t> readings_;  // (cell, reader) pairs
};

/// What is known when either `a` or `b` holds. The join with kPending is the other one.
[[nodiscard]] DimsId join_lists(DimLists& lists, DimsId a, DimsId b);
[[nodiscard]] Handle join_handles(DimLists& lists, Handle a, Handle b);
[[nodiscard]] TensorFact join_facts(DimLists& lists, const TensorFact& a, const TensorFact& b);
/// What is known when both hold. When they contradict each other, sets `agree` to false and returns
/// `a`.
[[nodiscard]] DimsId meet_lists(DimLists& lists, DimsId a, DimsId b, bool& agree);

}  // namespace tideline
