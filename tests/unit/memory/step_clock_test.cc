#include "core/memory/step_clock.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

// Every op on the device takes 100 ns. A byte takes 2 ns to the host (512 bytes: 1,024 ns) and half
// a nanosecond back (256 ns).
struct Clocked {
  explicit Clocked(std::string_view text) : document(test::read_graph(text)) {
    const auto tensors = TensorTable::build(document.graph, {.model = SizeModel::kFaithful});
    REQUIRE(tensors);
    auto built = build_step_graph(document.graph, *tensors, {}, {});
    REQUIRE(built);
    graph = *std::move(built);
    step = simulate_step(graph);
    measured.assign(graph.ops.size(), 100);
    profile.to_host = {0.5e9, 0};
    profile.to_device = {2e9, 0};
  }
  [[nodiscard]] StepClock clock() const { return {graph, step, CostModel(profile, measured)}; }
  [[nodiscard]] StepTime time(std::optional<Bytes> budget = {}) const {
    return clock().time(budget);
  }
  [[nodiscard]] OpId op(std::string_view name) const { return test::op(document, name); }
  [[nodiscard]] double begin(const StepTime& time, std::string_view name) const {
    return time.ops[op(name).index()].begin_ns;
  }

  io::Document document;
  StepGraph graph;
  FaithfulStep step;
  DeviceProfile profile;
  std::vector<std::int64_t> measured;
};

// All are 512 bytes, the last one 256.
constexpr const char* kSwapped = R"(
  a = MadeUp() f32[8,16]
  out = Identity(a) @/cpu:0 f32[8,16]
  b = MadeUp(a) f32[8,16]
  c = MadeUp(b) f32[8,16]
  d = MadeUp(c) f32[8,16]
  in = Identity(out, ^c) @/cpu:0 f32[8,16]
  e = MadeUp(d, in) f32[4,16]
)";

}  // namespace

TEST_CASE("a swapped tensor occupies memory until its copy has ended") {
  const Clocked made(kSwapped);
  CHECK(made.step.timeline.device_peak == 1280);  // d, in and e
  const StepTime time = made.time();
  // a is copied from 100 to 1,124. b, c and d run until 400, the copy in from 1,124 to 1,380.
  CHECK(time.device_peak == 1536);  // a, b and c
  CHECK(time.compute_ns == 500);
  CHECK(made.begin(time, "e") == 1380);
  CHECK(time.step_ns() == 1480);
  CHECK(time.memory_ns == 0);
  REQUIRE(time.late.size() == 1);
  CHECK(time.late[0].wait_ns == 1380 - 400);
  CHECK(time.late[0].room_wait_ns == 0);
}

TEST_CASE("an op waits until a copy out gives memory back, and a copy in until it has room") {
  const Clocked made(kSwapped);
  const StepTime time = made.time(1280);
  REQUIRE_FALSE(time.stuck);
  CHECK(time.device_peak == 1280);
  // c has no room beside a and b until 1,124, and the copy in none beside c and d until 1,324.
  CHECK(made.begin(time, "c") == 1124);
  CHECK(made.begin(time, "d") == 1224);
  CHECK(made.begin(time, "e") == 1324 + 256);
  CHECK(time.step_ns() == 1680);
  CHECK(time.added_ns == 1680 - 500);
  CHECK(time.memory_ns == 1124 - 200);
  REQUIRE(time.memory_waits.size() == 1);
  CHECK(time.memory_waits[0].op == made.op("c"));
  CHECK(time.memory_waits[0].bytes == 512);
  CHECK(time.memory_waits[0].wait_ns == 924);
  CHECK(time.memory_waits[0].freed == TensorId{made.op("a"), 0});
  CHECK(time.memory_waits[0].by_copy_out);
  REQUIRE(time.late.size() == 1);
  CHECK(time.late[0].wait_ns == 256);
  CHECK(time.late[0].room_wait_ns == 100);  // c ended at 1,224
}

TEST_CASE("a step of which nothing runs and nothing can begin is stuck") {
  const Clocked made(kSwapped);
  const StepTime time = made.time(1279);
  REQUIRE(time.stuck);
  CHECK(time.stuck->op == made.op("e"));
  CHECK(time.stuck->bytes == 1280);
  CHECK_FALSE(time.stuck->copy_in.op.valid());
  CHECK(made.clock().least_memory(1536) == 1280);
  CHECK(made.clock().least_memory(1279) == 1279);
  CHECK(made.time(1023).stuck->op == made.op("b"));
}

TEST_CASE("a step is stuck when an op waits for a copy that never has room") {
  const Clocked made(R"(
    a = MadeUp() f32[8,16]
    out = Identity(a) @/cpu:0 f32[8,16]
    b = MadeUp(a) f32[8,16]
    c = MadeUp(b) f32[4,16]
    d = MadeUp(c) f32[16,16]
    in = Identity(out, ^c) @/cpu:0 f32[8,16]
    e = MadeUp(d, in) f32[4,16]
  )");
  const StepTime time = made.time(1280);
  REQUIRE(time.stuck);
  CHECK(made.begin(time, "d") == 1124);
  CHECK(time.stuck->op == made.op("e"));
  CHECK(time.stuck->copy_in == TensorId{made.op("in"), 0});
  CHECK(time.stuck->bytes == 1024 + 512);
  CHECK(made.clock().least_memory(4096) == 1024 + 512 + 256);
}

