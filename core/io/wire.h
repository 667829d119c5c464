// Primitives of the protocol buffer wire format: bounds-checked reading, and writing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tideline::io {

enum class WireType : std::uint8_t {
  kVarint = 0,
  kFixed64 = 1,
  kBytes = 2,
  kGroupStart = 3,
  kGroupEnd = 4,
  kFixed32 = 5,
};

/// Reads a varint at `at`; false when it runs past `end` or is longer than ten bytes.
/// Most are one byte long, so that case comes first.
[[nodiscard]] inline bool read_varint(const char*& at, const char* end, std::uint64_t& value) {
  if (at < end && static_cast<signed char>(*at) >= 0) {
    value = static_cast<unsigned char>(*at++);
    return true;
  }
  constexpr unsigned kMaxBits = 70;
  value = 0;
  for (unsigned shift = 0; shift < kMaxBits && at < end; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at++);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

/// Limit on the encoded size of tags and lengths, which are 32-bit numbers. As in the protobuf
/// library, longer encodings are refused whatever their value.
inline constexpr std::ptrdiff_t kMaxSmallVarint = 5;

/// Reads a tag. The field number may be the invalid 0.
[[nodiscard]] inline bool read_tag(const char*& at, const char* end, std::uint64_t& tag) {
  const char* start = at;
  return read_varint(at, end, tag) && at - start <= kMaxSmallVarint && tag >> 32U == 0;
}

/// Reads the length of a length-delimited field. It may exceed the remaining bytes.
[[nodiscard]] inline bool read_length(const char*& at, const char* end, std::uint64_t& length) {
  const char* start = at;
  return read_varint(at, end, length) && at - start <= kMaxSmallVarint;
}

/// One field of a message: its number, wire type and payload.
struct Field {
  std::uint32_t number = 0;
  WireType type = WireType::kVarint;
  std::uint64_t varint = 0;  ///< kVarint, kFixed32, kFixed64
  std::string_view bytes;    ///< kBytes: the content; groups: the bytes between the tags
  std::string_view whole;    ///< tag, length and content

  [[nodiscard]] bool is_bytes(std::uint32_t wanted) const {
    return number == wanted && type == WireType::kBytes;
  }
  [[nodiscard]] bool is_varint(std::uint32_t wanted) const {
    return number == wanted && type == WireType::kVarint;
  }
};

/// Iterates over the fields of a message. Never fails on bytes that passed the wire check; on
/// others `next` returns false at the first damage, and `damaged` is then true.
class FieldReader {
 public:
  explicit FieldReader(std::string_view message)
      : at_(message.data()), end_(message.data() + message.size()) {}

  [[nodiscard]] bool next(Field& field);
  [[nodiscard]] bool damaged() const { return damaged_; }
  [[nodiscard]] const char* at() const { return at_; }

 private:
  bool read_payload(Field& field);
  bool skip_group(std::uint32_t number, int depth);

  const char* at_;
  const char* end_;
  bool damaged_ = false;
};

/// The next field of the beginning of a message: one whose length runs past the end counts as
/// present, with the bytes that are there. For telling what a file is.
[[nodiscard]] bool next_or_cut(FieldReader& reader, std::string_view beginning, Field& field);

void append_varint(std::string& out, std::uint64_t value);
/// Field header and content of a length-delimited field.
void append_bytes(std::string& out, std::uint32_t number, std::string_view content);
void append_varint_field(std::string& out, std::uint32_t number, std::uint64_t value);

}  // namespace tideline::io
