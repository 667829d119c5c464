#include "app/session/parameters.h"

#include <catch2/catch.hpp>
#include <set>

namespace tideline {

TEST_CASE("Every parameter takes back what it says", "[session]") {
  for (const session::Parameter& parameter : session::parameters()) {
    INFO(parameter.name);
    Policy policy;
    const std::string text = parameter.get(policy);
    CHECK(parameter.set(policy, text));
    CHECK(policy == Policy{});
    CHECK((parameter.is_lms1 || parameter.is_lms2));
    CHECK_FALSE(parameter.expected.empty());
  }
}

TEST_CASE("No two parameters have one name", "[session]") {
  std::set<std::string_view> names;
  for (const session::Parameter& parameter : session::parameters()) {
    CHECK(names.insert(parameter.name).second);
    CHECK(session::find_parameter(parameter.name) == &parameter);
  }
}

TEST_CASE("Parameters are set by the names of the command line", "[session]") {
  Policy policy;
  CHECK(session::set_parameter(policy, "swapout-threshold", "50"));
  CHECK(session::set_parameter(policy, "excl-output-by-scopes", "loss, accuracy"));
  CHECK(session::set_parameter(policy, "device-memory", "4GiB"));
  CHECK(session::set_parameter(policy, "inference", "on"));
  CHECK(session::set_parameter(policy, "ctrld-strategy", "direct_order"));
  CHECK(session::set_parameter(policy, "cpu-device", "/cpu:1"));
  CHECK(policy.lms2.swapout_threshold == 50);
  CHECK(policy.lms2.excl_output.scopes == std::vector<std::string>{"loss", "accuracy"});
  CHECK(policy.budget->device == Bytes{4} << 30U);
  CHECK_FALSE(policy.lms2.is_training);
  CHECK(policy.lms1.ctrld_strategy == ControlStrategy::kDirectOrder);
  CHECK(policy.lms1.cpu_device == policy.lms2.cpu_device);
}

TEST_CASE("A value of the wrong kind is refused and changes nothing", "[session]") {
  const std::pair<const char*, const char*> wrong[] = {
      {"swapout-threshold", "0"},
      {"swapout-threshold", "many"},
      {"swapout-threshold", "1e3"},
      {"swapin-ahead", "1000000000"},
      {"swapin-groupby", "-2"},
      {"sync-mode", "4"},
      {"sync-mode", ""},
      {"serialization", "a:b"},
      {"inference", "yes"},
      {"serialization-by-size", "4x"},
      {"cpu-device", ""},
      {"device-memory", "much"},
      {"memory-ratio", "0"},
      {"memory-ratio", "1.5"},
      {"memory-ratio", "nan"},
      {"ctrld-strategy", "best"},
      {"lb", "0"},
      {"lb", "-1"},
      {"ub", "-1"},
      {"n-tensors", "-2"},
      {"model", "true"},
      {"host-memory", "-1"},
  };
  for (const auto& [name, value] : wrong) {
    INFO(name << " " << value);
    Policy policy;
    const Status status = session::set_parameter(policy, name, value);
    REQUIRE_FALSE(status);
    CHECK(status.error().code == Code::kInvalidArgument);
    CHECK(status.error().message.find(name) == 0);
    CHECK(status.error().message.find("expected") != std::string::npos);
    CHECK(policy == Policy{});
  }
}

TEST_CASE("An unknown parameter is named", "[session]") {
  Policy policy;
  const Status status = session::set_parameter(policy, "threshold", "5");
  REQUIRE_FALSE(status);
  CHECK(status.error().message.starts_with("'threshold' is no parameter"));
}

TEST_CASE("Exact sizes are read back as what they were", "[session]") {
  CHECK(session::exact_size(Bytes{4} << 30U) == "4GiB");
  CHECK(session::exact_size(Bytes{3} << 20U) == "3MiB");
  CHECK(session::exact_size(1000) == "1000");
  for (const Bytes bytes : {Bytes{1}, Bytes{1024}, Bytes{5} << 20U, (Bytes{4} << 30U) + 1}) {
    CHECK(parse_size(session::exact_size(bytes)) == bytes);
  }
}

}  // namespace tideline
