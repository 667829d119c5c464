#include "core/memory/measured/trace_lanes.h"

#include <catch2/catch.hpp>
#include <random>

#include "core/memory/measured/lane_names.h"
#include "tests/support/graph_text.h"
#include "tests/support/trace_text.h"

namespace tideline {
namespace {

// b is swapped out and in between a and d.
constexpr const char* kSwapped = R"(
  a = MadeUp() f32[4]
  b = Relu(a) f32[4]
  lms/swapout_b = Identity(b) f32[4]
  lms/swapin_b = Identity(lms/swapout_b) f32[4]
  c = Relu(b) f32[4]
  d = MadeUp(c, lms/swapin_b) f32[4]
)";

struct Laned {
  io::Document document;
  StepTrace trace;
  LanedTrace laned;

  explicit Laned(std::string_view text, std::string_view graph = kSwapped)
      : document(test::read_graph(graph)),
        trace(test::read_trace(text)),
        laned(lay_out_trace(document.graph, trace)) {}

  [[nodiscard]] std::string name(ZonePlace place) const {
    return std::string(trace.ops[laned.zone(place).row].name);
  }
  // "a 0-5 | b 2-4": the tracks of a lane, in microseconds.
  [[nodiscard]] std::string tracks(std::size_t lane) const {
    std::string text;
    for (const auto& track : laned.lanes.at(lane).tracks) {
      if (!text.empty()) text += "| ";
      for (const TraceZone& zone : track) {
        text += fmt::format("{} {}-{} ", trace.ops[zone.row].name, zone.from_ns / 1000,
                            zone.to_ns / 1000);
      }
    }
    return text;
  }
};

}  // namespace

