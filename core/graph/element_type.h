// Elements of tensors as values: names of their types, sizes of whole tensors, single elements as
// text and as numbers. Elements are little-endian, as in files and in TensorFlow's memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/graph/dtype.h"
#include "core/graph/shape.h"

namespace tideline {

/// What kind of number an element is. kNone: string, resource, variant and unknown types.
enum class ElementFamily : std::uint8_t { kNone, kFloat, kSigned, kUnsigned, kBool, kComplex };

[[nodiscard]] ElementFamily element_family(DataType type);

/// Bytes of all elements; nullopt for a negative dim, a type without a size, or on overflow. int4
/// and uint4 take one byte each, as in TensorFlow's memory.
[[nodiscard]] std::optional<Bytes> tensor_content_bytes(DataType type,
                                                        const std::vector<std::int64_t>& dims);

/// The name of an element type in NumPy and in TensorFlow's Python: "float32", "bool", "bfloat16".
[[nodiscard]] std::string element_type_name(DataType type);
/// Inverse of element_type_name, for the types that NumPy has too and for bfloat16.
[[nodiscard]] std::optional<DataType> parse_element_type(std::string_view name);

/// "float32 [8,32]".
[[nodiscard]] std::string describe(DataType type, const Shape& shape);

/// The element as text, with enough digits to parse the same value again; its bits if the type is
/// no number. Precondition of all three: `element` has element_bytes(type) bytes.
[[nodiscard]] std::string element_text(DataType type, std::string_view element);
/// The element as a number; nullopt for complex and unknown types.
[[nodiscard]] std::optional<double> element_number(DataType type, std::string_view element);
/// Its bits, most significant first, as hexadecimal digits: "0x40135d8e".
[[nodiscard]] std::string element_bits(std::string_view element);

/// A whole number of `size` bytes, at most 8, with its sign.
[[nodiscard]] std::int64_t sign_extended(std::uint64_t bits, std::size_t size);
/// The value of a floating-point element. Precondition: `type` is of the family kFloat.
[[nodiscard]] double float_value(DataType type, std::uint64_t bits);

}  // namespace tideline
