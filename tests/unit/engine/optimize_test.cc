#include "app/engine/optimize.h"

#include <catch2/catch.hpp>

#include "core/analysis/structure/graph_facts.h"
#include "core/rewrite/policy.h"
#include "tests/support/graph_text.h"

namespace tideline::app {
namespace {

constexpr std::string_view kPlain = R"(
  x = Placeholder() f32[4]
  w = VariableV2() f32[4]
  up = ApplyGradientDescent(w, x, x) f32[4]
)";
constexpr std::string_view kPlaced = R"(
  w = VariableV2() f32[4] @/device:GPU:1
  up = ApplyGradientDescent(w, w, w) f32[4] @/device:GPU:0
)";

std::size_t gpus(std::string_view text, std::optional<DeviceProfile> profile, RunModel run = {}) {
  const io::Document document = test::read_graph(text);
  if (profile) run = with_executor(run, Policy(), *profile);
  const Executor executor = with_executor(run, GraphFacts(document.graph)).executor;
  const auto request = optimize_request(document, {}, executor, profile);
  REQUIRE(request);
  return request->gpus.size();
}

}  // namespace

TEST_CASE("a graph is optimized for the GPUs that it, the profile or the user names") {
  CHECK(gpus(kPlain, {}) == 0);
  CHECK(gpus(kPlain, built_in_profile("pcie3")) == 0);
  CHECK(gpus(kPlain, built_in_profile("v100")) == 1);
  CHECK(gpus(kPlain, {}, {AsRun::kExact, Executor::kGpu}) == 1);
  CHECK(gpus(kPlain, built_in_profile("v100"), {AsRun::kExact, Executor::kCpu}) == 0);
  CHECK(gpus(kPlaced, {}) == 2);
}

TEST_CASE("a step that is for nothing cannot be optimized") {
  const io::Document document = test::read_graph(kPlain);
  CHECK(optimize_request(document, {}, Executor::kCpu, {})->fetches ==
        std::vector<std::string>{"up"});
  CHECK(optimize_request(document, {"x:0", "x"}, Executor::kCpu, {})->fetches ==
        std::vector<std::string>{"x"});
  CHECK(optimize_request(document, {"y"}, Executor::kCpu, {}).error().code == Code::kNotFound);
  const io::Document nothing = test::read_graph("x = Placeholder() f32[4]\n");
  CHECK(optimize_request(nothing, {}, Executor::kCpu, {}).error().code == Code::kInvalidArgument);
}

TEST_CASE("each op is counted once, by what has become of it") {
  const io::Document before = test::read_graph(R"(
    x = Placeholder() f32[4]
    shape = Shape(x) i32[1]
    copy = Identity(x) f32[4]
    a = MatMul(x, copy) f32[4]
    b = BiasAdd(a, x) f32[4]
    c = Relu(b) f32[4]
    d = Relu(x, ^shape) f32[4]
    save = Identity(c) f32[4]
  )");
  const io::Document after = test::read_graph(R"(
    x = Placeholder() f32[4]
    shape = Const() i32[1]
    a = MatMul(x, x) f32[4]
    b = _FusedMatMul(a, x) f32[4]
    c = Relu(b) f32[4]
    d = Relu(x) f32[4]
    more = NoOp()
  )");
  std::vector<bool> needed(before.graph.op_count(), true);
  needed[before.graph.find("save").index()] = false;
  const OptimizedOps ops = compare_ops(before.graph, needed, after.graph);
  CHECK(ops.same == 2);          // x c
  CHECK(ops.other_inputs == 2);  // a d
  CHECK(ops.constants == 1);
  CHECK(ops.other_type == 1);
  CHECK(ops.added == 1);
  CHECK(ops.left_out == 1);
  CHECK(ops.not_needed == 1);
}

}  // namespace tideline::app
