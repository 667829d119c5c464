// Recognizes the next value of a scalar series by its bytes.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace tideline::events {

/// An encoded value of a summary (its key and length included) that was read and checked, with a
/// gap for its number, a float. Bytes that differ in the gap alone are as valid, of the same
/// series, and differ in the number alone. Thread: immutable but for remember.
class ValuePattern {
 public:
  /// `value`: key, length and message. `number`: the four bytes of its float, inside `value`.
  void remember(std::string_view value, const char* number) {
    bytes_ = value;
    gap_ = static_cast<std::size_t>(number - value.data());
  }

  /// If the bytes from `at` to `end` begin with such a value, moves `at` behind it and takes its
  /// number.
  [[nodiscard]] bool take(const char*& at, const char* end, float& number) const {
    const std::size_t size = bytes_.size();
    if (size == 0 || static_cast<std::size_t>(end - at) < size) return false;
    const std::size_t behind = gap_ + sizeof number;
    if (std::memcmp(at, bytes_.data(), gap_) != 0 ||
        std::memcmp(at + behind, bytes_.data() + behind, size - behind) != 0) {
      return false;
    }
    std::memcpy(&number, at + gap_, sizeof number);
    at += size;
    return true;
  }

 private:
  std::string bytes_;
  std::size_t gap_ = 0;
};

}  // namespace tideline::events
