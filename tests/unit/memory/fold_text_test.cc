#include "core/memory/fold_text.h"

#include <catch2/catch.hpp>

#include "core/memory/faithful.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

constexpr std::string_view kFolded = R"(
  x = Placeholder() f32[?,16] +shape=[?,16]
  a = Exp(x) f32[?,16]
  b = MatMul(a, a) f32[?,16]
  c = MatMul(b, b) f32[?,16]
  sb = Shape(b) i32[2]
  sc = Shape(c) i32[2]
  r = Relu(b) f32[?,16]
  s = Relu(r) f32[?,16]
  i = Identity(s) f32[?,16]
  t = Tanh(i) f32[?,16]
  t2 = Tanh(s) f32[?,16]
  g = Sub(t, t2) f32[?,16]
  back = Reshape(g, sb) f32[?,16]
  y = Exp(back) f32[?,16]
  other = Exp(x) f32[?,16]
)";

std::string said_of(std::string_view name, AsRun as_run = AsRun::kModelled,
                    const std::string& fetch = "y") {
  const io::Document document = test::read_graph(kFolded);
  const auto tensors =
      TensorTable::build(document.graph, {.batch_size = 4, .model = SizeModel::kFaithful});
  REQUIRE(tensors);
  StepOptions options;
  options.fetches = {fetch};
  options.run = {as_run, Executor::kGpu};
  const auto step = build_step_graph(document.graph, *tensors, document.collections, options);
  REQUIRE(step);
  const OpId op = test::op(document, name);
  const auto schedule = simulate_step(*step).timeline.schedule;
  const bool runs = std::find(schedule.begin(), schedule.end(), op) != schedule.end();
  return fold_text(document.graph, *step, {op, 0}, runs);
}

constexpr const char* kGone = "it does not exist in the step that TensorFlow runs: ";

}  // namespace

TEST_CASE("of a folded tensor it is said what it is instead") {
  CHECK(said_of("i") == std::string(kGone) + "it is its input s:0");
  CHECK(said_of("t2") == std::string(kGone) + "it is the same as t:0");
  CHECK(said_of("sb") == std::string(kGone) + "nothing that runs there reads it");
  CHECK(said_of("c") == "");  // nor is it in the step of the file
}

TEST_CASE("of what runs, is fetched, or is as in the file, nothing is said") {
  CHECK(said_of("b") == "");
  CHECK(said_of("other") == "");
  CHECK(said_of("i", AsRun::kModelled, "i") == "");
  CHECK(said_of("i", AsRun::kOff) == "");
}

}  // namespace tideline
