// Source: TensorFlow 2.15, tensor_bundle.proto, tensor_shape.proto,
// tensor_slice.proto, versions.proto.
// Tested by: unit/checkpoint/bundle_entry_test.cc.
#include "core/checkpoint/bundle_entry.h"

#include <limits>

#include "core/base/bytes.h"
#include "core/io/wire.h"

namespace tideline::checkpoint {
namespace {

namespace header_field {
constexpr std::uint32_t kShards = 1, kEndianness = 2, kVersion = 3;
constexpr std::uint32_t kProducer = 1, kLeastConsumer = 2;
}  // namespace header_field
namespace entry_field {
constexpr std::uint32_t kType = 1, kShape = 2, kShard = 3, kOffset = 4, kBytes = 5, kCrc = 6,
                        kSlice = 7;
constexpr std::uint32_t kDim = 2, kUnknownRank = 3, kDimSize = 1;          // of the shape
constexpr std::uint32_t kExtent = 1, kExtentStart = 1, kExtentLength = 2;  // of a slice
}  // namespace entry_field

using io::Field;
using io::FieldReader;
using io::WireType;

tl::unexpected<Error> damaged_entry(const char* what) {
  return fail(Code::kCorrupt, "the {} of the index does not parse", what);
}

std::int64_t as_signed(std::uint64_t varint) {
  return static_cast<std::int64_t>(varint);
}

Result<std::int64_t> parse_dim(std::string_view message) {
  std::int64_t size = 0;
  FieldReader reader(message);
  for (Field field; reader.next(field);) {
    if (field.is_varint(entry_field::kDimSize)) size = as_signed(field.varint);
  }
  if (reader.damaged()) return damaged_entry("shape");
  if (size < 0) return fail(Code::kCorrupt, "has an unknown dimension");
  return size;
}

Result<SliceExtent> parse_extent(std::string_view message) {
  SliceExtent extent;
  FieldReader reader(message);
  for (Field field; reader.next(field);) {
    if (field.is_varint(entry_field::kExtentStart)) extent.start = as_signed(field.varint);
    if (field.is_varint(entry_field::kExtentLength)) extent.length = as_signed(field.varint);
  }
  if (reader.damaged()) return damaged_entry("slice");
  return extent;
}

Status parse_number(const Field& field, BundleEntry& entry) {
  switch (field.number) {
    case entry_field::kType: {
      if (field.varint > std::numeric_limits<std::uint32_t>::max()) return damaged_entry("type");
      entry.type = static_cast<DataType>(field.varint);
      return {};
    }
    case entry_field::kShard: entry.shard = as_signed(field.varint); return {};
    case entry_field::kOffset: entry.offset = as_signed(field.varint); return {};
    case entry_field::kBytes: entry.bytes = as_signed(field.varint); return {};
    default: return {};
  }
}

void append_number(std::string& out, std::uint32_t field, std::int64_t value) {
  if (value != 0) io::append_varint_field(out, field, static_cast<std::uint64_t>(value));
}

}  // namespace

Status parse_shape(std::string_view message, std::vector<std::int64_t>& dims) {
  FieldReader reader(message);
  for (Field field; reader.next(field);) {
    if (field.is_varint(entry_field::kUnknownRank) && field.varint != 0) {
      return fail(Code::kCorrupt, "has no rank");
    }
    if (!field.is_bytes(entry_field::kDim)) continue;
    TIDELINE_TRY(const std::int64_t size, parse_dim(field.bytes));
    dims.push_back(size);
    if (dims.size() > kMostDims) {
      return fail(Code::kCorrupt, "has more than {} dimensions", kMostDims);
    }
  }
  if (reader.damaged()) return damaged_entry("shape");
  return {};
}

Result<std::vector<SliceExtent>> parse_slice(std::string_view message) {
  std::vector<SliceExtent> extents;
  FieldReader reader(message);
  for (Field field; reader.next(field);) {
    if (!field.is_bytes(entry_field::kExtent)) continue;
    TIDELINE_TRY(const SliceExtent extent, parse_extent(field.bytes));
    extents.push_back(extent);
    if (extents.size() > kMostDims) {
      return fail(Code::kCorrupt, "has a slice of more than {} dimensions", kMostDims);
    }
  }
  if (reader.damaged()) return damaged_entry("slice");
  return extents;
}

Status place_slice(const std::vector<std::int64_t>& dims, const std::vector<SliceExtent>& extents,
                   Piece& piece) {
  if (extents.size() != dims.size()) {
    return fail(Code::kCorrupt, "has a slice of {} dimensions; expected {}", extents.size(),
                dims.size());
  }
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::int64_t size = dims[i];
    const bool is_all = extents[i].length < 0;
    const std::int64_t start = is_all ? 0 : extents[i].start;
    const std::int64_t length = is_all ? size : extents[i].length;
    if (start < 0 || length > size || start > size - length) {
      return fail(Code::kCorrupt, "has a slice from {} on with {} of {} elements", start, length,
                  size);
    }
    piece.start.push_back(start);
    piece.length.push_back(length);
  }
  return {};
}

