// A set of positions that is emptied from the front.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace tideline {

/// A bit set of positions below a size. `next` examines 64 positions at a time.
class DirtySet {
 public:
  explicit DirtySet(std::uint32_t size) : words_(size / 64 + 1), size_(size) {}

  void insert_all() {
    for (std::uint32_t at = 0; at < size_; ++at) insert(at);
  }
  void insert(std::uint32_t at) {
    words_[at / 64] |= std::uint64_t{1} << (at % 64);
    lowest_ = std::min(lowest_, at);
  }
  [[nodiscard]] bool contains(std::uint32_t at) const {
    return (words_[at / 64] >> (at % 64) & 1U) != 0;
  }
  void erase(std::uint32_t at) { words_[at / 64] &= ~(std::uint64_t{1} << (at % 64)); }

  /// The first member at or after `from`; `size` when there is none.
  [[nodiscard]] std::uint32_t next(std::uint32_t from) const {
    if (from >= size_) return size_;
    std::size_t word = from / 64;
    std::uint64_t bits = words_[word] & (~std::uint64_t{0} << (from % 64));
    while (bits == 0) {
      if (++word == words_.size()) return size_;
      bits = words_[word];
    }
    return static_cast<std::uint32_t>(word * 64) +
           static_cast<std::uint32_t>(std::countr_zero(bits));
  }
  /// A lower bound of the positions inserted since the last call, which it then resets.
  [[nodiscard]] std::uint32_t take_lowest() { return std::exchange(lowest_, size_); }

 private:
  std::vector<std::uint64_t> words_;
  std::uint32_t size_;
  std::uint32_t lowest_ = 0;
};

}  // namespace tideline
