#include "core/runtime/tensor_value.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "core/base/bytes.h"
#include "core/base/check.h"

namespace tideline::runtime {
namespace {

enum class Family : std::uint8_t { kFloat, kSigned, kUnsigned, kBool, kComplex };

struct ElementType {
  DataType type;
  std::string_view name;
  Family family;
};

constexpr std::array kElementTypes = {
    ElementType{DataType::kFloat, "float32", Family::kFloat},
    ElementType{DataType::kDouble, "float64", Family::kFloat},
    ElementType{DataType::kHalf, "float16", Family::kFloat},
    ElementType{DataType::kBfloat16, "bfloat16", Family::kFloat},
    ElementType{DataType::kInt8, "int8", Family::kSigned},
    ElementType{DataType::kInt16, "int16", Family::kSigned},
    ElementType{DataType::kInt32, "int32", Family::kSigned},
    ElementType{DataType::kInt64, "int64", Family::kSigned},
    ElementType{DataType::kUint8, "uint8", Family::kUnsigned},
    ElementType{DataType::kUint16, "uint16", Family::kUnsigned},
    ElementType{DataType::kUint32, "uint32", Family::kUnsigned},
    ElementType{DataType::kUint64, "uint64", Family::kUnsigned},
    ElementType{DataType::kBool, "bool", Family::kBool},
    ElementType{DataType::kComplex64, "complex64", Family::kComplex},
    ElementType{DataType::kComplex128, "complex128", Family::kComplex},
};

const ElementType* element_type(DataType type) {
  for (const ElementType& known : kElementTypes) {
    if (known.type == base_type(type)) return &known;
  }
  return nullptr;
}

std::size_t element_size(const TensorValue& value) {
  return static_cast<std::size_t>(element_bytes(value.type).value_or(0));
}

// The bytes of an element as a number; only the low 8 bytes of a complex one.
std::uint64_t raw_bits(const char* bytes, std::size_t size) {
  return from_little_endian({bytes, std::min(size, sizeof(std::uint64_t))});
}

std::uint64_t raw_element(const TensorValue& value, std::int64_t index) {
  const std::size_t size = element_size(value);
  return raw_bits(value.content.data() + static_cast<std::size_t>(index) * size, size);
}

std::int64_t sign_extended(std::uint64_t bits, std::size_t size) {
  TIDELINE_CHECK(size >= 1 && size <= sizeof bits);
  const auto shift = static_cast<unsigned>(64 - 8 * size);
  return static_cast<std::int64_t>(bits << shift) >> shift;
}

double half_to_double(std::uint64_t bits) {
  const auto exponent = static_cast<int>((bits >> 10U) & 0x1fU);
  const auto fraction = static_cast<double>(bits & 0x3ffU);
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  if (exponent == 0x1f) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

double float_element(DataType type, std::uint64_t bits) {
  switch (base_type(type)) {
    case DataType::kDouble: return std::bit_cast<double>(bits);
    case DataType::kHalf: return half_to_double(bits);
    case DataType::kBfloat16: return std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16U));
    default: return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  }
}

std::string float_text(DataType type, std::uint64_t bits) {
  const double number = float_element(type, bits);
  // As NumPy prints it, whatever the sign bit of a NaN.
  if (std::isnan(number)) return "nan";
  if (base_type(type) == DataType::kDouble) return fmt::format("{}", number);
  return fmt::format("{}", static_cast<float>(number));
}

// Floating-point numbers as integers in the same order; both zeros are 0.
std::int64_t ordered(std::uint64_t bits, std::size_t size) {
  TIDELINE_CHECK(size >= 1 && size <= sizeof bits);
  const std::int64_t wide = sign_extended(bits, size);
  if (wide >= 0) return wide;
  const auto magnitude = bits & ~(std::uint64_t{1} << (8 * size - 1));
  return -static_cast<std::int64_t>(magnitude);
}

std::uint64_t distance(std::int64_t a, std::int64_t b) {
  const auto low = static_cast<std::uint64_t>(std::min(a, b));
  return static_cast<std::uint64_t>(std::max(a, b)) - low;
}

}  // namespace

std::int64_t TensorValue::element_count() const {
  const auto size = static_cast<std::int64_t>(element_size(*this));
  return size == 0 ? 0 : static_cast<std::int64_t>(content.size()) / size;
}

