// What differs between two texts, line by line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tideline {

struct DiffLine {
  enum class Kind : std::uint8_t { kSame, kRemoved, kAdded };
  Kind kind = Kind::kSame;
  std::string_view text;  ///< without its end of line; into the text that has it
};

/// A shortest edit from `before` to `after`: what is removed stands before what is added in its
/// place. Of texts with more than some thousand different lines in a row, all of these are removed
/// and added. Cost: O(lines of both), and O(n * m) for what is left between the first and the last
/// difference, in time and memory, n * m at most 4 million. Thread: pure.
[[nodiscard]] std::vector<DiffLine> diff_lines(std::string_view before, std::string_view after);

}  // namespace tideline
