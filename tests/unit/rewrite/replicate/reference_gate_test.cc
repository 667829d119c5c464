#include <catch2/catch.hpp>

#include "tests/unit/rewrite/replicate/replicate_text.h"

namespace tideline {
namespace {

using test::dense_options;
using test::kDense;
using test::replicate_text;
using test::Replicated;
using test::with;

ReplicateOptions on_two_tasks() {
  ReplicateOptions options = dense_options();
  options.devices = {"/job:worker/task:0/device:GPU:0", "/job:worker/task:1/device:GPU:0"};
  return options;
}

std::vector<std::string> sorted_inputs(const Replicated& made, const std::string& op) {
  std::vector<std::string> inputs = made.inputs(op);
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

TEST_CASE("On several tasks the update of reference variables waits for all towers",
          "[replicate]") {
  const Replicated made = replicate_text(kDense, on_two_tasks());
  CHECK(sorted_inputs(made, "gradient_aggregating/all") ==
        std::vector<std::string>{"^gradient_aggregating/AddN", "^loss"});
  CHECK(made.device("gradient_aggregating/all") == "/job:worker/task:0/device:CPU:0");
  CHECK(sorted_inputs(made, "apply") == std::vector<std::string>{"^gradient_aggregating/all",
                                                                 "gradient_aggregating/AddN:0",
                                                                 "rate:0", "w:0"});
  CHECK(sorted_inputs(made, "train") ==
        std::vector<std::string>{"^gradient_aggregating/all", "steps/one:0", "steps:0"});
}

TEST_CASE("On one task towers are as the reference makes them", "[replicate]") {
  CHECK_FALSE(replicate_text(kDense, dense_options()).has("gradient_aggregating/all"));
  ReplicateOptions options = on_two_tasks();
  options.devices[1] = "/job:worker/task:0/device:GPU:1";
  CHECK_FALSE(replicate_text(kDense, options).has("gradient_aggregating/all"));
}

TEST_CASE("A loss that is read behind the update is not waited for", "[replicate]") {
  const std::string text = with(kDense, "    rate = Const() f32[]",
                                "    shown = Identity(loss_mean, ^apply) f32[] +T=f32\n"
                                "    rate = Const() f32[]");
  ReplicateOptions options = on_two_tasks();
  options.loss = "shown:0";
  const Replicated made = replicate_text(text, options);
  CHECK(sorted_inputs(made, "gradient_aggregating/all") ==
        std::vector<std::string>{"^gradient_aggregating/AddN"});
}

}  // namespace
}  // namespace tideline
