#include "core/checkpoint/histogram.h"

#include <cstring>
#include <limits>
#include <numeric>

#include "core/checkpoint/bundle_writer.h"
#include "tests/unit/checkpoint/sample_checkpoints.h"

namespace tideline::checkpoint {
namespace {

using Counts = std::vector<std::int64_t>;

template <typename T>
Result<Histogram> of(DataType type, const std::vector<T>& values, std::size_t bins) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  const test::TemporaryFolder folder;
  auto writer = BundleWriter::create(folder.file("m"), false);
  REQUIRE(writer);
  const auto count = static_cast<std::int64_t>(
      values.size() * sizeof(T) / static_cast<std::size_t>(element_bytes(type).value_or(1)));
  REQUIRE(writer->begin("t", type, {count}));
  REQUIRE(writer->append(bytes));
  REQUIRE(writer->end());
  REQUIRE(writer->commit());
  const Checkpoint checkpoint = opened(folder.file("m"));
  DataFiles files(checkpoint);
  Progress silent;
  return histogram_of(files, checkpoint.tensors[0], bins, silent);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("bins of equal width cover the finite numbers") {
  const auto found =
      of<float>(DataType::kFloat, {0, 0.4F, 1, 1.5F, 2, 4, kNan, kInfinity, -kInfinity}, 4);
  REQUIRE(found);
  CHECK(found->least == 0);
  CHECK(found->most == 4);
  CHECK(found->counts == Counts{2, 2, 1, 1});
  CHECK(found->left_out == 3);
}

TEST_CASE("two tensors have the same bins, over the numbers of both") {
  const test::TemporaryFolder folder;
  auto writer = BundleWriter::create(folder.file("m"), false);
  REQUIRE(writer);
  const auto add = [&](const char* name, const std::vector<float>& values) {
    std::string bytes(values.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    REQUIRE(writer->begin(name, DataType::kFloat, {static_cast<std::int64_t>(values.size())}));
    REQUIRE(writer->append(bytes));
    REQUIRE(writer->end());
  };
  add("a", {0, 1, 1});
  add("b", {3, 4, kNan});
  add("c", {kNan});
  REQUIRE(writer->commit());
  const Checkpoint checkpoint = opened(folder.file("m"));
  DataFiles files(checkpoint);
  Progress silent;
  const auto source = [&](const char* name) { return TensorSource{&files, checkpoint.find(name)}; };
  auto both = histograms_of(source("a"), source("b"), 4, silent);
  REQUIRE(both);
  CHECK(both->first.least == 0);
  CHECK(both->second.most == 4);
  CHECK(both->first.counts == Counts{1, 2, 0, 0});
  CHECK(both->second.counts == Counts{0, 0, 0, 2});
  CHECK(both->second.left_out == 1);
  both = histograms_of(source("a"), source("c"), 4, silent);
  REQUIRE(both);
  CHECK(both->first.counts == Counts{1, 0, 0, 2});
  CHECK(both->second.counts.empty());
  both = histograms_of(source("c"), source("c"), 4, silent);
  REQUIRE(both);
  CHECK(both->first.counts.empty());
}

TEST_CASE("whole numbers of a small range have a bin each") {
  const auto found = of<std::int64_t>(DataType::kInt64, {-1, 3, 3, 0, 3, 2}, 64);
  REQUIRE(found);
  CHECK(found->counts == Counts{1, 1, 0, 1, 3});
  const auto flags = of<std::uint8_t>(DataType::kBool, {0, 1, 1}, 64);
  REQUIRE(flags);
  CHECK(flags->counts == Counts{1, 2});
}

TEST_CASE("equal numbers are one bin, and none are no bin") {
  CHECK(of<float>(DataType::kFloat, {2, 2}, 9)->counts == Counts{2});
  const auto none = of<float>(DataType::kFloat, {kNan}, 9);
  REQUIRE(none);
  CHECK(none->counts.empty());
  CHECK(none->left_out == 1);
  CHECK(of<float>(DataType::kFloat, {}, 9)->counts.empty());
}

TEST_CASE("the whole range of doubles has bins") {
  constexpr double kMost = std::numeric_limits<double>::max();
  const auto found = of<double>(DataType::kDouble, {-kMost, 0, kMost}, 2);
  REQUIRE(found);
  CHECK(found->counts == Counts{1, 2});
}

TEST_CASE("every finite number of any type is counted once") {
  for (const DataType type : {DataType::kHalf, DataType::kBfloat16, DataType::kInt16}) {
    std::vector<std::uint16_t> all(65536);
    std::iota(all.begin(), all.end(), std::uint16_t{0});
    const auto found = of(type, all, 100);
    REQUIRE(found);
    CHECK(found->counts.size() == 100);
    CHECK(std::accumulate(found->counts.begin(), found->counts.end(), found->left_out) == 65536);
  }
}

TEST_CASE("what has no order has no histogram") {
  const auto refused = of<float>(DataType::kComplex64, {1, 2}, 4);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kUnsupported);
}

}  // namespace tideline::checkpoint
