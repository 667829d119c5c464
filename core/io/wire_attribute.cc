// Tested by unit/io/wire_codec_test.cc.
#include "core/io/wire_attribute.h"

#include <bit>

#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

std::string encode_shape(const Shape& shape) {
  std::string out;
  if (!shape.has_rank) {
    append_varint_field(out, tensor_shape::kUnknownRank, 1);
    return out;
  }
  for (const std::int64_t dim : shape.dims) {
    std::string size;
    // proto3 leaves a zero out
    if (dim != 0)
      append_varint_field(size, tensor_shape::kDimSize, static_cast<std::uint64_t>(dim));
    append_bytes(out, tensor_shape::kDim, size);
  }
  return out;
}

void append_float(std::string& out, std::uint32_t number, float value) {
  append_varint(out, std::uint64_t{number} << 3U | static_cast<std::uint64_t>(WireType::kFixed32));
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (unsigned shift = 0; shift < 32; shift += 8) {
    out.push_back(static_cast<char>((bits >> shift) & 0xffU));
  }
}

std::string encode_list(const AttrValue& value) {
  std::string list;
  for (const std::string& text : value.strings) append_bytes(list, attr_value::kString, text);
  std::string integers;
  for (const std::int64_t integer : value.integers) {
    append_varint(integers, static_cast<std::uint64_t>(integer));
  }
  if (!integers.empty()) append_bytes(list, attr_value::kInt, integers);
  for (const Shape& shape : value.shapes) {
    append_bytes(list, attr_value::kShape, encode_shape(shape));
  }
  std::string types;
  for (const DataType type : value.types) append_varint(types, static_cast<std::uint64_t>(type));
  if (!types.empty()) append_bytes(list, attr_value::kType, types);
  return list;
}

// A tensor without dimensions, as TensorFlow writes it: an empty shape, and the value.
std::string encode_int32(std::int64_t number) {
  std::string tensor;
  append_varint_field(tensor, tensor_proto::kType, static_cast<std::uint64_t>(DataType::kInt32));
  append_bytes(tensor, tensor_proto::kShape, "");
  std::string numbers;
  append_varint(numbers, static_cast<std::uint64_t>(number));
  append_bytes(tensor, tensor_proto::kInts, numbers);
  return tensor;
}

}  // namespace

std::string encode_attr_value(const AttrValue& value) {
  std::string out;
  switch (value.kind) {
    case AttrValue::Kind::kString: append_bytes(out, attr_value::kString, value.string); break;
    case AttrValue::Kind::kInt:
      append_varint_field(out, attr_value::kInt, static_cast<std::uint64_t>(value.integer));
      break;
    case AttrValue::Kind::kBool:
      append_varint_field(out, attr_value::kBool, value.boolean ? 1 : 0);
      break;
    case AttrValue::Kind::kType:
      append_varint_field(out, attr_value::kType, static_cast<std::uint64_t>(value.type));
      break;
    case AttrValue::Kind::kShape:
      append_bytes(out, attr_value::kShape, encode_shape(value.shape));
      break;
    case AttrValue::Kind::kFloat: append_float(out, attr_value::kFloat, value.number); break;
    case AttrValue::Kind::kList: append_bytes(out, attr_value::kList, encode_list(value)); break;
    case AttrValue::Kind::kTensor:
      if (value.encoded.empty()) {
        append_bytes(out, attr_value::kTensor, encode_int32(value.integer));
      } else {
        out = value.encoded;
      }
      break;
    default: out = value.encoded; break;
  }
  return out;
}

}  // namespace tideline::io
