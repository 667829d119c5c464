#include "core/runtime/tensor_value.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <limits>

namespace tideline::runtime {
namespace {

template <typename Element>
TensorValue value(DataType type, const std::vector<Element>& elements) {
  TensorValue result{type, {static_cast<std::int64_t>(elements.size())}, {}};
  result.content.resize(elements.size() * sizeof(Element));
  if (!elements.empty()) {
    std::memcpy(result.content.data(), elements.data(), result.content.size());
  }
  return result;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST_CASE("elements are shown with the digits that it takes", "[runtime][values]") {
  const TensorValue floats = value<float>(DataType::kFloat, {0.1F, 2.3025851F, -0.0F, kNan});
  CHECK(element_text(floats, 0) == "0.1");
  CHECK(element_text(floats, 1) == "2.3025851");
  CHECK(element_text(floats, 2) == "-0");
  CHECK(element_text(floats, 3) == "nan");
  CHECK(element_bits(floats, 1) == "0x40135d8e");
  CHECK(element_text(value<double>(DataType::kDouble, {0.1}), 0) == "0.1");
  CHECK(element_text(value<std::int8_t>(DataType::kInt8, {-3}), 0) == "-3");
  CHECK(element_text(value<std::uint8_t>(DataType::kUint8, {253}), 0) == "253");
  CHECK(element_text(value<std::uint8_t>(DataType::kBool, {1}), 0) == "true");
  CHECK(element_text(value<float>(DataType::kComplex64, {1.5F, -2.0F}), 0) == "(1.5,-2)");
  // 1, the largest, the smallest, infinity
  const TensorValue halfs = value<std::uint16_t>(DataType::kHalf, {0x3c00, 0x7bff, 0x0001, 0xfc00});
  CHECK(element_text(halfs, 0) == "1");
  CHECK(element_text(halfs, 1) == "65504");
  CHECK(*element_number(halfs, 2) == 0x1p-24);
  CHECK(element_text(halfs, 3) == "-inf");
  CHECK(element_text(value<std::uint16_t>(DataType::kBfloat16, {0x3fc0}), 0) == "1.5");
}

TEST_CASE("distances count the numbers in between", "[runtime][values]") {
  const auto distance = [](float a, float b) {
    return ulp_distance(value<float>(DataType::kFloat, {a}), value<float>(DataType::kFloat, {b}),
                        0);
  };
  CHECK(distance(1.0F, 1.0F) == 0U);
  CHECK(distance(1.0F, std::nextafter(1.0F, 2.0F)) == 1U);
  CHECK(distance(0.0F, -0.0F) == 0U);
  // The smallest number on each side of zero.
  CHECK(distance(0x1p-149F, -0x1p-149F) == 2U);
  CHECK_FALSE(distance(kNan, 1.0F));
  CHECK(ulp_distance(value<std::int64_t>(DataType::kInt64, {std::numeric_limits<int64_t>::min()}),
                     value<std::int64_t>(DataType::kInt64, {std::numeric_limits<int64_t>::max()}),
                     0) == std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("the first element with other bits is found, NaN and zeros by their bits",
          "[runtime][values]") {
  const TensorValue a = value<float>(DataType::kFloat, {kNan, 1, 0.0F, 4});
  CHECK_FALSE(first_different_element(a, a));
  CHECK(first_different_element(a, value<float>(DataType::kFloat, {kNan, 1, -0.0F, 5})) == 2);
}

}  // namespace
}  // namespace tideline::runtime
