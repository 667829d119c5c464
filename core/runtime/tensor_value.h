// Values of tensors, independent of a graph: fed, fetched or compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/graph/element_type.h"

namespace tideline::runtime {

/// Elements in row-major order, little-endian. Invariant: `content` has
/// tensor_content_bytes(type, dims) bytes. Strings, resources and variants are not supported.
struct TensorValue {
  DataType type = DataType::kInvalid;
  std::vector<std::int64_t> dims;
  std::string content;

  [[nodiscard]] std::int64_t element_count() const;
};

/// "float32 [8,32]".
[[nodiscard]] std::string describe(const TensorValue& value);

/// Element `index` as text, with enough digits to parse the same value again.
/// Precondition: 0 <= index < element_count().
[[nodiscard]] std::string element_text(const TensorValue& value, std::int64_t index);
/// The element as a number, for plots; nullopt for complex and unknown types.
[[nodiscard]] std::optional<double> element_number(const TensorValue& value, std::int64_t index);
/// The element's bits, most significant first, as hexadecimal digits: "0x40135d8e".
[[nodiscard]] std::string element_bits(const TensorValue& value, std::int64_t index);

/// The distance of two elements in units in the last place; for integers the difference. Nullopt if
/// one is NaN, and for complex numbers. Saturates on overflow.
/// Precondition: equal types.
[[nodiscard]] std::optional<std::uint64_t> ulp_distance(const TensorValue& a, const TensorValue& b,
                                                        std::int64_t index);

/// The first element whose bits differ; nullopt when all are equal. Cost: O(bytes).
/// Precondition: equal types and dims.
[[nodiscard]] std::optional<std::int64_t> first_different_element(const TensorValue& a,
                                                                  const TensorValue& b);

}  // namespace tideline::runtime
