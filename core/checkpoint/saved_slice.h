// The values of a slice as TensorFlow's checkpoints of version 1 keep them: in a protobuf message.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/graph/dtype.h"

namespace tideline::checkpoint {

/// Reads elements as they are in memory, without a copy of all of them: the message holds floats as
/// they are, whole numbers as varints. Thread: not shared.
class SavedSlice {
 public:
  /// Of a SavedTensorSlices message with elements of `type`, a number. Views into `message` are
  /// kept. Errors: kCorrupt.
  [[nodiscard]] static Result<SavedSlice> parse(std::string_view message, DataType type);

  /// Bytes of all elements.
  [[nodiscard]] Bytes bytes() const { return bytes_; }
  /// Reads bytes [at, at + size). Cost: O(size) if the calls follow one another, else O(bytes).
  /// Precondition: the range lies within bytes().
  void read(Bytes at, char* to, std::size_t size);

 private:
  SavedSlice() = default;
  void go_to(Bytes at);
  void read_numbers(char* to, std::size_t size);

  std::vector<std::string_view> chunks_;  // none empty
  std::size_t element_bytes_ = 0;
  bool are_varints_ = false;
  Bytes bytes_ = 0;
  // Where the next call goes on, if it asks for this place.
  Bytes at_ = 0;
  std::size_t chunk_ = 0;
  std::size_t offset_ = 0;  // in the chunk
  std::uint64_t number_ = 0;
  std::size_t taken_ = 0;  // bytes of number_ that were read; 0: the next is to be decoded
};

/// The strings of such a message. Errors: kCorrupt.
[[nodiscard]] Result<std::vector<std::string>> saved_strings(std::string_view message);

}  // namespace tideline::checkpoint
