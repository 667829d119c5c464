#include "core/memory/loop_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

constexpr RunModel kOnGpu{AsRun::kModelled, Executor::kGpu};
constexpr RunModel kOnCpu{AsRun::kModelled, Executor::kCpu};

// A loop of `rounds` that computes h = MadeUp(h), 256 bytes, and pushes it; the backward loop pops.
std::string pushing_loop(int rounds) {
  return fmt::format(R"(
    zero = Const() +value=i32[]{{0}} +dtype=i32
    bound = Const() +value=i32[]{{{}}} +dtype=i32
    x = Placeholder() f32[4,16] +shape=[4,16]
    most = Const() i32[] +value=i32[]{{-1}} +dtype=i32
    stack = StackV2(most)
    e = Enter(zero) i32[] +frame_name="f"
    limit = Enter(bound) i32[] +frame_name="f" +is_constant=true
    ex = Enter(x) f32[4,16] +frame_name="f"
    es = Enter(stack) +frame_name="f" +is_constant=true
    m = Merge(e, n) i32[]
    h = Merge(ex, hn) f32[4,16]
    c = Less(m, limit)
    cond = LoopCond(c)
    s = Switch(m, cond) i32[] i32[]
    hs = Switch(h, cond) f32[4,16] f32[4,16]
    i = Identity(s:1) i32[]
    one = Const(^i) +value=i32[]{{1}} +dtype=i32
    next = Add(i, one) i32[]
    out = MadeUp(hs:1) f32[4,16]
    push = StackPushV2(es, out) f32[4,16]
    n = NextIteration(next, ^push) i32[]
    hn = NextIteration(out) f32[4,16]
    count = Exit(s) i32[]
    last = Exit(hs) f32[4,16]
    be = Enter(count) i32[] +frame_name="b"
    first = Const() +value=i32[]{{1}} +dtype=i32
    bl = Enter(first) i32[] +frame_name="b" +is_constant=true
    bg = Enter(last) f32[4,16] +frame_name="b"
    bes = Enter(stack) +frame_name="b" +is_constant=true
    bm = Merge(be, bn) i32[]
    g = Merge(bg, gn) f32[4,16]
    bc = GreaterEqual(bm, bl)
    bcond = LoopCond(bc)
    bs = Switch(bm, bcond) i32[] i32[]
    gs = Switch(g, bcond) f32[4,16] f32[4,16]
    bnext = Sub(bs:1, bl) i32[]
    pop = StackPopV2(bes, ^bnext) f32[4,16]
    grad = MadeUp(gs:1, pop) f32[4,16]
    bn = NextIteration(bnext, ^pop) i32[]
    gn = NextIteration(grad) f32[4,16]
    done = Exit(gs) f32[4,16]
    y = MadeUp(done) f32[4,16]
  )",
                     rounds);
}

// A loop of `rounds` in which h = h + MadeUp(MadeUp(Exp(x))): `more` is what else it has.
std::string counting_loop(int rounds, int parallel, const std::string& more) {
  return fmt::format(R"(
    zero = Const() +value=i32[]{{0}} +dtype=i32
    bound = Const() +value=i32[]{{{0}}} +dtype=i32
    x = Placeholder() f32[4,16] +shape=[4,16]
    e = Enter(zero) i32[] +frame_name="f" +parallel_iterations={1}
    limit = Enter(bound) i32[] +frame_name="f" +is_constant=true +parallel_iterations={1}
    always = Enter(x) f32[4,16] +frame_name="f" +is_constant=true +parallel_iterations={1}
    ex = Enter(x) f32[4,16] +frame_name="f" +parallel_iterations={1}
    m = Merge(e, n) i32[]
    h = Merge(ex, hn) f32[4,16]
    c = Less(m, limit)
    cond = LoopCond(c)
    s = Switch(m, cond) i32[] i32[]
    hs = Switch(h, cond) f32[4,16] f32[4,16]
    i = Identity(s:1) i32[]
    one = Const(^i) +value=i32[]{{1}} +dtype=i32
    next = Add(i, one) i32[]
    n = NextIteration(next) i32[]
    hn = NextIteration(sum) f32[4,16]
    last = Exit(hs) f32[4,16]
    {2}
  )",
                     rounds, parallel, more);
}

struct Run {
  io::Document document;
  StepGraph graph;
  FaithfulStep step;

