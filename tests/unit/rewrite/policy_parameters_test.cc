#include "core/rewrite/policy_parameters.h"

#include <catch2/catch.hpp>
#include <set>

namespace tideline {

TEST_CASE("Every parameter takes back what it says", "[policy]") {
  CHECK(policy_parameters().size() > 30);
  for (const Parameter* parameter : policy_parameters()) {
    INFO(parameter->name);
    Policy policy;
    const std::string text = parameter_text(policy, *parameter);
    CHECK(set_parameter(policy, std::string(parameter->name), text));
    CHECK(policy == Policy{});
    CHECK_FALSE(parameter->expected.empty());
    CHECK_FALSE(parameter->help.empty());
    CHECK_FALSE(parameter->title.empty());
  }
}

TEST_CASE("No two parameters have one name", "[policy]") {
  std::set<std::string_view> names;
  for (const Parameter* parameter : policy_parameters()) {
    CHECK(names.insert(parameter->name).second);
    CHECK(find_policy_parameter(parameter->name) == parameter);
  }
}

TEST_CASE("Rewriters that share a name share its meaning", "[policy]") {
  for (const Parameter* parameter : policy_parameters()) {
    for (const Rewriter* rewriter : rewriters()) {
      const Parameter* same = rewriter->find(parameter->name);
      if (same == nullptr) continue;
      INFO(rewriter->id << " " << parameter->name);
      CHECK(same->kind == parameter->kind);
      CHECK(same->default_value() == parameter->default_value());
    }
  }
}

TEST_CASE("Parameters are set by the names of the command line", "[policy]") {
  Policy policy;
  CHECK(set_parameter(policy, "swapout-threshold", "50"));
  CHECK(set_parameter(policy, "excl-output-by-scopes", "loss, accuracy"));
  CHECK(set_parameter(policy, "device-memory", "4GiB"));
  CHECK(set_parameter(policy, "inference", "on"));
  CHECK(set_parameter(policy, "ctrld-strategy", "direct_order"));
  CHECK(set_parameter(policy, "cpu-device", "/cpu:1"));
  CHECK(value_of(policy, "swapout-threshold") == Value(50));
  CHECK(names_of(policy, "excl-output-by-scopes") == std::vector<std::string>{"loss", "accuracy"});
  CHECK(policy.budget->device == Bytes{4} << 30U);
  CHECK(value_of(policy, "inference") == Value(true));
  CHECK(value_of(policy, "ctrld-strategy") == Value("direct_order"));
  CHECK(value_of(policy, "cpu-device") == Value("/cpu:1"));
}

TEST_CASE("A value of the wrong kind is refused and changes nothing", "[policy]") {
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
      {"lb", "-1"},
      {"ub", "-1"},
      {"n-tensors", "-2"},
      {"model", "true"},
      {"host-memory", "-1"},
  };
  for (const auto& [name, value] : wrong) {
    INFO(name << " " << value);
    Policy policy;
    const Status status = set_parameter(policy, name, value);
    REQUIRE_FALSE(status);
    CHECK(status.error().code == Code::kInvalidArgument);
    CHECK(status.error().message.find(name) == 0);
    CHECK(status.error().message.find("expected") != std::string::npos);
    CHECK(policy == Policy{});
  }
}

TEST_CASE("An unknown parameter is named", "[policy]") {
  Policy policy;
  const Status status = set_parameter(policy, "threshold", "5");
  REQUIRE_FALSE(status);
  CHECK(status.error().message.starts_with("'threshold' is not a parameter"));
}

TEST_CASE("Exact sizes are read back as what they were", "[policy]") {
  CHECK(exact_size(Bytes{4} << 30U) == "4GiB");
  CHECK(exact_size(Bytes{3} << 20U) == "3MiB");
  CHECK(exact_size(1000) == "1000");
  for (const Bytes bytes : {Bytes{1}, Bytes{1024}, Bytes{5} << 20U, (Bytes{4} << 30U) + 1}) {
    CHECK(parse_size(exact_size(bytes)) == bytes);
  }
}

TEST_CASE("A search has the parameters that it heeds, and no others", "[policy]") {
  Policy policy;
  const auto heeds = [&](std::string_view name) {
    return has_effect(policy, *find_policy_parameter(name));
  };
  policy.rewriter = "sections";
  CHECK(heeds("device-memory"));
  CHECK(heeds("memory-ratio"));
  CHECK_FALSE(heeds("host-memory"));
  CHECK_FALSE(heeds("model"));
  policy.rewriter = "lms2";
  CHECK(heeds("host-memory"));
  CHECK(heeds("model"));
}

}  // namespace tideline
