#include "core/runtime/feeds.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <set>

#include "core/base/output_file.h"
#include "tests/support/temporary_folder.h"

namespace tideline::runtime {
namespace {

using Catch::Matchers::Contains;

TensorValue value_of(const std::string& text, std::int64_t step = 0) {
  auto request = parse_feed(text);
  REQUIRE(request);
  const auto feed = Feed::open(*std::move(request));
  REQUIRE(feed);
  const auto value = feed->value(step);
  REQUIRE(value);
  return *value;
}

std::string refusal(const std::string& text) {
  const auto feed = parse_feed(text);
  REQUIRE_FALSE(feed);
  return feed.error().message;
}

TEST_CASE("a feed has a type, a shape, and perhaps a largest value", "[runtime][feeds]") {
  const auto feed = parse_feed("dropout/keep:0=float32:8x32:0.5");
  REQUIRE(feed);
  CHECK(feed->name == "dropout/keep:0");
  CHECK(feed->type == DataType::kFloat);
  CHECK(feed->dims == std::vector<std::int64_t>{8, 32});
  CHECK(feed->max == 0.5);
  CHECK(feed->path.empty());
  CHECK(parse_feed("x=bool:")->dims.empty());
  CHECK(parse_feed("x=int64:0x3:10")->dims == std::vector<std::int64_t>{0, 3});
}

TEST_CASE("everything else on the right side is the name of a file", "[runtime][feeds]") {
  CHECK(parse_feed("x=data.npy")->path == "data.npy");
  CHECK(parse_feed("x=float32")->path == "float32");
  CHECK(parse_feed("x=C:/data=1.npy")->path == "C:/data=1.npy");
}

TEST_CASE("a feed that cannot be meant is refused", "[runtime][feeds]") {
  CHECK_THAT(refusal("x"), Contains("expected NAME="));
  CHECK_THAT(refusal("=float32:3"), Contains("expected NAME="));
  CHECK_THAT(refusal("x="), Contains("expected NAME="));
  CHECK_THAT(refusal("x=float32:3x"), Contains("shape '3x'"));
  CHECK_THAT(refusal("x=float32:-1"), Contains("shape '-1'"));
  CHECK_THAT(refusal("x=float32:3:many"), Contains("MAX 'many'"));
  CHECK_THAT(refusal("x=float32:3:-1"), Contains("MAX '-1'"));
  CHECK_THAT(refusal("x=float32:3:inf"), Contains("MAX 'inf'"));
  CHECK_THAT(refusal("x=int8:3:200"), Contains("more than int8 holds"));
  CHECK_THAT(refusal("x=float64:99999999999x99999999999"), Contains("too large"));
  CHECK_THAT(refusal("x=complex64:3"), Contains("complex"));
}

TEST_CASE("floats are at least 0, below max, and differ", "[runtime][feeds]") {
  const TensorValue value = value_of("x=float32:1000:5");
  std::set<double> seen;
  double sum = 0;
  for (std::int64_t i = 0; i < 1000; ++i) {
    const double number = *element_number(value, i);
    CHECK((number >= 0 && number < 5));
    seen.insert(number);
    sum += number;
  }
  CHECK(seen.size() > 990);
  // The mean of 1000 such numbers has a standard deviation of 5 / sqrt(12 x 1000) = 0.05.
  CHECK(sum / 1000 == Approx(2.5).margin(0.2));
}

TEST_CASE("integers lie in 0..max-1 and reach both ends", "[runtime][feeds]") {
  for (const char* type : {"int8", "uint8", "int16", "int32", "int64", "uint64"}) {
    const TensorValue value = value_of("x=" + std::string(type) + ":1000:10");
    std::set<std::string> seen;
    for (std::int64_t i = 0; i < 1000; ++i) seen.insert(element_text(value, i));
    CHECK(seen.size() == 10);
    CHECK(*seen.begin() == "0");
    CHECK(*seen.rbegin() == "9");
  }
  const TensorValue zeros = value_of("x=int32:5");
  CHECK(zeros.content == std::string(20, '\0'));
}

TEST_CASE("a bool is true unless max is 0", "[runtime][feeds]") {
  CHECK(value_of("x=bool:").content == std::string(1, '\1'));
  CHECK(value_of("x=bool:2:0").content == std::string(2, '\0'));
}

TEST_CASE("the same name and step give the same values, others do not", "[runtime][feeds]") {
  const std::string first = value_of("x=float64:4", 3).content;
  CHECK(first == value_of("x=float64:4", 3).content);
  CHECK(first == value_of("x:0=float64:4", 3).content);
  CHECK(first != value_of("x=float64:4", 4).content);
  CHECK(first != value_of("y=float64:4", 3).content);
}

TEST_CASE("the generator does not change from version to version", "[runtime][feeds]") {
  const TensorValue value = value_of("x=float64:2");
  CHECK(element_bits(value, 0) == "0x3fd26584eaa8f63c");
}

TEST_CASE("narrow floats are rounded to nearest", "[runtime][feeds]") {
  const TensorValue wide = value_of("x=float64:2000:3");
  const TensorValue half = value_of("x=float16:2000:3");
  const TensorValue brain = value_of("x=bfloat16:2000:3");
  for (std::int64_t i = 0; i < 2000; ++i) {
    const double exact = *element_number(wide, i);
    // Half a unit of the last place: 11 and 8 significant bits.
    CHECK(std::abs(*element_number(half, i) - exact) <= exact / 2048);
    CHECK(std::abs(*element_number(brain, i) - exact) <= exact / 256);
  }
}

TEST_CASE("rows of a file are the values of the steps", "[runtime][feeds]") {
  const test::TemporaryFolder folder;
  std::string bytes = *io::npy_head(DataType::kInt16, {3, 2}) + "aabbccddeeff";
  REQUIRE(write_file(folder.file("x.npy"), bytes, false));
  const auto feed = Feed::open(*parse_feed("x=" + folder.file("x.npy")));
  REQUIRE(feed);
  CHECK(feed->steps() == 3);
  CHECK(feed->dims() == std::vector<std::int64_t>{2});
  CHECK(feed->value(1)->content == "ccdd");
  CHECK_THAT(feed->value(3).error().message, Contains("has values for 3 steps"));
}

TEST_CASE("a file without an axis for the steps is refused", "[runtime][feeds]") {
  const test::TemporaryFolder folder;
  REQUIRE(write_file(folder.file("x.npy"), *io::npy_head(DataType::kUint8, {}) + "a", false));
  CHECK_THAT(Feed::open(*parse_feed("x=" + folder.file("x.npy"))).error().message,
             Contains("first axis"));
}

}  // namespace
}  // namespace tideline::runtime
