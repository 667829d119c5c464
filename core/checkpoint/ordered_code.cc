#include "core/checkpoint/ordered_code.h"

namespace tideline::checkpoint {
namespace {

// The number of bytes, then as many bytes, the highest first. Zero has none.
void append_number(std::string& out, std::uint64_t value) {
  std::string bytes;
  for (; value != 0; value >>= 8U) bytes.insert(bytes.begin(), static_cast<char>(value & 0xffU));
  out += static_cast<char>(bytes.size());
  out += bytes;
}

// A zero byte is 00 FF, a byte of ones FF 00, and 00 01 ends the text.
void append_text(std::string& out, std::string_view text) {
  for (const char c : text) {
    out += c;
    if (c == '\0') out += '\xff';
    if (c == '\xff') out += '\0';
  }
  out += '\0';
  out += '\x01';
}

// A number of n bytes has 7n - 1 bits beside its sign. The first bits say how many bytes there are,
// as many ones as there are bytes, and a zero; of a negative number all bits are inverted.
void append_signed(std::string& out, std::int64_t value) {
  const bool negative = value < 0;
  const std::uint64_t magnitude =
      negative ? ~static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  unsigned length = 1;
  while (length < 10 && 7 * length - 1 < 64 && magnitude >> (7 * length - 1) != 0) ++length;
  std::string bytes(length, '\0');
  for (unsigned i = 0; i < length && i < 8; ++i) {
    bytes[length - 1 - i] = static_cast<char>(magnitude >> (8 * i) & 0xffU);
  }
  for (unsigned bit = 0; bit < length; ++bit) {
    bytes[bit / 8] =
        static_cast<char>(static_cast<unsigned char>(bytes[bit / 8]) | (0x80U >> (bit % 8)));
  }
  for (const char byte : bytes) {
    out += negative ? static_cast<char>(~static_cast<unsigned char>(byte)) : byte;
  }
}

}  // namespace

std::string slice_key(std::string_view name, const std::vector<SliceExtent>& extents) {
  std::string key;
  append_number(key, 0);
  append_text(key, name);
  append_number(key, extents.size());
  for (const SliceExtent& extent : extents) {
    append_signed(key, extent.start);
    append_signed(key, extent.length);
  }
  return key;
}

}  // namespace tideline::checkpoint
