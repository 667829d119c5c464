#include "core/runtime/tensor_value.h"

#include <algorithm>
#include <cmath>

#include "core/base/bytes.h"
#include "core/base/check.h"

namespace tideline::runtime {
namespace {

std::size_t element_size(const TensorValue& value) {
  return static_cast<std::size_t>(element_bytes(value.type).value_or(0));
}

// Precondition: the element is in `value`.
std::string_view element_at(const TensorValue& value, std::int64_t index) {
  const std::size_t size = element_size(value);
  return std::string_view(value.content).substr(static_cast<std::size_t>(index) * size, size);
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

std::string describe(const TensorValue& value) {
  return describe(value.type, Shape::of(value.dims));
}

std::string element_text(const TensorValue& value, std::int64_t index) {
  return tideline::element_text(value.type, element_at(value, index));
}

std::optional<double> element_number(const TensorValue& value, std::int64_t index) {
  return tideline::element_number(value.type, element_at(value, index));
}

std::string element_bits(const TensorValue& value, std::int64_t index) {
  return tideline::element_bits(element_at(value, index));
}

std::optional<std::uint64_t> ulp_distance(const TensorValue& a, const TensorValue& b,
                                          std::int64_t index) {
  TIDELINE_CHECK(a.type == b.type);
  const ElementFamily family = element_family(a.type);
  if (family == ElementFamily::kNone || family == ElementFamily::kComplex) return std::nullopt;
  const std::size_t size = element_size(a);
  const std::uint64_t left = from_little_endian(element_at(a, index));
  const std::uint64_t right = from_little_endian(element_at(b, index));
  switch (family) {
    case ElementFamily::kFloat:
      if (std::isnan(float_value(a.type, left)) || std::isnan(float_value(b.type, right))) {
        return std::nullopt;
      }
      return distance(ordered(left, size), ordered(right, size));
    case ElementFamily::kSigned:
      return distance(sign_extended(left, size), sign_extended(right, size));
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
