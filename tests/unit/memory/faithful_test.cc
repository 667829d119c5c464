#include "core/memory/faithful.h"

#include <catch2/catch.hpp>

#include "core/memory/step_time.h"
#include "core/rewrite/predict.h"
#include "tests/support/graph_text.h"
#include "tests/support/lms_plans.h"
#include "tests/support/same_step.h"
#include "tests/unit/rewrite/plan_text.h"

namespace tideline {
namespace {

using Curve = std::vector<Bytes>;

StepGraph flatten(const io::Document& document, const StepOptions& options = {}) {
  const auto tensors = TensorTable::build(document.graph, {.model = SizeModel::kFaithful});
  REQUIRE(tensors);
  auto graph = build_step_graph(document.graph, *tensors, document.collections, options);
  INFO((graph ? "" : graph.error().message));
  REQUIRE(graph);
  return *std::move(graph);
}

FaithfulStep simulated(std::string_view text) {
  const StepGraph graph = flatten(test::read_graph(text));
  FaithfulStep step = simulate_step(graph);
  CHECK(test::unavailable(graph, step) == "");
  return step;
}

// 4 x 16 floats are 256 bytes.
constexpr const char* kChain = R"(
  a = MadeUp() f32[4,16]
  b = MadeUp(a) f32[4,16]
  c = MadeUp(b) f32[4,16]
  d = MadeUp(c) f32[4,16]
  e = MadeUp(d, a) f32[4,16]
)";

}  // namespace

TEST_CASE("the last reader of a buffer may write into it; a view has no memory of its own") {
  const FaithfulStep step = simulated(R"(
    p = Placeholder() f32[4,16]
    a = MatMul(p, p) f32[4,16]
    r = Relu(a) f32[4,16]
    i = Identity(r) f32[4,16]
    o = MatMul(i, r) f32[4,16]
  )");
  // p; p a; a (r in it); a (i too); a o
  CHECK(step.timeline.device == Curve{256, 512, 256, 256, 512});
  CHECK(step.timeline.largest_need == 512);
}

TEST_CASE("an op with nothing to do hands its input on, which shows in equal sizes") {
  const FaithfulStep step = simulated(R"(
    a = MadeUp() f32[4,16]
    axes = MadeUp() i32[?]
    whole = Sum(a, axes) f32[4,16]
    part = Sum(a, axes) f32[4]
    turned = Transpose(a, axes) f32[16,4]
    o = MadeUp(whole, part, turned, a) f32[4]
  )");
  const auto buffer = [&](std::size_t tensor) { return step.buffers_of[tensor][0]; };
  CHECK(buffer(2) == buffer(0));
  CHECK(buffer(3) != buffer(0));
  CHECK(buffer(4) != buffer(0));
}

TEST_CASE("a Transpose that moves only axes of size 1 has no memory of its own") {
  const auto is_shared = [](const std::string& order, const char* shape, const char* result) {
    const io::Document document = test::read_graph(fmt::format(R"(
      p = MadeUp() f32[{1}]
      order = {0}
      t = Transpose(p, order) f32[{2}]
      u = MadeUp(t, p)
    )",
                                                               order, shape, result));
    const StepGraph graph = flatten(document);
    const FaithfulStep step = simulate_step(graph);
    const auto buffer = [&](const char* name) {
      return step.buffers_of[graph.tensor({test::op(document, name), 0})][0];
    };
    return buffer("t") == buffer("p");
  };
  const auto constant = [](const char* axes) {
    return fmt::format("Const() +value=i32[3]{{{}}} +dtype=i32 i32[3]", axes);
  };
  CHECK(is_shared(constant("1,0,2"), "1,4,16", "4,1,16"));
  CHECK(is_shared(constant("0,1,2"), "2,2,16", "2,2,16"));
  CHECK_FALSE(is_shared(constant("1,0,2"), "2,2,16", "2,2,16"));
  CHECK_FALSE(is_shared(constant("0,2,1"), "1,4,16", "1,16,4"));
  const std::string computed = "MadeUp() i32[3]";
  CHECK(is_shared(computed, "1,4,16", "4,1,16"));
  CHECK_FALSE(is_shared(computed, "1,4,16", "16,1,4"));
  CHECK_FALSE(is_shared(computed, "1,8,8", "8,1,8"));  // which 8 is which?
}

