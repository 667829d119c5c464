#include "app/session/wish.h"

#include <catch2/catch.hpp>

#include "app/engine/plan_command.h"

#include "core/rewrite/policy_parameters.h"

namespace tideline {
namespace {

using app::describe_change;
using app::Wish;

Wish with(std::initializer_list<std::pair<const char*, const char*>> values) {
  Wish wish;
  wish.policy.rewriter = "lms2";
  for (const auto& [name, value] : values) {
    REQUIRE(set_parameter(wish.policy, name, value));
  }
  return wish;
}

}  // namespace

TEST_CASE("A change is described by its values", "[session]") {
  CHECK(describe_change(with({{"swapin-ahead", "3"}}), with({{"swapin-ahead", "5"}})) ==
        "swapin-ahead 3 -> 5");
  CHECK(describe_change(with({}), with({{"device-memory", "4GiB"}})) ==
        "device-memory none -> 4.00 GiB");
  CHECK(describe_change(Wish{}, with({})) == "mode off -> lms2");
  CHECK(describe_change(with({}), with({{"keras", "on"}, {"inference", "on"}})) ==
        "inference off -> on and 1 more");
}

TEST_CASE("How the step is simulated is a change like others", "[session]") {
  Wish in_file;
  in_file.run = kAsInFile;
  CHECK(describe_change({}, in_file) == "as-run modelled -> off");
  Wish on_gpu;
  on_gpu.run.executor = Executor::kGpu;
  CHECK(describe_change({}, on_gpu) == "as-run modelled -> modelled gpu");
  CHECK_FALSE(Wish() == on_gpu);
  Wish chosen;
  chosen.run.branches = {{"cond", true}};
  CHECK(describe_change({}, chosen) == "branches + cond=true");
  CHECK_FALSE(Wish() == chosen);
}

TEST_CASE("Plans are modelled for a step that TensorFlow is asked about", "[session]") {
  Wish exact;
  exact.run.as_run = AsRun::kExact;
  CHECK(describe_change({}, exact) == "as-run modelled -> exact");
  CHECK(app::run_model_text(exact.run) == "exact");
  CHECK(exact.is_exact());
  CHECK(exact.run_on_device() == Wish().run_on_device());
  exact.run.executor = Executor::kCpu;
  CHECK(exact.run_on_device() == RunModel{AsRun::kModelled, Executor::kCpu});
}

TEST_CASE("A longer list says what came, a shorter one what went", "[session]") {
  const Wish one = with({{"excl-output-by-scopes", "loss"}});
  const Wish two = with({{"excl-output-by-scopes", "loss,adam"}});
  CHECK(describe_change(one, two) == "excl-output-by-scopes + adam");
  CHECK(describe_change(two, one) == "excl-output-by-scopes - adam");
}

TEST_CASE("Given shapes are written as they are read", "[session]") {
  for (const char* text : {"x=1x28x?", "x:1=32", "x=scalar"}) {
    const auto given = parse_given_shape(text);
    REQUIRE(given);
    CHECK(app::given_shape_text(*given) == text);
  }
}

TEST_CASE("A budget without device memory is none for the core", "[session]") {
  Wish wish = with({{"host-memory", "1GiB"}});
  REQUIRE(wish.policy.budget);
  CHECK_FALSE(app::effective_policy(wish.policy).budget);
}

}  // namespace tideline
