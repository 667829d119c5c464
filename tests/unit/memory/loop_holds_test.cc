#include "core/memory/loop_holds.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "core/memory/faithful.h"
#include "tests/support/graph_text.h"
#include "tests/support/same_step.h"

namespace tideline {
namespace {

// A loop of `rounds` that computes h = Relu(MadeUp(h)), 256 bytes, and pushes `pushed`; its
// backward loop pops.
std::string training_loop(int rounds, const std::string& pushed) {
  return fmt::format(R"(
    zero = Const() +value=i32[]{{0}} +dtype=i32
    bound = Const() +value=i32[]{{{}}} +dtype=i32
    x = Placeholder() f32[4,16]
    most = Const() i32[]
    stack = StackV2(most)
    e = Enter(zero) i32[] +frame_name="f"
    limit = Enter(bound) i32[] +frame_name="f" +is_constant=true
    ex = Enter(x) f32[4,16] +frame_name="f"
    outside = Enter(x) f32[4,16] +frame_name="f" +is_constant=true
    es = Enter(stack) +frame_name="f" +is_constant=true
    m = Merge(e, n) i32[]
    h = Merge(ex, hn) f32[4,16]
    c = Less(m, limit)
    cond = LoopCond(c)
    s = Switch(m, cond) i32[] i32[]
    hs = Switch(h, cond) f32[4,16] f32[4,16]
    one = Const(^s) +value=i32[]{{1}} +dtype=i32
    next = Add(s:1, one) i32[]
    body = MadeUp(hs:1) f32[4,16]
    out = Relu(body) f32[4,16]
    push = StackPushV2(es, {}) f32[4,16]
    n = NextIteration(next) i32[]
    hn = NextIteration(out) f32[4,16]
    count = Exit(s) i32[]
    last = Exit(hs) f32[4,16]
    be = Enter(count) i32[] +frame_name="b"
    bl = Enter(one_outside) i32[] +frame_name="b" +is_constant=true
    one_outside = Const() +value=i32[]{{1}} +dtype=i32
    bg = Enter(last) f32[4,16] +frame_name="b"
    bes = Enter(stack) +frame_name="b" +is_constant=true
    bm = Merge(be, bn) i32[]
    g = Merge(bg, gn) f32[4,16]
    bc = GreaterEqual(bm, bl)
    bcond = LoopCond(bc)
    bs = Switch(bm, bcond) i32[] i32[]
    gs = Switch(g, bcond) f32[4,16] f32[4,16]
    bnext = Sub(bs:1, bl) i32[]
    pop = StackPopV2(bes) f32[4,16]
    grad = MadeUp(gs:1, pop) f32[4,16]
    bn = NextIteration(bnext) i32[]
    gn = NextIteration(grad) f32[4,16]
    done = Exit(gs) f32[4,16]
  )",
                     rounds, pushed);
}

struct Simulated {
  io::Document document;
  StepGraph graph;
  FaithfulStep step;

  explicit Simulated(const std::string& text) : document(test::read_graph(text)) {
    const auto tensors = TensorTable::build(document.graph, {.model = SizeModel::kFaithful});
    REQUIRE(tensors);
    auto built = build_step_graph(document.graph, *tensors, {}, {});
    if (!built) FAIL(built.error().message);
    graph = *std::move(built);
    step = simulate_step(graph);
  }
  [[nodiscard]] Bytes peak() const { return step.timeline.device_peak; }
};

}  // namespace

TEST_CASE("what a loop pushes for its gradient counts once for each round") {
  const Bytes once = Simulated(training_loop(1, "out")).peak();
  // 9 further values of 256 bytes
  CHECK(Simulated(training_loop(10, "out")).peak() == once + 9 * 256);
  CHECK(Simulated(training_loop(100, "out")).peak() == once + 99 * 256);
}

TEST_CASE("what a loop does not push counts once however often it runs") {
  const Bytes once = Simulated(training_loop(1, "outside")).peak();
  CHECK(Simulated(training_loop(100, "outside")).peak() == once);
}

TEST_CASE("the pushed values live from the forward loop to the end of the backward loop") {
  const Simulated made(training_loop(10, "out"));
  REQUIRE(made.graph.holds.size() == 1);
  CHECK(made.graph.holds[0].values == 9);
  const auto held = std::find_if(made.step.buffers.begin(), made.step.buffers.end(),
                                 [](const StepBuffer& buffer) { return buffer.values == 9; });
  REQUIRE(held != made.step.buffers.end());
  CHECK(held->bytes == 9 * 256);
  const auto at = [&](const char* name) {
    const auto& schedule = made.step.timeline.schedule;
    return static_cast<std::int32_t>(
        std::find(schedule.begin(), schedule.end(), test::op(made.document, name)) -
        schedule.begin());
  };
  CHECK(held->from_step == std::max(at("m"), at("h")));
  CHECK(held->to_step == std::max({at("pop"), at("bn"), at("gn"), at("done")}));
  // What is there adds up to the curve.
  for (std::size_t i = 0; i < made.step.timeline.device.size(); ++i) {
    Bytes sum = made.step.timeline.resident_bytes;
    for (const StepBuffer& buffer : made.step.buffers) {
      const bool is_there = buffer.from_step <= static_cast<std::int32_t>(i) &&
                            static_cast<std::int32_t>(i) <= buffer.to_step;
      if (is_there && buffer.space == Space::kDevice && !buffer.is_pinned) sum += buffer.bytes;
    }
    CHECK(sum == made.step.timeline.device[i]);
  }
}

TEST_CASE(
    "the variable of a loop that is pushed is the value of the round before, and one buffer") {
  const Bytes pushed = Simulated(training_loop(10, "hs:1")).peak();
  CHECK(pushed == Simulated(training_loop(10, "out")).peak());
  std::string both = training_loop(10, "out");
  both += "    stack2 = StackV2(most)\n    es2 = Enter(stack2) +frame_name=\"f\"\n";
  both += "    push2 = StackPushV2(es2, hs:1) f32[4,16]\n";
  both += "    bes2 = Enter(stack2) +frame_name=\"b\"\n    pop2 = StackPopV2(bes2) f32[4,16]\n";
  const Simulated made(both);
  CHECK(made.graph.holds.size() == 1);
}

TEST_CASE(
    "elements that a TensorArray gives to a loop are there beside the tensor they came from") {
  const auto peak = [](const std::string& value) {
    return Simulated(R"(
      size = Const() i32[]
      x = Placeholder() f32[10,4,16]
      array = TensorArrayV3(size) +clear_after_read=true
      places = Const() i32[10]
      scatter = )" + value +
                     R"(
      e = Enter(x) f32[10,4,16] +frame_name="f"
      m = Merge(e, n) f32[10,4,16]
      flow = Enter(scatter) f32[] +frame_name="f" +is_constant=true
      handle = Enter(array) +frame_name="f" +is_constant=true
      flag = Const(^m) +dtype=bool
      cond = LoopCond(flag)
      s = Switch(m, cond) f32[10,4,16] f32[10,4,16]
      at = Const(^s) i32[]
      read = TensorArrayReadV3(handle, at, flow) f32[4,16]
      n = NextIteration(s:1) f32[10,4,16]
      out = Exit(s) f32[10,4,16]
    )")
        .peak();
  };
  const Bytes without = peak("MadeUp(array, places, x, array:1) f32[]");
  CHECK(peak("TensorArrayScatterV3(array, places, x, array:1) f32[]") == without + 10 * 256);
}

}  // namespace tideline