TEST_CASE("a Merge takes the buffer of whichever input it is, although it has as many outputs") {
  const StepGraph graph = flatten(test::read_graph(R"(
    a = MadeUp() f32[4,16]
    b = MadeUp() f32[4,16]
    m = Merge(a, b) f32[4,16] i32[]
    c = MadeUp(m) f32[4,16]
  )"));
  const auto links = graph.links_of(OpId{2});
  REQUIRE(links.size() == 2);
  CHECK(links[0].output == 0);
  CHECK(links[0].input == 0);
  CHECK(links[1].output == 0);
  CHECK(links[1].input == 1);
}

TEST_CASE("nothing is done in place while another op still reads the input") {
  const FaithfulStep step = simulated(R"(
    a = Placeholder() f32[4,16]
    r = Relu(a) f32[4,16]
    n = Neg(a) f32[4,16]
    o = MatMul(r, n) f32[4,16]
  )");
  // a; a r; a (n in it) r; a r o
  CHECK(step.timeline.device == Curve{256, 512, 512, 768});
}

TEST_CASE("an input of another size is not written into, even when its block would do") {
  const FaithfulStep step = simulated(R"(
    a = Placeholder() f32[4,1]
    b = Placeholder() f32[1,15]
    u = Add(a, b) f32[4,15]
  )");
  // a; a b; a b u
  CHECK(step.timeline.device == Curve{256, 512, 768});
}

TEST_CASE("variables, slots and constants are always there, and sizes are rounded up") {
  const FaithfulStep step = simulated(R"(
    w = VariableV2() f32[65] +shape=[65]
    m = VariableV2() f32[64] +shape=[64]
    lr = Const() f32[]
    g = Placeholder() f32[65]
    mu = Const() f32[]
    unused = Const() f32[400]
    u = ApplyMomentum(w, m, lr, g, mu) f32[65]
  )");
  // w 260 -> 512, m 256, lr and mu 4 -> 256 each; `unused` is no part of the step
  CHECK(step.timeline.resident_bytes == 512 + 256 + 256 + 256);
  CHECK(step.timeline.schedule.size() == 6);
  const auto& kinds = step.timeline.peak_by_kind;
  CHECK(kinds[static_cast<std::size_t>(MemoryKind::kVariable)] == 512);
  CHECK(kinds[static_cast<std::size_t>(MemoryKind::kOptimizerSlot)] == 256);
  CHECK(kinds[static_cast<std::size_t>(MemoryKind::kConstant)] == 512);
  CHECK(step.timeline.device_peak == 1280 + 512);
}

TEST_CASE("a step runs what the fetched ops need") {
  const io::Document document = test::read_graph(kChain);
  StepOptions options;
  options.fetches = {"c:0"};
  CHECK(simulate_step(flatten(document, options)).timeline.schedule ==
        std::vector<OpId>{OpId{0}, OpId{1}, OpId{2}});
  const auto tensors = TensorTable::build(document.graph, {.model = SizeModel::kFaithful});
  options.fetches = {"nowhere"};
  const auto failed = build_step_graph(document.graph, *tensors, {}, options);
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code == Code::kNotFound);
  Collections collections;
  collections.names["train_op"] = {"b"};
  CHECK(find_fetches(document.graph, collections, {})->ops == std::vector<OpId>{OpId{1}});
}

TEST_CASE("a swapped tensor is copied after its producer and freed after its direct readers") {
  const io::Document document = test::read_graph(kChain);
  const LmsPlan plan = test::plan_of(document, test::parameters(2, 1, 0));
  const StepGraph graph = flatten(document);
  const FaithfulStep step = test::predict_step(graph, document.graph, plan, std::nullopt);
  // a; a b; swap-out: b; b c; c d; swap-in: a' d; a' d e
  CHECK(step.timeline.device == Curve{256, 512, 256, 512, 512, 512, 768});
  CHECK(step.timeline.host == Curve{256, 256, 256, 256, 256, 256, 0});
  CHECK(step.timeline.swapped_out_tensors == 1);
  CHECK(step.timeline.bytes_in == 256);
  const auto rewritten = apply(document.graph, plan);
  REQUIRE(rewritten);
  const auto tensors = TensorTable::build(*rewritten, {.model = SizeModel::kFaithful});
  const auto afresh = build_step_graph(*rewritten, *tensors, {}, {});
  CHECK(test::difference(step.timeline, simulate_step(*afresh).timeline) == "");
}