Result<BundleHeader> parse_bundle_header(std::string_view message) {
  BundleHeader header;
  FieldReader reader(message);
  for (Field field; reader.next(field);) {
    if (field.is_varint(header_field::kShards)) header.shards = as_signed(field.varint);
    if (field.is_varint(header_field::kEndianness)) header.is_big_endian = field.varint != 0;
    if (!field.is_bytes(header_field::kVersion)) continue;
    FieldReader version(field.bytes);
    for (Field part; version.next(part);) {
      if (part.is_varint(header_field::kLeastConsumer)) {
        header.least_consumer = as_signed(part.varint);
      }
    }
    if (version.damaged()) return damaged_entry("header");
  }
  if (reader.damaged()) return damaged_entry("header");
  return header;
}

Result<BundleEntry> parse_bundle_entry(std::string_view message) {
  BundleEntry entry;
  FieldReader reader(message);
  for (Field field; reader.next(field);) {
    if (field.type == WireType::kVarint) {
      TIDELINE_RETURN_IF_ERROR(parse_number(field, entry));
    } else if (field.is_bytes(entry_field::kShape)) {
      TIDELINE_RETURN_IF_ERROR(parse_shape(field.bytes, entry.dims));
    } else if (field.number == entry_field::kCrc && field.type == WireType::kFixed32) {
      entry.masked_crc = static_cast<std::uint32_t>(field.varint);
    } else if (field.is_bytes(entry_field::kSlice)) {
      TIDELINE_TRY(std::vector<SliceExtent> slice, parse_slice(field.bytes));
      entry.slices.push_back(std::move(slice));
    }
  }
  if (reader.damaged()) return damaged_entry("entry");
  if (entry.shard < 0 || entry.offset < 0 || entry.bytes < 0 ||
      entry.offset > std::numeric_limits<std::int64_t>::max() - entry.bytes) {
    return fail(Code::kCorrupt, "lies at an impossible place: shard {}, byte {}, {} bytes",
                entry.shard, entry.offset, entry.bytes);
  }
  return entry;
}

std::string encode(const BundleHeader& header) {
  std::string message;
  append_number(message, header_field::kShards, header.shards);
  if (header.is_big_endian) append_number(message, header_field::kEndianness, 1);
  std::string version;
  append_number(version, header_field::kProducer, 1);
  append_number(version, header_field::kLeastConsumer, header.least_consumer);
  io::append_bytes(message, header_field::kVersion, version);
  return message;
}

std::string encode(const BundleEntry& entry) {
  std::string message;
  append_number(message, entry_field::kType, static_cast<std::uint32_t>(entry.type));
  std::string shape;
  for (const std::int64_t size : entry.dims) {
    std::string dim;
    append_number(dim, entry_field::kDimSize, size);
    io::append_bytes(shape, entry_field::kDim, dim);
  }
  io::append_bytes(message, entry_field::kShape, shape);
  append_number(message, entry_field::kShard, entry.shard);
  append_number(message, entry_field::kOffset, entry.offset);
  append_number(message, entry_field::kBytes, entry.bytes);
  if (entry.masked_crc != 0) {
    io::append_varint(message, std::uint64_t{entry_field::kCrc} << 3U |
                                   static_cast<std::uint64_t>(WireType::kFixed32));
    append_little_endian(message, entry.masked_crc);
  }
  for (const std::vector<SliceExtent>& extents : entry.slices) {
    std::string slice;
    for (const SliceExtent& extent : extents) {
      std::string bytes;
      append_number(bytes, entry_field::kExtentStart, extent.start);
      // Of a oneof: written even when it is zero. A whole dimension has none.
      if (extent.length >= 0) {
        io::append_varint_field(bytes, entry_field::kExtentLength,
                                static_cast<std::uint64_t>(extent.length));
      }
      io::append_bytes(slice, entry_field::kExtent, bytes);
    }
    io::append_bytes(message, entry_field::kSlice, slice);
  }
  return message;
}

}  // namespace tideline::checkpoint
