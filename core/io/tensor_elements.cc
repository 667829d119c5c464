// Tested by unit/io/tensor_elements_test.cc.
#include "core/io/tensor_elements.h"

#include "core/graph/element_type.h"
#include "core/graph/shape.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"
#include "core/io/wire_tensor.h"

namespace tideline::io {
namespace {

// Where the elements of a type are listed. A complex number is two listed numbers.
struct ElementListing {
  std::uint32_t field = 0;
  std::size_t number_bytes = 0;  // of a number in memory
  bool is_varint = false;
};

std::optional<ElementListing> listing_of(DataType type) {
  switch (type) {
    case DataType::kFloat: return ElementListing{tensor_proto::kFloats, 4, false};
    case DataType::kDouble: return ElementListing{tensor_proto::kDoubles, 8, false};
    case DataType::kComplex64: return ElementListing{tensor_proto::kComplex64s, 4, false};
    case DataType::kComplex128: return ElementListing{tensor_proto::kComplex128s, 8, false};
    case DataType::kHalf:
    case DataType::kBfloat16: return ElementListing{tensor_proto::kHalfs, 2, true};
    case DataType::kInt32:
    case DataType::kQint32: return ElementListing{tensor_proto::kInts, 4, true};
    case DataType::kInt16:
    case DataType::kUint16:
    case DataType::kQint16:
    case DataType::kQuint16: return ElementListing{tensor_proto::kInts, 2, true};
    case DataType::kInt8:
    case DataType::kUint8:
    case DataType::kQint8:
    case DataType::kQuint8: return ElementListing{tensor_proto::kInts, 1, true};
    case DataType::kInt64: return ElementListing{tensor_proto::kInt64s, 8, true};
    case DataType::kUint32: return ElementListing{tensor_proto::kUint32s, 4, true};
    case DataType::kUint64: return ElementListing{tensor_proto::kUint64s, 8, true};
    case DataType::kBool: return ElementListing{tensor_proto::kBools, 1, true};
    default: return std::nullopt;
  }
}

tl::unexpected<Error> too_large(const Shape& shape, std::uint64_t most_bytes) {
  return fail(Code::kUnsupported, "tensor: shape {} has more than {} bytes of elements",
              to_string(shape), most_bytes);
}

Result<std::int64_t> count_elements(const Shape& shape, std::uint64_t element_size,
                                    std::uint64_t most_bytes) {
  std::uint64_t count = 1;
  bool is_huge = false;
  for (const std::int64_t dim : shape.dims) {
    const auto size = static_cast<std::uint64_t>(dim);
    if (size == 0) return 0;
    is_huge = is_huge || size > most_bytes || count > most_bytes / size;
    if (!is_huge) count *= size;
  }
  if (is_huge || count > most_bytes / element_size) return too_large(shape, most_bytes);
  return static_cast<std::int64_t>(count);
}

void append_number(std::string& out, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8U * i) & 0xffU);
}

Status read_texts(std::string_view bytes, TensorElements& tensor) {
  FieldReader reader(bytes);
  Field field;
  const auto count = static_cast<std::size_t>(tensor.count);
  while (reader.next(field)) {
    if (!field.is_bytes(tensor_proto::kStrings)) continue;
    if (tensor.texts.size() == count) {
      return fail(Code::kCorrupt, "tensor: more than its {} texts", count);
    }
    tensor.texts.push_back(field.bytes);
  }
  tensor.texts.resize(count, tensor.texts.empty() ? std::string_view() : tensor.texts.back());
  return {};
}

Status read_numbers(std::string_view bytes, const ElementListing& listing, std::size_t element_size,
                    TensorElements& tensor) {
  const std::size_t wanted = static_cast<std::size_t>(tensor.count) * element_size;
  std::string raw;
  bool has_raw = false;
  FieldReader reader(bytes);
  Field field;
  while (reader.next(field)) {
    if (field.is_bytes(tensor_proto::kContent)) {
      raw = field.bytes;
      has_raw = !field.bytes.empty();
    }
    if (field.number != listing.field || tensor.content.size() > wanted) continue;
    if (!listing.is_varint && field.type == WireType::kBytes) {
      if (field.bytes.size() > wanted) return fail(Code::kCorrupt, "tensor: too many values");
      tensor.content += field.bytes;
    } else {
      each_number(field, [&](std::uint64_t number) {
        if (tensor.content.size() > wanted) return;
        append_number(tensor.content, number, listing.number_bytes);
      });
    }
  }
  if (has_raw) {
    tensor.content = std::move(raw);
    if (tensor.content.size() == wanted) return {};
    return fail(Code::kCorrupt, "tensor: {} bytes of content; expected {}", tensor.content.size(),
                wanted);
  }
  if (tensor.content.size() > wanted || tensor.content.size() % element_size != 0) {
    return fail(Code::kCorrupt, "tensor: values that are not {} elements", tensor.count);
  }
  if (tensor.content.empty()) {
    tensor.content.resize(wanted);
    return {};
  }
  tensor.content.reserve(wanted);
  const std::string last = tensor.content.substr(tensor.content.size() - element_size);
  while (tensor.content.size() < wanted) tensor.content += last;
  return {};
}

}  // namespace

Result<TensorElements> decode_elements(std::string_view bytes, std::uint64_t most_bytes) {
  TensorElements tensor;
  Shape shape = Shape::of({});
  FieldReader head(bytes);
  Field field;
  while (head.next(field)) {
    if (field.is_varint(tensor_proto::kType)) tensor.type = static_cast<DataType>(field.varint);
    if (field.is_bytes(tensor_proto::kShape)) {
      TIDELINE_TRY(shape, decode_shape(field.bytes));
    }
  }
  if (!shape.fully_known()) {
    return fail(Code::kCorrupt, "tensor: shape {}; expected all dims of a value", to_string(shape));
  }
  tensor.dims = shape.dims;
  if (tensor.type == DataType::kString) {
    TIDELINE_TRY(tensor.count, count_elements(shape, sizeof(std::string_view), most_bytes));
    TIDELINE_RETURN_IF_ERROR(read_texts(bytes, tensor));
    return tensor;
  }
  const auto listing = listing_of(tensor.type);
  const auto element_size = element_bytes(tensor.type);
  if (!listing || !element_size || *element_size <= 0) {
    return fail(Code::kUnsupported, "tensor: elements of type {}", data_type_name(tensor.type));
  }
  const auto size = static_cast<std::size_t>(*element_size);
  TIDELINE_TRY(tensor.count, count_elements(shape, size, most_bytes));
  TIDELINE_RETURN_IF_ERROR(read_numbers(bytes, *listing, size, tensor));
  return tensor;
}

std::optional<double> element_number(const TensorElements& tensor, std::int64_t index) {
  const auto size = static_cast<std::size_t>(element_bytes(tensor.type).value_or(0));
  if (size == 0 || tensor.content.empty()) return std::nullopt;
  return tideline::element_number(
      tensor.type,
      std::string_view(tensor.content).substr(static_cast<std::size_t>(index) * size, size));
}

bool decode_number(std::string_view bytes, double& number) {
  const auto tensor = decode_elements(bytes, 16);
  if (!tensor || tensor->count != 1) return false;
  const auto found = element_number(*tensor, 0);
  if (found) number = *found;
  return found.has_value();
}

}  // namespace tideline::io
