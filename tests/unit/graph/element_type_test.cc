#include "core/graph/element_type.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>

namespace tideline {
namespace {

std::string byte(int value) {
  return std::string(1, static_cast<char>(value));
}

}  // namespace

TEST_CASE("sizes that nobody can count are none") {
  CHECK(tensor_content_bytes(DataType::kFloat, {2, 3}) == 24);
  CHECK(tensor_content_bytes(DataType::kFloat, {}) == 4);
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK(tensor_content_bytes(DataType::kFloat, {most, most, 0}) == 0);
  CHECK(tensor_content_bytes(DataType::kFloat, {most, 2}) == std::nullopt);
  CHECK(tensor_content_bytes(DataType::kFloat, {0, most}) == 0);
  CHECK(tensor_content_bytes(DataType::kFloat, {-1}) == std::nullopt);
  CHECK(tensor_content_bytes(DataType::kString, {1}) == std::nullopt);
  CHECK(tensor_content_bytes(static_cast<DataType>(77), {1}) == std::nullopt);
}

TEST_CASE("small floats have the values that their formats say") {
  // Values of ml_dtypes 0.3: the smallest subnormal, one, the largest, the sign, and what is no
  // number.
  CHECK(element_number(DataType::kFloat8E4m3fn, byte(0x01)) == 0.001953125);
  CHECK(element_number(DataType::kFloat8E4m3fn, byte(0x38)) == 1.0);
  CHECK(element_number(DataType::kFloat8E4m3fn, byte(0x7e)) == 448.0);
  CHECK(element_number(DataType::kFloat8E4m3fn, byte(0xfe)) == -448.0);
  CHECK(std::isnan(*element_number(DataType::kFloat8E4m3fn, byte(0x7f))));
  CHECK(element_number(DataType::kFloat8E5m2, byte(0x01)) == 1.52587890625e-05);
  CHECK(element_number(DataType::kFloat8E5m2, byte(0x3c)) == 1.0);
  CHECK(element_number(DataType::kFloat8E5m2, byte(0x7b)) == 57344.0);
  CHECK(element_number(DataType::kFloat8E5m2, byte(0xfc)) ==
        -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(*element_number(DataType::kFloat8E5m2, byte(0x7d))));
  CHECK(element_number(DataType::kHalf, std::string("\x01\x00", 2)) == std::ldexp(1.0, -24));
  CHECK(element_number(DataType::kHalf, "\xff\x7b") == 65504.0);
}

TEST_CASE("every element type has a text") {
  CHECK(element_text(DataType::kQint8, byte(0xff)) == "-1");
  CHECK(element_text(DataType::kQuint8, byte(0xff)) == "255");
  CHECK(element_text(DataType::kInt4, byte(0xf8)) == "-8");
  CHECK(element_text(DataType::kBool, byte(1)) == "true");
  CHECK(element_text(DataType::kBfloat16, "\x80\x3f") == "1");
  CHECK(element_text(DataType::kComplex64, std::string("\0\0\x80\x3f\0\0\0\xc0", 8)) == "(1,-2)");
  CHECK(element_text(static_cast<DataType>(77), "\x01\x02") == "0x0201");
}

}  // namespace tideline