TEST_CASE("a result is not written over a tensor whose copy out still runs") {
  constexpr const char* kInPlace = R"(
    a = MadeUp() f32[8,16]
    out = Identity(a) @/cpu:0 f32[8,16]
    r = Relu(a) f32[8,16]
    c = MadeUp(r) f32[4,16]
    in = Identity(out, ^c) @/cpu:0 f32[8,16]
    e = MadeUp(c, in) f32[4,16]
  )";
  const Clocked made(kInPlace);
  CHECK(made.step.timeline.device_peak == 1024);  // c, in and e
  CHECK(made.time().device_peak == 1280);         // a, r and c
  const StepTime waits = made.time(1024);
  CHECK(made.begin(waits, "r") == 100);
  CHECK(made.begin(waits, "c") == 1124);
  CHECK(waits.device_peak == 1024);
  // With less room r waits for the copy, and then needs none of its own.
  const StepTime tight = made.time(1000);
  CHECK(made.begin(tight, "r") == 1124);
  REQUIRE_FALSE(tight.memory_waits.empty());
  CHECK(tight.memory_waits[0].op == made.op("r"));
  REQUIRE(tight.stuck);
  CHECK(tight.stuck->op == made.op("e"));
  CHECK(tight.stuck->bytes == 1024);
  // The timeline has a buffer for each of the two.
  const FaithfulStep seen = made.clock().timeline({});
  const auto buffer_of = [&](const char* name) {
    return seen.buffers_of[made.graph.tensor({made.op(name), 0})][0];
  };
  CHECK(buffer_of("a") != buffer_of("r"));
  CHECK(seen.timeline.device_peak == 1280);
}

TEST_CASE("copies are served in the order in which they become ready") {
  const Clocked made(R"(
    small = MadeUp() f32[8,16]
    big = MadeUp(small) f32[80,16]
    out_small = Identity(small) @/cpu:0 f32[8,16]
    out_big = Identity(big) @/cpu:0 f32[80,16]
    in_big = Identity(out_big) @/cpu:0 f32[80,16]
    c1 = MadeUp(big) f32[4,16]
    c2 = MadeUp(c1) f32[4,16]
    c3 = MadeUp(c2) f32[4,16]
    in_small = Identity(out_small, ^c3) @/cpu:0 f32[8,16]
    d = MadeUp(c3, in_small) f32[4,16]
    e = MadeUp(d, in_big) f32[4,16]
  )");
  REQUIRE(made.step.transfers.size() == 4);
  const StepTime time = made.time();
  // small is on the host at 1,124, big at 1,124 + 10,240; in_big comes before in_small in the step.
  CHECK(made.begin(time, "d") == 1124 + 256);
  CHECK(made.begin(time, "e") == 11'364 + 2560);
}

TEST_CASE(
    "the timeline of the clock has the most that is held while each op is the last to begin") {
  const Clocked made(kSwapped);
  const MemoryTimeline free = made.clock().timeline({}).timeline;
  // a; out; a b; a b c; a c d, d being the last to begin until e; in; d in e
  CHECK(free.device == std::vector<Bytes>{512, 512, 1024, 1536, 1536, 1536, 1280});
  CHECK(free.device_peak == 1536);
  CHECK(free.peak_step == 3);
  const FaithfulStep step = made.clock().timeline(1280);
  CHECK(step.timeline.device == std::vector<Bytes>{512, 512, 1024, 1024, 1024, 1024, 1280});
  CHECK(step.timeline.device_peak == 1280);
  Bytes alive = 0;
  for (const LiveTensor& tensor : step.timeline.alive_at_peak) alive += tensor.bytes;
  CHECK(alive == 1280);
  // Without swaps it is that of the steps.
  const Clocked plain(
      "a = MadeUp() f32[8,16]\n b = Relu(a) f32[8,16]\n c = MadeUp(b, b) f32[4,16]\n");
  CHECK(plain.clock().timeline({}).timeline.device == plain.step.timeline.device);
}

TEST_CASE("resident memory counts towards the budget") {
  const Clocked made(R"(
    w = VariableV2() f32[8,16]
    a = MadeUp(w) f32[8,16]
  )");
  const Bytes resident = made.step.timeline.resident_bytes;
  REQUIRE(resident > 0);
  CHECK(made.time(resident + 512).device_peak == resident + 512);
  REQUIRE(made.time(resident + 511).stuck);
  CHECK(made.time(resident + 511).stuck->bytes == resident + 512);
  CHECK(made.time(resident - 1).stuck);
}

}  // namespace tideline
