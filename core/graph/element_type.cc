// Tested by tests/unit/graph/element_type_test.cc and tests/unit/runtime/tensor_value_test.cc.
#include "core/graph/element_type.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "core/base/bytes.h"
#include "core/base/check.h"

namespace tideline {
namespace {

struct ElementType {
  DataType type;
  std::string_view name;
  ElementFamily family;
  bool is_plain;  // NumPy has it too, or it is bfloat16
};

constexpr std::array kElementTypes = {
    ElementType{DataType::kFloat, "float32", ElementFamily::kFloat, true},
    ElementType{DataType::kDouble, "float64", ElementFamily::kFloat, true},
    ElementType{DataType::kHalf, "float16", ElementFamily::kFloat, true},
    ElementType{DataType::kBfloat16, "bfloat16", ElementFamily::kFloat, true},
    ElementType{DataType::kInt8, "int8", ElementFamily::kSigned, true},
    ElementType{DataType::kInt16, "int16", ElementFamily::kSigned, true},
    ElementType{DataType::kInt32, "int32", ElementFamily::kSigned, true},
    ElementType{DataType::kInt64, "int64", ElementFamily::kSigned, true},
    ElementType{DataType::kUint8, "uint8", ElementFamily::kUnsigned, true},
    ElementType{DataType::kUint16, "uint16", ElementFamily::kUnsigned, true},
    ElementType{DataType::kUint32, "uint32", ElementFamily::kUnsigned, true},
    ElementType{DataType::kUint64, "uint64", ElementFamily::kUnsigned, true},
    ElementType{DataType::kBool, "bool", ElementFamily::kBool, true},
    ElementType{DataType::kComplex64, "complex64", ElementFamily::kComplex, true},
    ElementType{DataType::kComplex128, "complex128", ElementFamily::kComplex, true},
    ElementType{DataType::kFloat8E5m2, "float8_e5m2", ElementFamily::kFloat, false},
    ElementType{DataType::kFloat8E4m3fn, "float8_e4m3fn", ElementFamily::kFloat, false},
    ElementType{DataType::kQint8, "qint8", ElementFamily::kSigned, false},
    ElementType{DataType::kQint16, "qint16", ElementFamily::kSigned, false},
    ElementType{DataType::kQint32, "qint32", ElementFamily::kSigned, false},
    ElementType{DataType::kQuint8, "quint8", ElementFamily::kUnsigned, false},
    ElementType{DataType::kQuint16, "quint16", ElementFamily::kUnsigned, false},
    ElementType{DataType::kInt4, "int4", ElementFamily::kSigned, false},
    ElementType{DataType::kUint4, "uint4", ElementFamily::kUnsigned, false},
};

const ElementType* element_type(DataType type) {
  for (const ElementType& known : kElementTypes) {
    if (known.type == base_type(type)) return &known;
  }
  return nullptr;
}

// A float of one sign bit, `exponent_bits` and `fraction_bits`, with infinities as in IEEE 754.
double small_float(std::uint64_t bits, unsigned exponent_bits, unsigned fraction_bits) {
  const std::uint64_t most = (std::uint64_t{1} << exponent_bits) - 1;
  const std::uint64_t exponent = (bits >> fraction_bits) & most;
  const std::uint64_t unit = std::uint64_t{1} << fraction_bits;
  const std::uint64_t fraction = bits & (unit - 1);
  const double sign = (bits >> (exponent_bits + fraction_bits) & 1U) != 0 ? -1.0 : 1.0;
  if (exponent == most) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  const int bias = static_cast<int>(most >> 1U) + static_cast<int>(fraction_bits);
  if (exponent == 0) return sign * std::ldexp(static_cast<double>(fraction), 1 - bias);
  return sign * std::ldexp(static_cast<double>(unit + fraction), static_cast<int>(exponent) - bias);
}

// No infinities: the largest exponent is an ordinary one, and only all ones are NaN.
double float8_e4m3fn(std::uint64_t bits) {
  if ((bits & 0x7fU) == 0x7fU) return std::numeric_limits<double>::quiet_NaN();
  const double sign = (bits & 0x80U) != 0 ? -1.0 : 1.0;
  const auto exponent = static_cast<int>(bits >> 3U & 0xfU);
  const auto fraction = static_cast<double>(bits & 7U);
  if (exponent == 0) return sign * std::ldexp(fraction, -9);
  return sign * std::ldexp(8 + fraction, exponent - 10);
}

std::string float_text(DataType type, std::uint64_t bits) {
  const double number = float_value(type, bits);
  // As NumPy prints it, whatever the sign bit of a NaN.
  if (std::isnan(number)) return "nan";
  if (base_type(type) == DataType::kDouble) return fmt::format("{}", number);
  return fmt::format("{}", static_cast<float>(number));
}

}  // namespace

ElementFamily element_family(DataType type) {
  const ElementType* known = element_type(type);
  return known == nullptr ? ElementFamily::kNone : known->family;
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
    if (known.is_plain && known.name == name) return known.type;
  }
  return std::nullopt;
}

std::string describe(DataType type, const Shape& shape) {
  return fmt::format("{} {}", element_type_name(type), to_string(shape));
}

std::int64_t sign_extended(std::uint64_t bits, std::size_t size) {
  TIDELINE_CHECK(size >= 1 && size <= sizeof bits);
  const auto shift = static_cast<unsigned>(64 - 8 * size);
  return static_cast<std::int64_t>(bits << shift) >> shift;
}

double float_value(DataType type, std::uint64_t bits) {
  switch (base_type(type)) {
    case DataType::kDouble: return std::bit_cast<double>(bits);
    case DataType::kHalf: return small_float(bits, 5, 10);
    case DataType::kFloat8E5m2: return small_float(bits, 5, 2);
    case DataType::kFloat8E4m3fn: return float8_e4m3fn(bits);
    case DataType::kBfloat16: return std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16U));
    default: return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  }
}

std::string element_text(DataType type, std::string_view element) {
  switch (element_family(type)) {
    case ElementFamily::kNone: return element_bits(element);
    case ElementFamily::kFloat: return float_text(type, from_little_endian(element));
    case ElementFamily::kSigned:
      return std::to_string(sign_extended(from_little_endian(element), element.size()));
    case ElementFamily::kUnsigned: return std::to_string(from_little_endian(element));
    case ElementFamily::kBool: return from_little_endian(element) != 0 ? "true" : "false";
    case ElementFamily::kComplex: break;
  }
  const std::size_t half = element.size() / 2;
  const DataType part = half == 4 ? DataType::kFloat : DataType::kDouble;
  return fmt::format("({},{})", float_text(part, from_little_endian(element.substr(0, half))),
                     float_text(part, from_little_endian(element.substr(half))));
}

std::optional<double> element_number(DataType type, std::string_view element) {
  const ElementFamily family = element_family(type);
  if (family == ElementFamily::kNone || family == ElementFamily::kComplex) return std::nullopt;
  const std::uint64_t bits = from_little_endian(element);
  if (family == ElementFamily::kFloat) return float_value(type, bits);
  if (family == ElementFamily::kSigned) {
    return static_cast<double>(sign_extended(bits, element.size()));
  }
  return static_cast<double>(bits);
}

std::string element_bits(std::string_view element) {
  std::string digits = "0x";
  for (std::size_t i = element.size(); i-- > 0;) {
    digits += fmt::format("{:02x}", static_cast<unsigned char>(element[i]));
  }
  return digits;
}

}  // namespace tideline