  Run(const std::string& text, const std::string& fetch, RunModel run = kOnGpu)
      : document(test::read_graph(text)) {
    const auto tensors = TensorTable::build(document.graph, {.model = SizeModel::kFaithful});
    REQUIRE(tensors);
    StepOptions options;
    options.fetches = {fetch};
    options.run = run;
    auto built = build_step_graph(document.graph, *tensors, {}, options);
    if (!built) FAIL(built.error().message);
    graph = *std::move(built);
    auto simulated = simulate_loops(graph);
    REQUIRE(simulated);
    step = *std::move(simulated);
    check();
  }
  // Every op that runs is there once, and what is there adds up to the curve.
  void check() const {
    const MemoryTimeline& timeline = step.timeline;
    std::vector<OpId> ops = timeline.schedule;
    std::sort(ops.begin(), ops.end());
    CHECK(std::adjacent_find(ops.begin(), ops.end()) == ops.end());
    CHECK(ops.size() == schedule_step(graph).ops.size());
    for (std::size_t i = 0; i < timeline.device.size(); ++i) {
      const auto at = static_cast<std::int32_t>(i);
      Bytes sum = timeline.resident_bytes;
      for (const StepBuffer& buffer : step.buffers) {
        const bool is_there = buffer.from_step <= at && at <= buffer.to_step;
        if (is_there && buffer.space == Space::kDevice && !buffer.is_pinned) sum += buffer.bytes;
      }
      CHECK(sum == timeline.device[i]);
    }
    CHECK(timeline.device_peak ==
          *std::max_element(timeline.device.begin(), timeline.device.end()));
  }
  [[nodiscard]] Bytes peak() const { return step.timeline.device_peak; }
  [[nodiscard]] Bytes at(const char* name) const {
    const auto& schedule = step.timeline.schedule;
    const auto found = std::find(schedule.begin(), schedule.end(), test::op(document, name));
    REQUIRE(found != schedule.end());
    return step.timeline.device[static_cast<std::size_t>(found - schedule.begin())];
  }
};

}  // namespace

TEST_CASE("each round leaves on the stack what it pushed, and the backward loop takes it off") {
  for (const RunModel& run : {kOnGpu, kOnCpu}) {
    const Run once(pushing_loop(2), "y", run);
    const Run ten(pushing_loop(10), "y", run);
    CHECK(ten.peak() == once.peak() + 8 * 256);
    // When the loops are over nothing of it is left.
    CHECK(ten.at("y") == once.at("y"));
    CHECK(ten.at("y") <= once.peak() - 256);
  }
}

TEST_CASE("what rounds leave grows with their number, however few of them are written") {
  const Run hundred(pushing_loop(100), "y");
  const Run many(pushing_loop(10'000), "y");
  CHECK(many.peak() == hundred.peak() + 9'900 * 256);
  CHECK(hundred.peak() == Run(pushing_loop(50), "y").peak() + 50 * 256);
  CHECK(many.at("y") == hundred.at("y"));
  CHECK(many.step.timeline.schedule == hundred.step.timeline.schedule);
}

TEST_CASE("what is held of other rounds is one buffer of many values") {
  const Run ten(pushing_loop(10), "y");
  std::int64_t values = 0;
  Bytes bytes = 0;
  for (const LiveTensor& alive : ten.step.timeline.alive_at_peak) {
    if (alive.tensor.op != test::op(ten.document, "out")) continue;
    values = std::max(values, alive.values);
    bytes += alive.bytes;
  }
  CHECK(values >= 8);
  CHECK(bytes >= 9 * 256);
}

TEST_CASE("a variable of a loop is one buffer, however often the loop runs") {
  const std::string body = "sum = Relu(hs:1) f32[4,16]\n";
  // x, which is fed, the variable, and a condition: the first round has only x yet
  CHECK(Run(counting_loop(2, 10, body), "last").peak() == 3 * 256);
  CHECK(Run(counting_loop(100, 10, body), "last").peak() == 3 * 256);
}

TEST_CASE("rounds that do not read each other run ahead, as far as parallel_iterations let them") {
  // The counter goes round in five ops, the sum takes longer: what MadeUp makes waits for it.
  const std::string body = R"(
    a = MadeUp(always, ^i) f32[4,16]
    b = MadeUp(hs:1) f32[4,16]
    d = MadeUp(b) f32[4,16]
    f = MadeUp(d) f32[4,16]
    k = MadeUp(f) f32[4,16]
    l = MadeUp(k) f32[4,16]
    o = MadeUp(l) f32[4,16]
    p = MadeUp(o) f32[4,16]
    sum = MadeUp(p, a) f32[4,16]
)";
  const Run alone(counting_loop(40, 1, body), "last");
  const Run ten(counting_loop(40, 10, body), "last");
  const Run thirty(counting_loop(40, 30, body), "last");
  CHECK(alone.peak() < ten.peak());
  CHECK(ten.peak() < thirty.peak());
  CHECK(thirty.peak() <= alone.peak() + 30 * 256);
}

TEST_CASE("an element of a TensorArray is the buffer that was written, until it is read") {
  const std::string writes = R"(
    size = Const() +value=i32[]{10} +dtype=i32
    array = TensorArrayV3(size)
    ea = Enter(array) +frame_name="f" +is_constant=true
    flow = Enter(array:1) f32[] +frame_name="f" +is_constant=true
    sum = MadeUp(hs:1) f32[4,16]
    write = TensorArrayWriteV3(ea, i, sum, flow, ^next) f32[]
    hw = Identity(write) f32[]
    places = Const(^last) +value=i32[]{10} +dtype=i32
  )";
  const std::string loop = counting_loop(10, 10, writes);
  std::string waits = loop;
  const std::string back = "n = NextIteration(next) i32[]";
  waits.replace(waits.find(back), back.size(), "n = NextIteration(next, ^hw) i32[]");
  const std::string gather =
      "    all = TensorArrayGatherV3(array, places, array:1, ^last) f32[10,4,16]\n"
      "    y = MadeUp(all) f32[10,4,16]\n    z = MadeUp(y) f32[10,4,16]\n";
  const Run kept(waits, "last");
  const Run read(waits + gather, "z");
  // Nobody takes them: they stay. Then the gathered tensor is there beside them, and they go.
  CHECK(kept.at("last") - kept.at("x") >= 9 * 256);
  CHECK(read.at("all") >= read.at("last") + 10 * 256);
  CHECK(read.at("y") == 256 + 2 * 10 * 256);  // x, all, y: the elements are gone
  std::string stays = waits + gather;
  const std::string array = "array = TensorArrayV3(size)";
  stays.replace(stays.find(array), array.size(),
                "array = TensorArrayV3(size) +clear_after_read=false");
  CHECK(Run(stays, "z").at("y") == read.at("y") + 10 * 256);
}

TEST_CASE("elements that a loop reads one by one leave the array one by one") {
  const auto run = [](const char* clears) {
    return Run(counting_loop(10, 1,
                             fmt::format(R"(
      size = Const() +value=i32[]{{10}} +dtype=i32
      xs = Placeholder() f32[10,4,16] +shape=[10,4,16]
      array = TensorArrayV3(size) +clear_after_read={}
      places = Const() +value=i32[]{{10}} +dtype=i32
      scatter = TensorArrayScatterV3(array, places, xs, array:1) f32[]
      ea = Enter(array) +frame_name="f" +is_constant=true
      flow = Enter(scatter) f32[] +frame_name="f" +is_constant=true
      read = TensorArrayReadV3(ea, i, flow) f32[4,16]
      sum = MadeUp(hs:1, read) f32[4,16]
      y = MadeUp(last) f32[4,16]
    )",
                                         clears)),
               "y");
  };
  CHECK(run("false").at("y") == run("true").at("y") + 10 * 256);
}

