// A value by position with fast range maxima, for charts of a million steps.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/units.h"

namespace tideline::render {

/// Immutable once built. Thread: any number of readers.
class Curve {
 public:
  Curve() = default;
  /// Cost: O(values); twice their memory.
  explicit Curve(std::vector<Bytes> values);

  [[nodiscard]] bool empty() const { return values_.empty(); }
  [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(values_.size()); }
  /// 0 outside.
  [[nodiscard]] Bytes at(std::int32_t position) const;
  /// The first position in [begin, end) with the largest value; -1 when there is none.
  /// Cost: O(log size).
  [[nodiscard]] std::int32_t largest(std::int32_t begin, std::int32_t end) const;
  [[nodiscard]] Bytes most(std::int32_t begin, std::int32_t end) const {
    return at(largest(begin, end));
  }
  [[nodiscard]] Bytes most() const { return most(0, size()); }

 private:
  [[nodiscard]] std::uint32_t better(std::uint32_t a, std::uint32_t b) const;

  std::vector<Bytes> values_;
  /// By k: for each block of 2^(k+1) values, the position of the largest.
  std::vector<std::vector<std::uint32_t>> tables_;
};

}  // namespace tideline::render
