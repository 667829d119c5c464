// How long the headers of ops are in a file: tag and length before the bytes of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tideline::io {

/// Only headers that are not in their shortest form are kept, so that nearly all files need
/// nothing. Thread: not shared while it grows.
class OpHeaderSizes {
 public:
  /// Of the header of an op of `length` bytes: a tag of one byte, and the length as a varint.
  [[nodiscard]] static std::size_t shortest(std::size_t length);

  /// The header of op `op`, which has `length` bytes, has `size`. Ops come in ascending order.
  void add(std::size_t op, std::size_t size, std::size_t length);
  /// Before all others come `count` ops that no file has.
  void insert_in_front(std::size_t count) {
    if (!sizes_.empty()) sizes_.insert(sizes_.begin(), count, 0);
  }
  /// Of op `op`; 0 when its header is in its shortest form, or in no file.
  [[nodiscard]] std::size_t unusual(std::size_t op) const {
    return op < sizes_.size() ? sizes_[op] : 0;
  }

 private:
  std::vector<std::uint8_t> sizes_;  // by op, as far as the last unusual one; 0: shortest
};

}  // namespace tideline::io
