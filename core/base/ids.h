// Strong ids: indices into the arrays of the Graph that made them.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace tideline {

/// An op of one Graph: its position in the file's node list, followed by ops added by an edit.
struct OpId {
  std::uint32_t value = kNone;
  static constexpr std::uint32_t kNone = 0xffffffffU;

  [[nodiscard]] constexpr bool valid() const { return value != kNone; }
  [[nodiscard]] constexpr std::size_t index() const { return value; }
  friend constexpr auto operator<=>(OpId, OpId) = default;
};

/// A tensor: output `slot` of `op`.
struct TensorId {
  OpId op;
  std::uint32_t slot = 0;

  friend constexpr auto operator<=>(TensorId, TensorId) = default;
};

/// Iterates over all OpIds below `count`: for (OpId op : ops_below(n)).
class OpRange {
 public:
  class Iterator {
   public:
    constexpr explicit Iterator(std::uint32_t at) : at_(at) {}
    constexpr OpId operator*() const { return OpId{at_}; }
    constexpr Iterator& operator++() {
      ++at_;
      return *this;
    }
    friend constexpr bool operator==(Iterator, Iterator) = default;

   private:
    std::uint32_t at_;
  };
  constexpr explicit OpRange(std::uint32_t count) : count_(count) {}
  [[nodiscard]] constexpr Iterator begin() const { return Iterator(0); }
  [[nodiscard]] constexpr Iterator end() const { return Iterator(count_); }

 private:
  std::uint32_t count_;
};

}  // namespace tideline
