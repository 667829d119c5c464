#include "core/io/npy.h"

#include <catch2/catch.hpp>

#include "core/graph/element_type.h"

namespace tideline::io {
namespace {

using Catch::Matchers::Contains;

std::string file(const std::string& dict, const std::string& content,
                 const std::string& version = std::string("\x01\x00", 2)) {
  std::string bytes = "\x93NUMPY" + version;
  const std::size_t width = version[0] == 1 ? 2 : 4;
  for (std::size_t i = 0; i < width; ++i) {
    bytes += static_cast<char>((dict.size() >> (8 * i)) & 0xffU);
  }
  return bytes + dict + content;
}

Result<NpyArray> read(const std::string& bytes) {
  return read_npy("a.npy", own_bytes(bytes));
}

std::string message(const std::string& bytes) {
  const auto array = read(bytes);
  REQUIRE_FALSE(array);
  CHECK_THAT(array.error().message, Contains("a.npy"));
  return array.error().message;
}

TEST_CASE("an array has the type, shape and elements of the file", "[runtime][npy]") {
  const auto array =
      read(file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }      \n", "abcdefgh"));
  REQUIRE(array);
  CHECK(array->type == DataType::kFloat);
  CHECK(array->dims == std::vector<std::int64_t>{2, 1});
  CHECK(array->content == "abcdefgh");
}

TEST_CASE("entries may come in any order, quotes and formats", "[runtime][npy]") {
  const std::string dict = "{\"shape\":(3,),\"fortran_order\":False,\"descr\":\"|u1\"}\n";
  for (const char version : {'\1', '\2', '\3'}) {
    const auto array = read(file(dict, "xyz", std::string{version, '\0'}));
    REQUIRE(array);
    CHECK(array->type == DataType::kUint8);
    CHECK(array->dims == std::vector<std::int64_t>{3});
  }
}

TEST_CASE("a head that is written is read back, for all types", "[runtime][npy]") {
  for (const char* name :
       {"float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16",
        "uint32", "uint64", "bool", "complex64", "complex128"}) {
    for (const std::vector<std::int64_t>& dims :
         {std::vector<std::int64_t>{}, {1}, {0, 5}, {2, 3, 4}}) {
      const DataType type = *parse_element_type(name);
      const auto head = npy_head(type, dims);
      REQUIRE(head);
      CHECK(head->size() % 64 == 0);
      const auto bytes = static_cast<std::size_t>(*tensor_content_bytes(type, dims));
      const auto array = read(*head + std::string(bytes, '\0'));
      REQUIRE(array);
      CHECK(array->type == type);
      CHECK(array->dims == dims);
    }
  }
}

TEST_CASE("NumPy lacks bfloat16", "[runtime][npy]") {
  CHECK(npy_head(DataType::kBfloat16, {1}).error().code == Code::kUnsupported);
}

TEST_CASE("what is cut off, too long or no such file is refused", "[runtime][npy]") {
  const std::string dict = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }\n";
  CHECK_THAT(message(file(dict, "1234567")), Contains("has 8 bytes of elements, the file holds 7"));
  CHECK_THAT(message(file(dict, "123456789")), Contains("the file holds 9"));
  CHECK_THAT(message(""), Contains("not an .npy file"));
  CHECK_THAT(message("PK\x03\x04 a zip"), Contains("not an .npy file"));
  const std::string good = file(dict, "12345678");
  for (std::size_t size = 0; size < good.size(); ++size) CHECK_FALSE(read(good.substr(0, size)));
}

TEST_CASE("what we do not read is named", "[runtime][npy]") {
  const auto with = [](const std::string& descr, const std::string& order) {
    return file("{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': (1,), }\n", "a");
  };
  CHECK_THAT(message(with("'>f4'", "False")), Contains("big endian"));
  CHECK_THAT(message(with("'<U5'", "False")), Contains("element type '<U5'"));
  CHECK_THAT(message(with("'|O'", "False")), Contains("element type '|O'"));
  CHECK_THAT(message(with("[('a', '<f4')]", "False")), Contains("records"));
  CHECK_THAT(message(with("'|u1'", "True")), Contains("column-major"));
  CHECK_THAT(message(file("{}", "", std::string("\x09\x00", 2))), Contains("format 9.0"));
}

TEST_CASE("impossible shapes are refused without asking for memory", "[runtime][npy]") {
  const auto with = [](const std::string& shape) {
    return file("{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }\n", "");
  };
  CHECK_THAT(message(with("(9223372036854775807, 2)")), Contains("64 bits"));
  CHECK_THAT(message(with("(99999999999999999999,)")), Contains("a dimension"));
  CHECK_THAT(message(with("(-1,)")), Contains("a dimension"));
  CHECK_THAT(message(with("(1,,)")), Contains("a dimension"));
  CHECK_THAT(message(with("(1")), Contains("expected"));
  CHECK_THAT(message(file("{'descr': '<f8', 'shape': (1,)}", "12345678")), Contains("lacks one"));
  CHECK_THAT(message(file("{'x': 1}", "")), Contains("unknown entry 'x'"));
  CHECK(read(with("(0, 9223372036854775807)")));
}

}  // namespace
}  // namespace tideline::io
