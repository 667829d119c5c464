#include "core/memory/device_profile.h"

#include <catch2/catch.hpp>

namespace tideline {

TEST_CASE("the profiles of links know nothing about computing") {
  for (const auto& [name, bytes_per_s] : {std::pair("pcie3", 12e9), std::pair("pcie4", 24e9),
                                          std::pair("pcie5", 48e9), std::pair("nvlink", 68e9)}) {
    const auto profile = built_in_profile(name);
    REQUIRE(profile);
    DeviceProfile expected;
    expected.name = name;
    expected.memory_bytes_per_s = 900e9;
    expected.to_host = {bytes_per_s, 10'000};
    expected.to_device = {bytes_per_s, 10'000};
    CHECK(*profile == expected);
    CHECK_FALSE(profile->knows_computing());
    CHECK(profile->flops_per_s_of(DataType::kFloat) == 0);
  }
}

TEST_CASE("the profile of a device has its memory, its rates and its link") {
  const auto v100 = built_in_profile("v100");
  REQUIRE(v100);
  CHECK(v100->knows_computing());
  CHECK(v100->total_bytes == Bytes{16} * 1024 * 1024 * 1024);
  CHECK(v100->free_bytes == v100->total_bytes);
  CHECK(v100->memory_bytes_per_s == Approx(792e9));  // of 900
  CHECK(v100->flops_per_s_of(DataType::kFloat) == 15.7e12);
  CHECK(v100->flops_per_s_of(DataType::kHalf) == 125e12);
  CHECK(v100->flops_per_s_of(DataType::kBfloat16) == 0);  // no such arithmetic before Ampere
  CHECK(v100->to_host == built_in_profile("pcie3")->to_host);
  CHECK(v100->launch_ns == 4'000);
}

TEST_CASE("a variable's type has the rate of its base type") {
  const auto a100 = built_in_profile("a100");
  REQUIRE(a100);
  CHECK(a100->flops_per_s_of(reference_to(DataType::kFloat)) == 156e12);
}

TEST_CASE("half and TF32 are computed on tensor cores, other floats on ordinary units") {
  const auto v100 = built_in_profile("v100");
  const auto a100 = built_in_profile("a100");
  REQUIRE(v100);
  REQUIRE(a100);
  CHECK_FALSE(v100->rate_of(DataType::kFloat)->on_tensor_cores);
  CHECK(v100->rate_of(DataType::kHalf)->on_tensor_cores);
  CHECK(a100->rate_of(DataType::kFloat)->on_tensor_cores);
  CHECK_FALSE(a100->rate_of(DataType::kDouble)->on_tensor_cores);
  CHECK(a100->rate_of(DataType::kBfloat16)->on_tensor_cores);
}

TEST_CASE("every built-in name has a profile with positive speeds") {
  CHECK(built_in_profile_names() == std::vector<std::string_view>{"pcie3", "pcie4", "pcie5",
                                                                  "nvlink", "v100", "a100", "h100",
                                                                  "t4", "rtx4090"});
  for (const std::string_view name : built_in_profile_names()) {
    INFO(name);
    const auto profile = built_in_profile(name);
    REQUIRE(profile);
    CHECK(profile->name == name);
    CHECK(profile->memory_bytes_per_s > 0);
    CHECK(profile->to_host.bytes_per_s > 0);
    CHECK(profile->to_device.bytes_per_s > 0);
    for (const FlopsRate& rate : profile->flops_per_s) CHECK(rate.flops_per_s > 0);
  }
  CHECK_FALSE(built_in_profile("V100"));
  CHECK_FALSE(built_in_profile(""));
}

}  // namespace tideline