TEST_CASE("executions that overlap are in different tracks of their device", "[memory]") {
  const Laned run(R"(
    a = MadeUp() | 10+5
    b = Relu(a) | 12+10
    c = Relu(b) | 15+2
    d = MadeUp(c) | 17+1
  )");
  REQUIRE(run.laned.lanes.size() == 1);
  CHECK(run.tracks(0) == "a 0-5 c 5-7 d 7-8 | b 2-12 ");
  CHECK(run.laned.begin_ns == 10'000);
  CHECK(run.laned.span_ns == 12'000);
}

TEST_CASE("kernels and copies of a device stand below its ops, wherever the file has them",
          "[memory]") {
  const Laned run(R"(
    device /device:GPU:0/stream:7
    a:MadeUp = MadeUp(k) | 3+5
    device /job:localhost/replica:0/task:0/device:CPU:0
    c = Relu(b) | 5+1
    device /gpu:0/memcpy
    copy = MEMCPYHtoD(x) | 4+1
    device /job:localhost/replica:0/task:0/device:GPU:0
    b = Relu(a) | 1+1
  )");
  REQUIRE(run.laned.lanes.size() == 4);
  std::vector<std::string> names;
  for (const ZoneLane& lane : run.laned.lanes) names.push_back(short_lane_name(lane.device));
  CHECK(names == std::vector<std::string>{"GPU:0", "GPU:0 stream:7", "gpu:0 memcpy", "CPU:0"});
}

TEST_CASE("a swap-in is paired with the swap-out that it reads, in a loop with that of its round",
          "[memory]") {
  const Laned run(R"(
    lms/swapout_b = Identity(b) | 1+2
    lms/swapin_b = Identity(lms/swapout_b) | 5+2
    lms/swapout_b = Identity(b) | 11+2
    lms/swapin_b = Identity(lms/swapout_b) | 15+2
  )");
  REQUIRE(run.laned.swaps.size() == 2);
  CHECK(run.laned.zone(run.laned.swaps[0].out).from_ns == 0);
  CHECK(run.laned.zone(run.laned.swaps[0].in).from_ns == 4000);
  CHECK(run.laned.zone(run.laned.swaps[1].out).from_ns == 10'000);
  CHECK(run.name(run.laned.swaps[1].in) == "lms/swapin_b");
}

TEST_CASE("a lane that has nothing to do until a swap-in is there has a gap", "[memory]") {
  const Laned run(R"(
    a = MadeUp() | 0+10
    lms/swapout_b = Identity(b) | 10+5
    c = Relu(b) | 10+10
    lms/swapin_b = Identity(lms/swapout_b) | 15+20
    d = MadeUp(c, lms/swapin_b) | 36+4
  )");
  REQUIRE(run.laned.gaps.size() == 1);
  const LateGap& gap = run.laned.gaps[0];
  CHECK(gap.from_ns == 20'000);  // c ended
  CHECK(gap.to_ns == 36'000);
  CHECK(run.name(gap.swap_in) == "lms/swapin_b");
  CHECK(run.name(gap.reader) == "d");
}

TEST_CASE("a swap-in in time, and idle time without one, make no gap", "[memory]") {
  const Laned in_time(R"(
    a = MadeUp() | 0+10
    lms/swapin_b = Identity(lms/swapout_b) | 5+10
    c = Relu(b) | 10+10
    d = MadeUp(c, lms/swapin_b) | 25+4
  )");
  CHECK(in_time.laned.gaps.empty());  // it was there when c ended
  const Laned other(R"(
    a = MadeUp() | 0+10
    c = Relu(b) | 30+10
  )");
  CHECK(other.laned.gaps.empty());
}

TEST_CASE("statistics count what lies in a stretch, and the parts of what lies partly in it",
          "[memory]") {
  const Laned run(R"(
    a = MadeUp() | 0+10
    b = Relu(a) | 5+10
    c = Relu(b) | 20+4
    d = MadeUp(c) | 30+1
  )");
  const RangeStatistics all = range_statistics(run.trace, run.laned, 0, 40'000);
  REQUIRE(all.lanes.size() == 1);
  CHECK(all.lanes[0].all.count == 4);
  CHECK(all.lanes[0].all.total_ns == 25'000);
  CHECK(all.lanes[0].all.mean_ns() == 6250);
  CHECK(all.lanes[0].all.longest_ns == 10'000);
  CHECK(run.name(all.lanes[0].all.longest) == "a");
  CHECK(all.lanes[0].busy_ns == 20'000);  // a and b overlap in 5
  REQUIRE(all.types.size() == 2);
  CHECK(all.types[0].type == "Relu");
  CHECK(all.types[0].all.total_ns == 14'000);
  CHECK(all.types[1].all.count == 2);
  const RangeStatistics part = range_statistics(run.trace, run.laned, 8000, 22'000);
  CHECK(part.lanes[0].all.count == 3);
  CHECK(part.lanes[0].all.total_ns == 2000 + 7000 + 2000);
  CHECK(part.lanes[0].busy_ns == 9000);
  CHECK(range_statistics(run.trace, run.laned, 16'000, 19'000).lanes[0].all.count == 0);
}

TEST_CASE("late time counts as far as it lies in the stretch", "[memory]") {
  const Laned run(R"(
    a = MadeUp() | 0+10
    lms/swapin_b = Identity(lms/swapout_b) | 5+20
    d = MadeUp(c, lms/swapin_b) | 26+4
  )");
  REQUIRE(run.laned.gaps.size() == 1);
  CHECK(range_statistics(run.trace, run.laned, 0, 100'000).late_ns == 16'000);
  CHECK(range_statistics(run.trace, run.laned, 20'000, 100'000).late_ns == 6000);
}

TEST_CASE("tracks of random executions never overlap, and have all of them", "[memory]") {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    std::string text;
    const int count = 1 + static_cast<int>(random() % 200);
    for (int i = 0; i < count; ++i) {
      text += fmt::format("a = MadeUp() | {}+{}\n", random() % 500, random() % 20);
    }
    const Laned run(text);
    std::size_t zones = 0;
    const auto& tracks = run.laned.lanes.at(0).tracks;
    for (const auto& track : tracks) {
      zones += track.size();
      for (std::size_t i = 1; i < track.size(); ++i) {
        CHECK(track[i - 1].from_ns <= track[i].from_ns);
        if (tracks.size() < ZoneLane::kMostTracks) {
          CHECK(track[i - 1].to_ns <= track[i].from_ns);
        }
      }
    }
    CHECK(zones == static_cast<std::size_t>(count));
  }
}

TEST_CASE("times at both ends of 64 bits overflow nothing", "[memory]") {
  StepTrace trace;
  trace.devices.push_back({"/device:CPU:0", TraceLane::kOps});
  trace.ops.resize(2);
  trace.ops[0].name = "a";
  trace.ops[0].start_ns = std::numeric_limits<std::int64_t>::min();
  trace.ops[1].name = "b";
  trace.ops[1].start_ns = std::numeric_limits<std::int64_t>::max();
  trace.ops[1].duration_ns = std::numeric_limits<std::int64_t>::max();
  const auto document = test::read_graph(kSwapped);
  const LanedTrace laned = lay_out_trace(document.graph, trace);
  CHECK(laned.span_ns == std::int64_t{1} << 62U);
  const RangeStatistics all =
      range_statistics(trace, laned, 0, std::numeric_limits<std::int64_t>::max());
  CHECK(all.lanes[0].all.count == 2);
  CHECK(lay_out_trace(document.graph, {}).lanes.empty());
}

TEST_CASE("devices of several tasks are told apart by their task", "[memory]") {
  const Laned run(R"(
    device /job:worker/replica:0/task:1/device:CPU:0
    b = Relu(a) | 1+1
    device /job:ps/replica:0/task:0/device:CPU:0
    c = Relu(b) | 5+1
    device /job:worker/replica:0/task:1/device:CPU:0/stream:7
    a:MadeUp = MadeUp(k) | 3+5
  )");
  REQUIRE(run.laned.has_tasks);
  std::vector<std::string> names;
  for (const ZoneLane& lane : run.laned.lanes) names.push_back(short_lane_name(lane.device, true));
  CHECK(names ==
        std::vector<std::string>{"worker:1 CPU:0", "worker:1 CPU:0 stream:7", "ps:0 CPU:0"});
  CHECK(task_of_lane(run.laned.lanes[1].device) == "/job:worker/task:1");
  CHECK(task_of_lane("/device:GPU:0/stream:7").empty());
}

TEST_CASE("lanes of one device stand together however its name is spelled", "[memory]") {
  std::string text;
  for (const char* device : {"/job:w/device:GPU:0", "/gpu:1", "/device:gpu:0/stream:7"}) {
    text += fmt::format("device {}\n a = MadeUp() | 10+5\n", device);
  }
  const Laned run(text);
  REQUIRE(run.laned.lanes.size() == 3);
  CHECK(run.laned.lanes[1].device == "/device:gpu:0/stream:7");
  CHECK(device_of_lane("/device:gpu:0/stream:7") == device_of_lane("/job:w/device:GPU:0"));
}

// Each row is looked at once, and each name: a trace of many devices took minutes.
TEST_CASE("a trace of a hundred thousand devices is laid out at once", "[memory]") {
  const io::Document document = test::read_graph(kSwapped);
  std::vector<std::string> names;
  for (int i = 0; i < 100'000; ++i) names.push_back(fmt::format("/device:GPU:{}", i));
  StepTrace trace;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    trace.devices.push_back({names[i], TraceLane::kOps});
    TracedOp op;
    op.name = "a";
    op.device = i;
    op.start_ns = i;
    trace.ops.push_back(op);
  }
  CHECK(lay_out_trace(document.graph, trace).lanes.size() == names.size());
}

}  // namespace tideline
