// An arena for strings: views into it stay valid while it grows.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace tideline {

/// Allocates strings in blocks. A string never moves; all are freed with the arena.
class TextArena {
 public:
  std::string_view add(std::string_view text) {
    if (text.empty()) return {};
    if (blocks_.empty() || used_ + text.size() > capacity_) {
      capacity_ = std::max(kBlockBytes, text.size());
      blocks_.push_back(std::make_unique_for_overwrite<char[]>(capacity_));
      used_ = 0;
    }
    char* place = blocks_.back().get() + used_;
    std::memcpy(place, text.data(), text.size());
    used_ += text.size();
    return {place, text.size()};
  }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 16U;
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
};

}  // namespace tideline
