#include "core/runtime/start_values.h"

#include <catch2/catch.hpp>

#include "tests/support/test_data.h"

namespace tideline::runtime {

TEST_CASE("variables start from tensors of their names, or of their names in the object graph") {
  const std::string prefix = (test::kData / "checkpoints/small/ckpt").string();
  const auto values =
      find_start_values(prefix, {{"conv2d_1/kernel"}, {"conv2d_1/bias"}, {"elsewhere"}});
  REQUIRE(values);
  CHECK(values->missing == std::vector<std::string>{"elsewhere"});
  checkpoint::DataFiles files(*values->checkpoint);
  const auto value = read_start_value(*values, "conv2d_1/kernel", files);
  REQUIRE(value);
  CHECK(value->dims == std::vector<std::int64_t>{3, 3, 1, 8});
  CHECK(value->content.size() == 288);
}

TEST_CASE("a checkpoint of another model is refused") {
  const std::string prefix = (test::kData / "checkpoints/sliced/ckpt").string();
  CHECK(find_start_values(prefix, {{"x"}, {"y"}}).error().message ==
        prefix + ": has none of the 2 variables of the graph; expected tensors like 'x'");
  CHECK(find_start_values(prefix, {{"w"}})->tensors.at("w") == "w");
}

}  // namespace tideline::runtime
