// Slices of partitioned variables, as SaveV2 and RestoreV2 name them: "6 4 0,3:-" is rows 0 to 2 of
// a tensor of 6 x 4. Header only, without TensorFlow.
// Source: TensorFlow 2.15, saved_tensor_slice_util.cc and tensor_slice.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace tideline::tmci {

struct Slice {
  std::vector<std::int64_t> whole;   ///< dims of the whole tensor
  std::vector<std::int64_t> start;   ///< in each dimension
  std::vector<std::int64_t> length;  ///< dims of the slice

  [[nodiscard]] std::int64_t elements() const {
    std::int64_t product = 1;
    for (const std::int64_t dim : length) product *= dim;
    return product;
  }
};

namespace slice_detail {

// The number that is all of `text`; none if it has other characters or more than 18 digits.
inline std::optional<std::int64_t> number(std::string_view text) {
  if (text.empty() || text.size() > 18) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return value;
}

inline std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace slice_detail

/// None if `text` is no slice, or one that reaches beyond the tensor.
inline std::optional<Slice> parse_slice(std::string_view text) {
  using slice_detail::number;
  using slice_detail::split;
  std::vector<std::string_view> words = split(text, ' ');
  const std::vector<std::string_view> extents = split(words.back(), ':');
  words.pop_back();
  if (words.empty() || words.size() != extents.size()) return std::nullopt;
  Slice slice;
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto dim = number(words[i]);
    if (!dim || __builtin_mul_overflow(elements, *dim, &elements)) return std::nullopt;
    std::int64_t start = 0;
    std::int64_t length = *dim;
    if (extents[i] != "-") {
      const auto parts = split(extents[i], ',');
      const auto first = number(parts.front());
      const auto count = number(parts.back());
      if (parts.size() != 2 || !first || !count || *first > *dim || *count > *dim - *first) {
        return std::nullopt;
      }
      start = *first;
      length = *count;
    }
    slice.whole.push_back(*dim);
    slice.start.push_back(start);
    slice.length.push_back(length);
  }
  return slice;
}

/// Copies between a slice and its place in the whole tensor, both in row-major order: row by row
/// along the last dimension.
inline void copy_slice(const Slice& slice, std::size_t element_bytes, char* whole, char* part,
                       bool into_whole) {
  if (slice.elements() == 0) return;
  const std::size_t rank = slice.whole.size();
  const std::size_t row = static_cast<std::size_t>(slice.length[rank - 1]) * element_bytes;
  std::vector<std::int64_t> at(rank, 0);  // within the slice; the last stays 0
  while (true) {
    std::size_t place = 0;
    for (std::size_t i = 0; i < rank; ++i) {
      place = place * static_cast<std::size_t>(slice.whole[i]) +
              static_cast<std::size_t>(slice.start[i] + at[i]);
    }
    char* in_whole = whole + place * element_bytes;
    std::memcpy(into_whole ? in_whole : part, into_whole ? part : in_whole, row);
    part += row;
    std::size_t i = rank - 1;
    while (i > 0 && ++at[i - 1] == slice.length[i - 1]) at[--i] = 0;
    if (i == 0) return;
  }
}

/// Whether `slices` of one tensor leave nothing out and do not overlap. Cost: O(slices squared).
inline bool cover_all(const std::vector<Slice>& slices) {
  std::int64_t covered = 0;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    covered += slices[i].elements();
    for (std::size_t j = 0; j < i; ++j) {
      bool overlap = true;
      for (std::size_t d = 0; d < slices[i].whole.size(); ++d) {
        overlap = overlap && slices[i].start[d] < slices[j].start[d] + slices[j].length[d] &&
                  slices[j].start[d] < slices[i].start[d] + slices[i].length[d];
      }
      if (overlap) return false;
    }
  }
  std::int64_t all = 1;
  for (const std::int64_t dim : slices.front().whole) all *= dim;
  return covered == all;
}

}  // namespace tideline::tmci
