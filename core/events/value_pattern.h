// Recognizes the next value of a scalar series by its bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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
    size_ = value.size();
    gap_ = static_cast<std::size_t>(number - value.data());
    if (size_ > kWordBytes) {
      long_ = value;
      return;
    }
    std::array<char, kWordBytes> mask{};
    std::memset(mask.data(), -1, size_);
    std::memset(mask.data() + gap_, 0, sizeof(float));
    std::memcpy(mask_.data(), mask.data(), kWordBytes);
    words_ = {};
    std::memcpy(words_.data(), value.data(), size_);
  }

  /// If the bytes from `at` to `end` begin with such a value, moves `at` behind it and takes its
  /// number. Up to `readable`, not before `end`, there are bytes that can be read but do not count.
  [[nodiscard]] bool take(const char*& at, const char* end, const char* readable,
                          float& number) const {
    if (size_ == 0 || static_cast<std::size_t>(end - at) < size_ || !is_at(at, readable)) {
      return false;
    }
    std::memcpy(&number, at + gap_, sizeof number);
    at += size_;
    return true;
  }

 private:
  static constexpr std::size_t kWords = 8;
  static constexpr std::size_t kWordBytes = kWords * sizeof(std::uint64_t);

  [[nodiscard]] bool is_at(const char* at, const char* readable) const {
    if (size_ <= kWordBytes / 2 && static_cast<std::size_t>(readable - at) >= kWordBytes / 2) {
      return has_words<kWords / 2>(at);
    }
    if (size_ <= kWordBytes && static_cast<std::size_t>(readable - at) >= kWordBytes) {
      return has_words<kWords>(at);
    }
    const char* const bytes =
        size_ > kWordBytes ? long_.data() : reinterpret_cast<const char*>(words_.data());
    const std::size_t behind = gap_ + sizeof(float);
    return std::memcmp(at, bytes, gap_) == 0 &&
           std::memcmp(at + behind, bytes + behind, size_ - behind) == 0;
  }

  // A call of memcmp for some ten bytes costs more than comparing all words and masking.
  template <std::size_t Words>
  [[nodiscard]] bool has_words(const char* at) const {
    std::array<std::uint64_t, Words> there;
    std::memcpy(there.data(), at, sizeof there);
    std::uint64_t differences = 0;
    for (std::size_t i = 0; i < Words; ++i) differences |= (there[i] ^ words_[i]) & mask_[i];
    return differences == 0;
  }

  std::array<std::uint64_t, kWords> words_{};
  std::array<std::uint64_t, kWords> mask_{};
  std::size_t size_ = 0;
  std::size_t gap_ = 0;
  std::string long_;  ///< of more than kWordBytes
};

}  // namespace tideline::events
