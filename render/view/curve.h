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

/// Values of steps over `count` positions: each shows the most of its steps, one without steps the
/// value before it, and those before all steps `before_first`. `positions` are by step; with
/// `lasts` a step lasts until the next one, and each position is passed once. `step_at`, unless it
/// is null, gets by position the step that is shown; -1: none yet. Cost: O(steps + count).
[[nodiscard]] Curve curve_of_steps(const std::vector<Bytes>& by_step,
                                   const std::vector<std::int32_t>& positions, std::int32_t count,
                                   Bytes before_first, std::vector<std::int32_t>* step_at,
                                   bool lasts = false);

}  // namespace tideline::render
