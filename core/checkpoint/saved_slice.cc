// Source: TensorFlow 2.15, saved_tensor_slice.proto, tensor.proto, saved_tensor_slice_util.h.
// Tested by unit/checkpoint/table_checkpoint_test.cc.
#include "core/checkpoint/saved_slice.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/base/bytes.h"
#include "core/io/wire.h"

namespace tideline::checkpoint {
namespace {

using io::Field;
using io::FieldReader;
using io::WireType;

constexpr std::uint32_t kData = 2;     // of SavedTensorSlices
constexpr std::uint32_t kTensor = 3;   // of SavedSlice
constexpr std::uint32_t kContent = 4;  // of TensorProto, as all below
constexpr std::uint32_t kFloats = 5, kDoubles = 6, kInts = 7, kStrings = 8, kComplexFloats = 9,
                        kLongs = 10, kBools = 11, kComplexDoubles = 12, kHalves = 13,
                        kUnsignedInts = 16, kUnsignedLongs = 17;

tl::unexpected<Error> damaged_slice() {
  return fail(Code::kCorrupt, "holds a slice that does not parse");
}

// The TensorProto of a SavedTensorSlices message; several of one field are not written.
Result<std::string_view> tensor_of(std::string_view message) {
  std::string_view tensor;
  FieldReader outer(message);
  for (Field field; outer.next(field);) {
    if (!field.is_bytes(kData)) continue;
    FieldReader inner(field.bytes);
    for (Field part; inner.next(part);) {
      if (part.is_bytes(kTensor)) tensor = part.bytes;
    }
    if (inner.damaged()) return damaged_slice();
  }
  if (outer.damaged()) return damaged_slice();
  return tensor;
}

struct ValueField {
  std::uint32_t number = 0;
  bool are_varints = false;
};

ValueField field_of(DataType type) {
  switch (type) {
    case DataType::kFloat: return {kFloats, false};
    case DataType::kDouble: return {kDoubles, false};
    case DataType::kComplex64: return {kComplexFloats, false};
    case DataType::kComplex128: return {kComplexDoubles, false};
    case DataType::kInt64: return {kLongs, true};
    case DataType::kBool: return {kBools, true};
    case DataType::kHalf:
    case DataType::kBfloat16: return {kHalves, true};
    case DataType::kUint32: return {kUnsignedInts, true};
    case DataType::kUint64: return {kUnsignedLongs, true};
    default: return {kInts, true};
  }
}

// The bytes of a field that is not packed, without its tag.
std::string_view single_value(const Field& field) {
  constexpr unsigned char kMore = 0x80;
  std::string_view rest = field.whole;
  while (!rest.empty() && (static_cast<unsigned char>(rest.front()) & kMore) != 0) {
    rest.remove_prefix(1);
  }
  rest.remove_prefix(1);
  return rest;
}

// The number of varints in `bytes`; each ends with a byte below 0x80. nullopt if one is cut.
std::optional<std::int64_t> count_varints(std::string_view bytes) {
  constexpr unsigned char kMore = 0x80;
  if (!bytes.empty() && (static_cast<unsigned char>(bytes.back()) & kMore) != 0) {
    return std::nullopt;
  }
  return std::count_if(bytes.begin(), bytes.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & kMore) == 0; });
}

}  // namespace

Result<SavedSlice> SavedSlice::parse(std::string_view message, DataType type) {
  TIDELINE_TRY(const std::string_view tensor, tensor_of(message));
  const ValueField wanted = field_of(type);
  SavedSlice slice;
  slice.element_bytes_ = static_cast<std::size_t>(tideline::element_bytes(type).value_or(0));
  slice.are_varints_ = wanted.are_varints;
  FieldReader reader(tensor);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(kContent) && !field.bytes.empty()) {
      slice.are_varints_ = false;
      slice.chunks_ = {field.bytes};
      break;
    }
    if (field.number != wanted.number) continue;
    const std::string_view chunk =
        field.type == WireType::kBytes ? field.bytes : single_value(field);
    if (!chunk.empty()) slice.chunks_.push_back(chunk);
  }
  if (reader.damaged()) return damaged_slice();
  for (const std::string_view chunk : slice.chunks_) {
    if (!slice.are_varints_) {
      slice.bytes_ += static_cast<Bytes>(chunk.size());
      continue;
    }
    const auto count = count_varints(chunk);
    if (!count) return damaged_slice();
    slice.bytes_ += *count * static_cast<Bytes>(slice.element_bytes_);
  }
  return slice;
}

void SavedSlice::go_to(Bytes at) {
  if (at == at_) return;
  if (at < at_) {
    at_ = 0;
    chunk_ = offset_ = taken_ = 0;
  }
  char none[4096];
  while (at_ < at) {
    read_numbers(none, static_cast<std::size_t>(std::min<Bytes>(at - at_, sizeof none)));
  }
}

void SavedSlice::read(Bytes at, char* to, std::size_t size) {
  go_to(at);
  read_numbers(to, size);
}

void SavedSlice::read_numbers(char* to, std::size_t size) {
  at_ += static_cast<Bytes>(size);
  while (size > 0) {
    if (taken_ == 0 && offset_ == chunks_[chunk_].size()) {
      ++chunk_;
      offset_ = 0;
    }
    const std::string_view chunk = chunks_[chunk_];
    if (!are_varints_) {
      const std::size_t part = std::min(size, chunk.size() - offset_);
      std::memcpy(to, chunk.data() + offset_, part);
      offset_ += part;
      to += part;
      size -= part;
      continue;
    }
    if (taken_ == 0) {
      const char* start = chunk.data() + offset_;
      // A varint of more than ten bytes is skipped to its end; the value read so far counts.
      if (!io::read_varint(start, chunk.data() + chunk.size(), number_)) {
        while (start < chunk.data() + chunk.size() && static_cast<signed char>(*start++) < 0) {
        }
      }
      offset_ = static_cast<std::size_t>(start - chunk.data());
    }
    *to++ = static_cast<char>(number_ >> (8 * taken_) & 0xffU);
    --size;
    taken_ = (taken_ + 1) % element_bytes_;
  }
}

Result<std::vector<std::string>> saved_strings(std::string_view message) {
  TIDELINE_TRY(const std::string_view tensor, tensor_of(message));
  std::vector<std::string> strings;
  FieldReader reader(tensor);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(kStrings)) strings.emplace_back(field.bytes);
  }
  if (reader.damaged()) return damaged_slice();
  return strings;
}

}  // namespace tideline::checkpoint