TEST_CASE("a list that nobody but its copy to the host reads is copied") {
  const FaithfulStep step = simulated(R"(
    list = MadeUp() @/gpu:0 variant[4,16]
    out = Identity(list) @/cpu:0 variant[4,16]
    in = Identity(out) @/gpu:0 variant[4,16]
    read = MadeUp(in) @/gpu:0 f32[4,16]
  )");
  CHECK(step.timeline.device.size() == 4);
  CHECK(step.timeline.swapped_out_tensors == 1);
}

TEST_CASE("a simulation for a search differs in what is alive at the peak alone") {
  const io::Document document = test::read_graph(kChain);
  const StepGraph graph = flatten(document);
  FaithfulStep all = simulate_step(graph);
  const FaithfulStep bytes = simulate_step(graph, StepDetail::kBytes);
  CHECK_FALSE(all.timeline.alive_at_peak.empty());
  CHECK(bytes.timeline.alive_at_peak.empty());
  all.timeline.alive_at_peak.clear();
  all.timeline.peak_by_kind = bytes.timeline.peak_by_kind;
  CHECK(test::difference(all.timeline, bytes.timeline) == "");
}

TEST_CASE("a swap-in is late when its copy ends after the other inputs of its reader") {
  const io::Document document = test::read_graph(kChain);
  const LmsPlan plan = test::plan_of(document, test::parameters(2, 1, 0));
  const StepGraph graph = edited(flatten(document), document.graph, plan.edit, std::nullopt);
  const FaithfulStep step = simulate_step(graph);
  DeviceProfile profile;
  profile.memory_bytes_per_s = 1e9;  // a byte takes a nanosecond
  profile.to_host = {1e9, 0};
  profile.to_device = {1e9, 0};
  // a 256, b c d 512 each, e 768. The swap-in may begin at 1280 and ends at 1536; d ends at 1792.
  const StepTime in_time = estimate_time(graph, step, CostModel(profile));
  CHECK(in_time.compute_ns == 256 + 3 * 512 + 768);
  CHECK(in_time.added_ns == 0);
  CHECK(in_time.late.empty());
  // Four times slower: out until 256 + 1024, in until 1280 + 1024 = 2304, 512 after d.
  profile.to_host = {0.25e9, 0};
  profile.to_device = {0.25e9, 0};
  const StepTime late = estimate_time(graph, step, CostModel(profile));
  CHECK(late.added_ns == 512);
  REQUIRE(late.late.size() == 1);
  CHECK(late.late[0].wait_ns == 512);
  CHECK(late.late[0].reader == OpId{4});
}

TEST_CASE("every op that runs has its time in the step") {
  const io::Document document = test::read_graph(kChain);
  const LmsPlan plan = test::plan_of(document, test::parameters(2, 1, 0));
  const StepGraph graph = edited(flatten(document), document.graph, plan.edit, std::nullopt);
  DeviceProfile profile;
  profile.memory_bytes_per_s = 1e9;  // a byte takes a nanosecond
  profile.to_host = {0.25e9, 0};
  profile.to_device = {0.25e9, 0};
  const StepTime time = estimate_time(graph, simulate_step(graph), CostModel(profile));
  // As above: d ends at 1792, the swap-in at 2304, and e takes 768.
  CHECK(time.ops[3].begin_ns == 1792 - 512);
  CHECK(time.ops[3].end_ns == 1792);
  CHECK(time.ops[4].begin_ns == 2304);
  CHECK(time.ops[4].end_ns == 2304 + 768);
}

TEST_CASE("loops run once, whatever closes them") {
  const FaithfulStep step = simulated(R"(
    zero = Placeholder() f32[4,16]
    enter = Enter(zero) f32[4,16]
    merge = Merge(enter, next) f32[4,16] i32[]
    body = MadeUp(merge) f32[4,16]
    next = NextIteration(body) f32[4,16]
    exit = Exit(merge) f32[4,16]
  )");
  CHECK(step.timeline.schedule.size() == 6);
}

}  // namespace tideline
