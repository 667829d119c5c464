#include "core/runtime/compare.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline::runtime {
namespace {

using Catch::Matchers::Contains;

// The fake library counts the runs of a session: that is the loss, and every variable.
Trainer trainer(const std::string& text, const TrainingRequest& request) {
  Progress progress;
  const io::Document document = test::read_graph(text);
  auto training = prepare_training(document, request, progress);
  REQUIRE(training);
  auto started = Trainer::start("a.pb", *std::move(training),
                                std::string(TIDELINE_FAKE_TENSORFLOW) + "/libtensorflow_cc.so.2",
                                {}, progress);
  if (!started) FAIL(started.error().message);
  return *std::move(started);
}

TrainingRequest request(const char* train = "train") {
  TrainingRequest wanted;
  wanted.train = train;
  wanted.loss = "loss";
  return wanted;
}

const std::string kModel = R"(
w = VariableV2() +dtype=f32 +shape=[]
loss = Const()
train = NoOp()
abort = NoOp()
refuse = NoOp()
uninitialised = NoOp()
)";

Comparison compared(const std::string& original, const std::string& rewritten) {
  Progress progress;
  Trainer a = trainer(original, request());
  Trainer b = trainer(rewritten, request());
  const std::vector<Feed> none;
  const BoundFeeds feeds{&none, {}};
  const auto result = compare_training(a, feeds, b, feeds, 3, false, progress);
  if (!result) FAIL(result.error().message);
  return *result;
}

TEST_CASE("equal graphs are identical", "[runtime][compare]") {
  const Comparison result = compared(kModel, kModel);
  CHECK_FALSE(result.difference);
  CHECK(result.steps == 3);
  CHECK(result.variables == 1);
  CHECK(result.first_not_finite == -1);
}

TEST_CASE("the first difference is told with step, values and distance", "[runtime][compare]") {
  // Runs: w at the start (read twice), then the loss of step 0 is the third.
  const Comparison result = compared(kModel, kModel + "differs = NoOp()\n");
  REQUIRE(result.difference);
  CHECK(result.difference->step == 0);
  CHECK(result.difference->tensor == "loss:0");
  CHECK(result.difference->original == "3");
  CHECK(result.difference->rewritten == "3.5");
  // 0x40400000 and 0x40600000
  CHECK(result.difference->original_bits == "0x40400000");
  CHECK(result.difference->rewritten_bits == "0x40600000");
  CHECK(result.difference->ulps == 0x200000U);
  CHECK(result.difference->different_elements == 1);
}

TEST_CASE("a variable that the rewritten graph lacks is a difference", "[runtime][compare]") {
  const Comparison result = compared(kModel, "loss = Const()\ntrain = NoOp()\n");
  REQUIRE(result.difference);
  CHECK(result.difference->step == -1);
  CHECK(result.difference->tensor == "w");
  CHECK_THAT(result.difference->what, Contains("no such variable"));
}

TEST_CASE("messages say which graph and which step", "[runtime][compare]") {
  Progress progress;
  const std::vector<Feed> none;
  const BoundFeeds feeds{&none, {}};
  const auto message = [&](const char* train) {
    Trainer one = trainer(kModel, request(train));
    return one.step(4, feeds, false, progress).error().message;
  };
  CHECK_THAT(message("abort"), Contains("a.pb: step 4: ") && Contains("signal 6"));
  CHECK(message("refuse") == "a.pb: step 4: it is not to be");
  CHECK_THAT(message("uninitialised"), Contains("{init} OP"));
}

TEST_CASE("an initialiser that never succeeds ends with the library's words",
          "[runtime][compare]") {
  Progress progress;
  TrainingRequest wanted = request();
  wanted.inits = {"train", "uninitialised"};
  Trainer one = trainer(kModel, wanted);
  CHECK_THAT(one.initialise(progress).error().message,
             Contains("initialiser 'uninitialised': w has no value"));
}

}  // namespace
}  // namespace tideline::runtime