std::optional<Bytes> tensor_content_bytes(DataType type, const std::vector<std::int64_t>& dims) {
  const auto size = element_bytes(type);
  if (!size || *size == 0) return std::nullopt;
  bool is_empty = false;
  for (const std::int64_t dim : dims) {
    if (dim < 0) return std::nullopt;
    is_empty = is_empty || dim == 0;
  }
  if (is_empty) return 0;
  std::int64_t bytes = *size;
  for (const std::int64_t dim : dims) {
    const auto product = checked_multiply(bytes, dim);
    if (!product) return std::nullopt;
    bytes = *product;
  }
  return bytes;
}

std::string element_type_name(DataType type) {
  const ElementType* known = element_type(type);
  if (known != nullptr) return std::string(known->name);
  std::string name = data_type_name(base_type(type)).substr(3);
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return name;
}

std::optional<DataType> parse_element_type(std::string_view name) {
  for (const ElementType& known : kElementTypes) {
    if (known.name == name) return known.type;
  }
  return std::nullopt;
}

std::string describe(DataType type, const Shape& shape) {
  return fmt::format("{} {}", element_type_name(type), to_string(shape));
}

std::string describe(const TensorValue& value) {
  return describe(value.type, Shape::of(value.dims));
}

std::string element_text(const TensorValue& value, std::int64_t index) {
  const ElementType* known = element_type(value.type);
  if (known == nullptr) return element_bits(value, index);
  const std::uint64_t bits = raw_element(value, index);
  const std::size_t size = element_size(value);
  switch (known->family) {
    case Family::kFloat: return float_text(value.type, bits);
    case Family::kSigned: return std::to_string(sign_extended(bits, size));
    case Family::kUnsigned: return std::to_string(bits);
    case Family::kBool: return bits != 0 ? "true" : "false";
    case Family::kComplex: break;
  }
  const std::size_t half = size / 2;
  const char* at = value.content.data() + static_cast<std::size_t>(index) * size;
  const DataType part = half == 4 ? DataType::kFloat : DataType::kDouble;
  return fmt::format("({},{})", float_text(part, raw_bits(at, half)),
                     float_text(part, raw_bits(at + half, half)));
}

std::optional<double> element_number(const TensorValue& value, std::int64_t index) {
  const ElementType* known = element_type(value.type);
  if (known == nullptr) return std::nullopt;
  const std::uint64_t bits = raw_element(value, index);
  switch (known->family) {
    case Family::kFloat: return float_element(value.type, bits);
    case Family::kSigned: return static_cast<double>(sign_extended(bits, element_size(value)));
    case Family::kUnsigned:
    case Family::kBool: return static_cast<double>(bits);
    case Family::kComplex: break;
  }
  return std::nullopt;
}

std::string element_bits(const TensorValue& value, std::int64_t index) {
  const std::size_t size = element_size(value);
  std::string digits = "0x";
  for (std::size_t i = size; i-- > 0;) {
    const char byte = value.content[static_cast<std::size_t>(index) * size + i];
    digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return digits;
}

std::optional<std::uint64_t> ulp_distance(const TensorValue& a, const TensorValue& b,
                                          std::int64_t index) {
  TIDELINE_CHECK(a.type == b.type);
  const ElementType* known = element_type(a.type);
  if (known == nullptr || known->family == Family::kComplex) return std::nullopt;
  const std::size_t size = element_size(a);
  const std::uint64_t left = raw_element(a, index);
  const std::uint64_t right = raw_element(b, index);
  switch (known->family) {
    case Family::kFloat:
      if (std::isnan(float_element(a.type, left)) || std::isnan(float_element(b.type, right))) {
        return std::nullopt;
      }
      return distance(ordered(left, size), ordered(right, size));
    case Family::kSigned: return distance(sign_extended(left, size), sign_extended(right, size));
    default: return left > right ? left - right : right - left;
  }
}

std::optional<std::int64_t> first_different_element(const TensorValue& a, const TensorValue& b) {
  TIDELINE_CHECK(a.type == b.type && a.dims == b.dims && a.content.size() == b.content.size());
  if (a.content == b.content) return std::nullopt;
  std::size_t at = 0;
  while (a.content[at] == b.content[at]) ++at;
  const std::size_t size = std::max<std::size_t>(element_size(a), 1);
  return static_cast<std::int64_t>(at / size);
}

}  // namespace tideline::runtime
