// Element types of tensors, numbered as in TensorFlow's public format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tideline {

/// An element type by its number in the format. Values above kReference are reference types
/// (the type of a v1 variable's output); unknown numbers are kept as they are.
enum class DataType : std::uint32_t {
  kInvalid = 0,
  kFloat = 1,
  kDouble = 2,
  kInt32 = 3,
  kUint8 = 4,
  kInt16 = 5,
  kInt8 = 6,
  kString = 7,
  kComplex64 = 8,
  kInt64 = 9,
  kBool = 10,
  kQint8 = 11,
  kQuint8 = 12,
  kQint32 = 13,
  kBfloat16 = 14,
  kQint16 = 15,
  kQuint16 = 16,
  kUint16 = 17,
  kComplex128 = 18,
  kHalf = 19,
  kResource = 20,
  kVariant = 21,
  kUint32 = 22,
  kUint64 = 23,
  kFloat8E5m2 = 24,
  kFloat8E4m3fn = 25,
  kInt4 = 29,
  kUint4 = 30,
};

inline constexpr std::uint32_t kReferenceOffset = 100;

[[nodiscard]] constexpr bool is_reference(DataType type) {
  return static_cast<std::uint32_t>(type) > kReferenceOffset;
}
/// The type without its reference mark.
[[nodiscard]] constexpr DataType base_type(DataType type) {
  return is_reference(type)
             ? static_cast<DataType>(static_cast<std::uint32_t>(type) - kReferenceOffset)
             : type;
}
[[nodiscard]] constexpr DataType reference_to(DataType type) {
  return static_cast<DataType>(static_cast<std::uint32_t>(base_type(type)) + kReferenceOffset);
}

/// Bytes of one element; references count like their base type. 0 for string, resource and variant,
/// whose elements are stored elsewhere; nullopt for an unknown type number.
[[nodiscard]] std::optional<std::int64_t> element_bytes(DataType type);

/// "DT_FLOAT", "DT_FLOAT_REF"; "DT_77" for an unknown number.
[[nodiscard]] std::string data_type_name(DataType type);
/// Inverse of data_type_name, also for the short names of the signature table ("float").
[[nodiscard]] std::optional<DataType> parse_data_type(std::string_view name);

}  // namespace tideline