TEST_CASE("a loop inside a loop runs in each of its rounds") {
  const auto nested = [](int outer, int inner) {
    return counting_loop(outer, 10,
                         fmt::format(R"(
      inner_bound = Const() +value=i32[]{{{}}} +dtype=i32
      outer_bound = Enter(inner_bound) i32[] +frame_name="f" +is_constant=true
      most = Const() i32[] +value=i32[]{{-1}} +dtype=i32
      stack = StackV2(most)
      outer_stack = Enter(stack) +frame_name="f" +is_constant=true
      start = Const(^i) +value=i32[]{{0}} +dtype=i32
      ie = Enter(start) i32[] +frame_name="g"
      il = Enter(outer_bound) i32[] +frame_name="g" +is_constant=true
      is = Enter(outer_stack) +frame_name="g" +is_constant=true
      ix = Enter(hs:1) f32[4,16] +frame_name="g"
      im = Merge(ie, in) i32[]
      ih = Merge(ix, ihn) f32[4,16]
      ic = Less(im, il)
      icond = LoopCond(ic)
      isw = Switch(im, icond) i32[] i32[]
      ihs = Switch(ih, icond) f32[4,16] f32[4,16]
      ii = Identity(isw:1) i32[]
      ione = Const(^ii) +value=i32[]{{1}} +dtype=i32
      inext = Add(ii, ione) i32[]
      made = MadeUp(ihs:1) f32[4,16]
      push = StackPushV2(is, made) f32[4,16]
      in = NextIteration(inext, ^push) i32[]
      ihn = NextIteration(made) f32[4,16]
      sum = Exit(ihs) f32[4,16]
      pop = StackPopV2(stack, ^last) f32[4,16]
      y = MadeUp(pop, last) f32[4,16]
    )",
                                     inner));
  };
  // Each value is pushed, one is taken; the others are forgotten, as nobody takes them.
  const Run two(nested(2, 3), "y");
  const Run four(nested(4, 3), "y");
  CHECK(four.peak() >= two.peak());
  CHECK(four.step.timeline.schedule == two.step.timeline.schedule);
}

TEST_CASE("a step without loops, or as in the file, has no rounds to write") {
  const io::Document document = test::read_graph(pushing_loop(10));
  const auto tensors = TensorTable::build(document.graph, {.model = SizeModel::kFaithful});
  REQUIRE(tensors);
  StepOptions options;
  options.fetches = {"y"};
  const auto in_file = build_step_graph(document.graph, *tensors, {}, options);
  REQUIRE(in_file);
  CHECK(in_file->holds.size() == 1);
  const FaithfulStep step = simulate_step(*in_file);
  CHECK(std::any_of(step.buffers.begin(), step.buffers.end(),
                    [](const StepBuffer& buffer) { return buffer.values == 9; }));
}

}  // namespace tideline
