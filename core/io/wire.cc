#include "core/io/wire.h"

#include "core/base/bytes.h"

namespace tideline::io {
namespace {

constexpr int kMaxGroupDepth = 100;

}  // namespace

bool FieldReader::next(Field& field) {
  if (at_ >= end_ || damaged_) return false;
  const char* start = at_;
  std::uint64_t tag = 0;
  if (!read_tag(at_, end_, tag) || tag >> 3U == 0) {
    damaged_ = true;
    return false;
  }
  field.number = static_cast<std::uint32_t>(tag >> 3U);
  field.type = static_cast<WireType>(tag & 7U);
  damaged_ = !read_payload(field);
  field.whole = {start, static_cast<std::size_t>(at_ - start)};
  return !damaged_;
}

bool FieldReader::read_payload(Field& field) {
  const auto left = static_cast<std::size_t>(end_ - at_);
  switch (field.type) {
    case WireType::kVarint: return read_varint(at_, end_, field.varint);
    case WireType::kFixed64:
    case WireType::kFixed32: {
      const std::size_t size = field.type == WireType::kFixed64 ? 8 : 4;
      if (left < size) return false;
      field.varint = from_little_endian({at_, size});
      at_ += size;
      return true;
    }
    case WireType::kBytes: {
      std::uint64_t length = 0;
      if (!read_length(at_, end_, length) || length > static_cast<std::size_t>(end_ - at_)) {
        return false;
      }
      field.bytes = {at_, static_cast<std::size_t>(length)};
      at_ += length;
      return true;
    }
    case WireType::kGroupStart: {
      const char* start = at_;
      if (!skip_group(field.number, 0)) return false;
      field.bytes = {start, static_cast<std::size_t>(at_ - start)};
      return true;
    }
    case WireType::kGroupEnd: return false;
  }
  return false;
}

bool FieldReader::skip_group(std::uint32_t number, int depth) {
  if (depth > kMaxGroupDepth) return false;
  while (at_ < end_) {
    std::uint64_t tag = 0;
    if (!read_tag(at_, end_, tag)) return false;
    Field inner;
    inner.number = static_cast<std::uint32_t>(tag >> 3U);
    inner.type = static_cast<WireType>(tag & 7U);
    if (inner.type == WireType::kGroupEnd) return inner.number == number;
    if (inner.type == WireType::kGroupStart) {
      if (!skip_group(inner.number, depth + 1)) return false;
    } else if (!read_payload(inner)) {
      return false;
    }
  }
  return false;
}

bool next_or_cut(FieldReader& reader, std::string_view beginning, Field& field) {
  const char* at = reader.at();
  if (reader.next(field)) return true;
  const char* end = beginning.data() + beginning.size();
  std::uint64_t tag = 0;
  std::uint64_t length = 0;
  if (at >= end || !read_varint(at, end, tag) || (tag & 7U) != 2 || !read_varint(at, end, length)) {
    return false;
  }
  field.number = static_cast<std::uint32_t>(tag >> 3U);
  field.type = WireType::kBytes;
  field.bytes = {at, static_cast<std::size_t>(end - at)};
  return true;
}

void append_varint(std::string& out, std::uint64_t value) {
  while (value > 0x7f) {
    out.push_back(static_cast<char>((value & 0x7fU) | 0x80U));
    value >>= 7U;
  }
  out.push_back(static_cast<char>(value));
}

void append_bytes(std::string& out, std::uint32_t number, std::string_view content) {
  append_varint(out, std::uint64_t{number} << 3U | static_cast<std::uint64_t>(WireType::kBytes));
  append_varint(out, content.size());
  out.append(content);
}

void append_varint_field(std::string& out, std::uint32_t number, std::uint64_t value) {
  append_varint(out, std::uint64_t{number} << 3U | static_cast<std::uint64_t>(WireType::kVarint));
  append_varint(out, value);
}

}  // namespace tideline::io
