#include "core/io/wire_tensor.h"

#include <bit>
#include <cmath>

#include "core/base/bytes.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

// How the elements of a type lie in its list of values and in raw content.
struct ElementEncoding {
  std::uint32_t field = 0;
  std::size_t bytes = 0;
  enum class Kind : std::uint8_t { kSigned, kUnsigned, kFloat } kind = Kind::kSigned;
};

std::optional<ElementEncoding> encoding_of(DataType type) {
  using Kind = ElementEncoding::Kind;
  switch (type) {
    case DataType::kInt32: return ElementEncoding{tensor_proto::kInts, 4, Kind::kSigned};
    case DataType::kInt16: return ElementEncoding{tensor_proto::kInts, 2, Kind::kSigned};
    case DataType::kInt8: return ElementEncoding{tensor_proto::kInts, 1, Kind::kSigned};
    case DataType::kUint16: return ElementEncoding{tensor_proto::kInts, 2, Kind::kUnsigned};
    case DataType::kUint8: return ElementEncoding{tensor_proto::kInts, 1, Kind::kUnsigned};
    case DataType::kInt64: return ElementEncoding{tensor_proto::kInt64s, 8, Kind::kSigned};
    case DataType::kUint32: return ElementEncoding{tensor_proto::kUint32s, 4, Kind::kUnsigned};
    case DataType::kUint64: return ElementEncoding{tensor_proto::kUint64s, 8, Kind::kUnsigned};
    case DataType::kBool: return ElementEncoding{tensor_proto::kBools, 1, Kind::kUnsigned};
    case DataType::kFloat: return ElementEncoding{tensor_proto::kFloats, 4, Kind::kFloat};
    case DataType::kDouble: return ElementEncoding{tensor_proto::kDoubles, 8, Kind::kFloat};
    default: return std::nullopt;
  }
}

// The whole number behind the bits of one element of `encoding.bytes` bytes.
std::optional<std::int64_t> whole_number(std::uint64_t bits, const ElementEncoding& encoding) {
  if (encoding.kind == ElementEncoding::Kind::kFloat) {
    const double number =
        encoding.bytes == 4
            ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
            : std::bit_cast<double>(bits);
    // Beyond this a float skips whole numbers.
    constexpr double kMost = 1 << 24;
    if (!(std::abs(number) <= kMost) || number != std::trunc(number)) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  const unsigned spare = 64U - 8U * static_cast<unsigned>(encoding.bytes);
  const std::uint64_t shifted = bits << spare;
  if (encoding.kind == ElementEncoding::Kind::kSigned) {
    return static_cast<std::int64_t>(shifted) >> spare;
  }
  const std::uint64_t value = shifted >> spare;
  if (value > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

// Collects at most `most` raw elements; more is noticed, not stored.
struct Values {
  std::size_t most = 0;
  std::vector<std::uint64_t> bits;
  bool too_many = false;

  void add(std::uint64_t value) {
    if (bits.size() == most) {
      too_many = true;
    } else {
      bits.push_back(value);
    }
  }
  void add_raw(std::string_view bytes, std::size_t width) {
    for (; bytes.size() >= width && !too_many; bytes.remove_prefix(width)) {
      add(from_little_endian(bytes.substr(0, width)));
    }
  }
};

// Null when the shape has more than `most` elements.
std::optional<std::size_t> element_count(const Shape& shape, std::size_t most) {
  std::uint64_t count = 1;
  bool huge = false;
  for (const std::int64_t dim : shape.dims) {
    if (dim == 0) return 0;
    if (huge || static_cast<std::uint64_t>(dim) > most) {
      huge = true;
    } else {
      count *= static_cast<std::uint64_t>(dim);
      huge = count > most;
    }
  }
  if (huge) return std::nullopt;
  return count;
}

void read_texts(std::string_view bytes, std::size_t count, TensorContent& content) {
  constexpr std::size_t kLongest = 4096;
  std::vector<std::string> texts;
  FieldReader reader(bytes);
  Field field;
  while (reader.next(field)) {
    if (!field.is_bytes(tensor_proto::kStrings)) continue;
    if (texts.size() == count || field.bytes.size() > kLongest) return;
    texts.emplace_back(field.bytes);
  }
  if (texts.size() < count) texts.resize(count, texts.empty() ? "" : std::string(texts.back()));
  content.texts = std::move(texts);
}

}  // namespace

Result<Shape> decode_shape(std::string_view bytes) {
  Shape shape = Shape::of({});
  FieldReader reader(bytes);
  Field field;
  bool unknown_rank = false;
  while (reader.next(field)) {
    if (field.is_varint(tensor_shape::kUnknownRank)) unknown_rank = field.varint != 0;
    if (!field.is_bytes(tensor_shape::kDim)) continue;
    std::int64_t size = 0;
    FieldReader dim(field.bytes);
    Field part;
    while (dim.next(part)) {
      if (part.is_varint(tensor_shape::kDimSize)) size = static_cast<std::int64_t>(part.varint);
    }
    if (size < kUnknownDim) {
      return fail(Code::kCorrupt, "shape: dim {} is {}; expected -1 or more", shape.dims.size(),
                  size);
    }
    shape.dims.push_back(size);
  }
  if (unknown_rank) return Shape::unknown();
  return shape;
}

Result<TensorContent> decode_tensor(std::string_view bytes, std::size_t most_elements) {
  TensorContent content;
  content.shape = Shape::of({});
  FieldReader head(bytes);
  Field field;
  while (head.next(field)) {
    if (field.is_varint(tensor_proto::kType)) content.type = static_cast<DataType>(field.varint);
    if (field.is_bytes(tensor_proto::kShape)) {
      TIDELINE_TRY(content.shape, decode_shape(field.bytes));
    }
  }
  if (!content.shape.fully_known()) {
    return fail(Code::kCorrupt, "tensor: shape {}; expected all dims of a constant",
                to_string(content.shape));
  }
  const auto encoding = encoding_of(base_type(content.type));
  const auto count = element_count(content.shape, most_elements);
  if (count && base_type(content.type) == DataType::kString) read_texts(bytes, *count, content);
  if (!encoding || !count) return content;
  Values values{*count, {}, false};
  FieldReader reader(bytes);
  while (reader.next(field)) {
    if (field.is_bytes(tensor_proto::kContent)) {
      values.add_raw(field.bytes, encoding->bytes);
    } else if (field.number == encoding->field) {
      if (encoding->kind != ElementEncoding::Kind::kFloat) {
        each_number(field, [&](std::uint64_t number) { values.add(number); });
      } else if (field.type == WireType::kBytes) {
        values.add_raw(field.bytes, encoding->bytes);
      } else {
        values.add(field.varint);
      }
    }
  }
  if (values.too_many) {
    return fail(Code::kCorrupt, "tensor: more than the {} values of shape {}", *count,
                to_string(content.shape));
  }
  std::vector<std::int64_t> elements;
  for (const std::uint64_t bits : values.bits) {
    const auto number = whole_number(bits, *encoding);
    if (!number) return content;
    elements.push_back(*number);
  }
  elements.resize(*count, elements.empty() ? 0 : elements.back());
  content.elements = std::move(elements);
  return content;
}

}  // namespace tideline::io
