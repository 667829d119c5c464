// A list that grows to millions of plain elements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace tideline {

/// Memory for bytes that moves its pages instead of their contents when it grows. Bytes beyond
/// those that were written hold nothing and, in large memory, take nothing.
class PagedBytes {
 public:
  PagedBytes() = default;
  ~PagedBytes();
  PagedBytes(PagedBytes&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  PagedBytes& operator=(PagedBytes&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  PagedBytes(const PagedBytes&) = delete;
  PagedBytes& operator=(const PagedBytes&) = delete;

  /// Sets the number of bytes to `size` or more; those that there are stay. Invalidates addresses.
  /// Errors: std::bad_alloc, and then nothing has changed.
  void grow(std::size_t size);
  [[nodiscard]] char* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A vector of elements that are copied as bytes. A vector that grows to a few megabytes touches
/// three times as much memory, and first touches are what costs.
template <typename Element>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<Element>);

 public:
  using value_type = Element;

  GrowingArray() = default;
  GrowingArray(const GrowingArray& other) { append(other); }
  GrowingArray(GrowingArray&& other) noexcept
      : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {}
  GrowingArray& operator=(GrowingArray other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~GrowingArray() = default;

  /// `elements` must not be part of this list. Cost: amortised O(elements).
  void append(std::span<const Element> elements) {
    if (elements.empty()) return;
    std::memcpy(extend(elements.size()), elements.data(), elements.size_bytes());
  }

  /// Adds `count` elements, which the caller writes, and returns the first of them.
  Element* extend(std::size_t count) {
    const std::size_t wanted = size_ + count;
    // Half more instead of twice as much: what is reserved and not used is a third at most.
    if (wanted > capacity()) {
      bytes_.grow(std::max(wanted, size_ == 0 ? wanted : capacity() + capacity() / 2) *
                  sizeof(Element));
    }
    return reinterpret_cast<Element*>(bytes_.data()) + std::exchange(size_, wanted);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t capacity() const { return bytes_.size() / sizeof(Element); }
  [[nodiscard]] const Element* data() const {
    return reinterpret_cast<const Element*>(bytes_.data());
  }
  [[nodiscard]] const Element* begin() const { return data(); }
  [[nodiscard]] const Element* end() const { return data() + size_; }
  [[nodiscard]] const Element& operator[](std::size_t index) const { return data()[index]; }
  [[nodiscard]] const Element& front() const { return data()[0]; }
  [[nodiscard]] const Element& back() const { return data()[size_ - 1]; }
  /// Errors: std::out_of_range.
  [[nodiscard]] const Element& at(std::size_t index) const {
    if (index >= size_) throw std::out_of_range("GrowingArray::at");
    return data()[index];
  }

 private:
  PagedBytes bytes_;
  std::size_t size_ = 0;
};

}  // namespace tideline
