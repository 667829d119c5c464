#include "core/checkpoint/statistics.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "core/checkpoint/bundle_writer.h"
#include "core/checkpoint/compare.h"
#include "tests/unit/checkpoint/sample_checkpoints.h"

namespace tideline::checkpoint {
namespace {

template <typename T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Statistics of(DataType type, const std::string& bytes, std::int64_t count) {
  const test::TemporaryFolder folder;
  auto writer = BundleWriter::create(folder.file("m"), false);
  REQUIRE(writer);
  REQUIRE(writer->begin("t", type, {count}));
  REQUIRE(writer->append(bytes));
  REQUIRE(writer->end());
  REQUIRE(writer->commit());
  const Checkpoint checkpoint = opened(folder.file("m"));
  DataFiles files(checkpoint);
  Progress silent;
  const auto found = statistics_of(files, checkpoint.tensors[0], silent);
  REQUIRE(found);
  return *found;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("least, most and mean of floats leave NaN out, the mean infinities as well") {
  const Statistics found =
      of(DataType::kFloat, bytes_of<float>({kNan, -2, 0, 5, kInfinity, -0.0F}), 6);
  CHECK(found.elements == 6);
  CHECK(found.nans == 1);
  CHECK(found.infinities == 1);
  CHECK(found.zeros == 2);
  CHECK(to_text(*found.least) == "-2");
  CHECK(to_text(*found.most) == "inf");
  CHECK(found.mean == 0.75);
}

TEST_CASE("a mean does not drift over many elements") {
  // In float the sum would stop at 2^24.
  const Statistics found =
      of(DataType::kFloat, bytes_of(std::vector<float>(3000000, 0.1F)), 3000000);
  CHECK(found.mean == static_cast<double>(0.1F));
}

TEST_CASE("whole numbers of 64 bits are exact") {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  const Statistics with_sign =
      of(DataType::kInt64, bytes_of<std::int64_t>({kMost, -1, kMost - 1}), 3);
  CHECK(to_text(*with_sign.most) == "9223372036854775807");
  CHECK(to_text(*with_sign.least) == "-1");
  const Statistics without =
      of(DataType::kUint64, bytes_of<std::uint64_t>({~std::uint64_t{0}, 3}), 2);
  CHECK(to_text(*without.most) == "18446744073709551615");
}

TEST_CASE("small floats, booleans and complex numbers have statistics") {
  CHECK(to_text(*of(DataType::kBfloat16, std::string("\x80\x3f\x00\xc0", 4), 2).least) == "-2");
  CHECK(to_text(*of(DataType::kHalf, std::string("\x00\x3c\xff\x7b", 4), 2).most) == "65504");
  CHECK(of(DataType::kFloat8E4m3fn, "\x7f\x38", 2).nans == 1);
  CHECK(to_text(*of(DataType::kInt8, "\xff\x05", 2).least) == "-1");
  CHECK(of(DataType::kBool, std::string("\x01\x00\x01\x01", 4), 4).mean == 0.75);
  const Statistics complex =
      of(DataType::kComplex64, bytes_of<float>({1, kNan, 0, 0, kInfinity, 1}), 3);
  CHECK(complex.elements == 3);
  CHECK(complex.nans == 1);
  CHECK(complex.infinities == 1);
  CHECK(complex.zeros == 1);
  CHECK_FALSE(complex.least);
  const Statistics none = of(DataType::kFloat, "", 0);
  CHECK_FALSE(none.mean);
  CHECK_FALSE(none.least);
}

TEST_CASE("two checkpoints are compared tensor by tensor") {
  const test::TemporaryFolder folder;
  const auto make = [&](const std::string& name, float value, DataType type, std::int64_t rows,
                        const std::string& other) {
    auto writer = BundleWriter::create(folder.file(name), false);
    REQUIRE(writer);
    REQUIRE(writer->begin("same", DataType::kFloat, {2}));
    REQUIRE(writer->append(bytes_of<float>({kNan, 1})));
    REQUIRE(writer->end());
    REQUIRE(writer->begin("value", DataType::kFloat, {2}));
    REQUIRE(writer->append(bytes_of<float>({value, 1})));
    REQUIRE(writer->end());
    REQUIRE(writer->begin("type", type, {1}));
    REQUIRE(writer->append("abcd"));
    REQUIRE(writer->end());
    REQUIRE(writer->begin("shape", DataType::kUint8, {rows, 4 / rows}));
    REQUIRE(writer->append("abcd"));
    REQUIRE(writer->end());
    REQUIRE(writer->add_strings(other, {}, {"x"}));
    REQUIRE(writer->add_strings("words", {2}, {"x", name}));
    REQUIRE(writer->commit());
    return opened(folder.file(name));
  };
  const Checkpoint first = make("a", 3, DataType::kFloat, 1, "only_a");
  const Checkpoint second = make("b", 5.5F, DataType::kInt32, 2, "only_b");
  Progress silent;
  const auto found = compare(first, second, silent);
  REQUIRE(found);
  std::string said;
  for (const TensorDifference& each : *found) {
    said += each.name + " " + change_name(each.change) + "\n";
    if (each.name == "value") {
      CHECK(each.different == 1);
      CHECK(each.first_different == 0);
      CHECK(each.largest == 2.5);
    }
    if (each.name == "words") CHECK(each.first_different == 1);
  }
  CHECK(said ==
        "only_a only in the first\nonly_b only in the second\nsame equal\nshape shape\ntype type\n"
        "value values\nwords values\n");
}

}  // namespace tideline::checkpoint
