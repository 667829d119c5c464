#include "core/io/tensor_elements.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/made_summaries.h"

namespace tideline::io {
namespace {

// A TensorProto of a type and of shape [n], and the fields of its values.
std::string tensor_of(char type, char n, std::string_view values) {
  std::string bytes{'\x08', type, '\x12', '\x04', '\x12', '\x02', '\x08', n};
  return bytes.append(values);
}

std::vector<double> numbers_of(const std::string& bytes) {
  const auto tensor = decode_elements(bytes, 1 << 20);
  REQUIRE(tensor);
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < tensor->count; ++i) {
    numbers.push_back(element_number(*tensor, i).value());
  }
  return numbers;
}

Code code_of(const std::string& bytes, std::uint64_t most_bytes = 1 << 20) {
  const auto tensor = decode_elements(bytes, most_bytes);
  REQUIRE_FALSE(tensor);
  return tensor.error().code;
}

}  // namespace

TEST_CASE("elements are listed, packed, or raw") {
  const std::string two = test::float_bytes(0.5F) + test::float_bytes(-2);
  CHECK(numbers_of(tensor_of(1, 2, test::bytes_field(5, two))) == std::vector{0.5, -2.0});
  CHECK(numbers_of(tensor_of(1, 2, "\x2d" + two.substr(0, 4) + "\x2d" + two.substr(4))) ==
        std::vector{0.5, -2.0});
  CHECK(numbers_of(tensor_of(1, 2, test::bytes_field(4, two))) == std::vector{0.5, -2.0});
  // int32, as varints of ten bytes for negative ones
  CHECK(numbers_of(tensor_of(
            3, 2, test::bytes_field(7, "\x05\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))) ==
        std::vector{5.0, -1.0});
}

TEST_CASE("values that are left out repeat the last one, or are zero") {
  CHECK(numbers_of(tensor_of(1, 3, test::bytes_field(5, test::float_bytes(7)))) ==
        std::vector{7.0, 7.0, 7.0});
  CHECK(numbers_of(tensor_of(9, 2, "")) == std::vector{0.0, 0.0});
}

TEST_CASE("floats of 16 bits are numbers, too") {
  // half_val: 1, the smallest, infinity; bfloat16: 1.5
  const auto halves =
      numbers_of(tensor_of(19, 3, test::bytes_field(13, "\x80\x78\x01\x80\xf8\x01")));
  CHECK(halves[0] == 1);
  CHECK(halves[1] == std::ldexp(1, -24));
  CHECK(std::isinf(halves[2]));
  CHECK(numbers_of(tensor_of(14, 1, test::bytes_field(13, "\xc0\x7f"))) == std::vector{1.5});
}

TEST_CASE("texts are views of the encoded bytes") {
  const std::string bytes = tensor_of(7, 2, test::bytes_field(8, "a") + test::bytes_field(8, "bc"));
  const auto tensor = decode_elements(bytes, 100);
  REQUIRE(tensor);
  CHECK(tensor->texts == std::vector<std::string_view>{"a", "bc"});
}

TEST_CASE("what does not fit the shape is refused, and so is more than is wanted") {
  const std::string two = test::float_bytes(1) + test::float_bytes(2);
  CHECK(code_of(tensor_of(1, 1, test::bytes_field(5, two))) == Code::kCorrupt);
  CHECK(code_of(tensor_of(1, 3, test::bytes_field(4, two))) == Code::kCorrupt);
  CHECK(code_of(tensor_of(7, 1, test::bytes_field(8, "a") + test::bytes_field(8, "b"))) ==
        Code::kCorrupt);
  CHECK(code_of(tensor_of(1, 100, ""), 100) == Code::kUnsupported);
  CHECK(code_of(tensor_of(20, 1, "")) == Code::kUnsupported);  // a resource
  // A product beyond 64 bits, and an unknown dim.
  const std::string dim = test::bytes_field(2, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f");
  CHECK(code_of("\x08\x01" + test::bytes_field(2, dim + dim + dim)) == Code::kUnsupported);
  const std::string unknown = test::bytes_field(2, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
  CHECK(code_of("\x08\x01" + test::bytes_field(2, unknown)) == Code::kCorrupt);
}

}  // namespace tideline::io
