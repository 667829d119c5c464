#include "core/memory/cluster_clock.h"

#include <catch2/catch.hpp>

#include "core/memory/faithful.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

// Two tasks: device 0 is the CPU of the first, 1 and 2 are GPU and CPU of the second, 3 is the CPU
// of a third. Every op takes 100 ns; the network carries a byte in 1 ns and has a latency of 10 ns.
struct Clustered {
  explicit Clustered(std::string_view text) : document(test::read_graph(text)) {
    const auto tensors = TensorTable::build(document.graph, {.model = SizeModel::kFaithful});
    REQUIRE(tensors);
    auto built = build_step_graph(document.graph, *tensors, {}, {});
    REQUIRE(built);
    step = *std::move(built);
    schedule = simulate_step(step).timeline.schedule;
    placement.devices = {{0, "CPU", "0", "first"},
                         {1, "GPU", "0", "second's GPU"},
                         {1, "CPU", "0", "second"},
                         {2, "CPU", "0", "third"}};
    placement.device_of.assign(document.graph.op_count(), 0);
    op_ns.assign(document.graph.op_count(), 100);
    profile.network = {1e9, 10, true};
    profile.to_host = {2e9, 0};
    profile.to_device = {4e9, 0};
  }

  Clustered& put(std::string_view op, std::uint32_t device) {
    placement.device_of[test::op(document, op).index()] = device;
    return *this;
  }
  [[nodiscard]] ClusterTime time() const {
    const auto sent = sent_tensors(step, schedule, placement);
    return cluster_time({&step, schedule, &placement, sent, op_ns}, CostModel(profile));
  }

  io::Document document;
  StepGraph step;
  std::vector<OpId> schedule;
  ClusterPlacement placement;
  std::vector<double> op_ns;
  DeviceProfile profile;
};

TEST_CASE("what is sent takes its bytes and a latency", "[cluster]") {
  Clustered made("a = MadeUp() f32[8,16]\nb = MadeUp(a) f32[4]\n");
  made.put("b", 3);
  const ClusterTime time = made.time();
  CHECK(time.step_ns == 100 + 512 + 10 + 100);
  CHECK(time.without_network_ns == 200);
  CHECK(time.network_alone_ns == 512 + 10);
  CHECK(time.is_network_the_limit());
  CHECK(time.busy_ns == std::vector<double>{100, 0, 0, 100});
  REQUIRE(time.links.size() == 2);  // what the first sends, and what the third receives
  CHECK(time.links[0].from == 0);
  CHECK(time.links[0].to == NetworkLink::kAll);
  CHECK(time.links[0].bytes == 512);
  CHECK(time.busiest_link()->busy_ns == 512);
}

TEST_CASE("the connection of a task carries one tensor at a time, that of pairs one each",
          "[cluster]") {
  Clustered made("a = MadeUp() f32[8,16]\nb = MadeUp(a) f32[4]\nc = MadeUp(a) f32[4]\n");
  made.put("b", 2).put("c", 3);
  CHECK(made.time().step_ns == 100 + 2 * 512 + 10 + 100);
  made.profile.network.is_shared = false;
  const ClusterTime time = made.time();
  CHECK(time.step_ns == 100 + 512 + 10 + 100);
  REQUIRE(time.links.size() == 2);
  CHECK(time.links[1].from == 0);
  CHECK(time.links[1].to == 2);
}

TEST_CASE("a tensor goes once to a device, however many ops read it there", "[cluster]") {
  Clustered made("a = MadeUp() f32[8,16]\nb = MadeUp(a) f32[4]\nc = MadeUp(a, a) f32[4]\n");
  made.put("b", 3).put("c", 3);
  CHECK(made.time().step_ns == 100 + 512 + 10 + 200);
  CHECK(made.time().links[0].bytes == 512);
}

TEST_CASE("to a GPU of another task it goes through its host", "[cluster]") {
  Clustered made("a = MadeUp() f32[8,16]\nb = MadeUp(a) f32[4]\nc = MadeUp(b) f32[4]\n");
  made.put("b", 1);
  CHECK(made.time().network_alone_ns == (512 + 10) + (16 + 10));
  CHECK(made.time().sending_alone_ns == 512 + 16);
  CHECK(made.time().without_network_ns == 300 + 128 + 8);
  // There 512 bytes by the network and the link to the device, back 16 by the link and the network.
  CHECK(made.time().step_ns == 100 + (512 + 10) + 128 + 100 + 8 + (16 + 10) + 100);
}

TEST_CASE("within a task nothing goes over the network", "[cluster]") {
  Clustered made("a = MadeUp() f32[8,16]\nb = MadeUp(a) f32[4]\n");
  made.put("a", 1).put("b", 2);
  const ClusterTime time = made.time();
  CHECK(time.step_ns == 100 + 256 + 100);
  CHECK(time.links.empty());
  CHECK(time.busiest_link() == nullptr);
  CHECK_FALSE(time.is_network_the_limit());
}

TEST_CASE("CPU devices of one task take turns", "[cluster]") {
  Clustered made("a = MadeUp() f32[4]\nb = MadeUp() f32[4]\n");
  made.placement.devices[3] = {0, "CPU", "1", "first's second"};
  made.put("b", 3);
  const ClusterTime time = made.time();
  CHECK(time.step_ns == 200);
  CHECK(time.busy_ns == std::vector<double>{100, 0, 0, 100});
}

TEST_CASE("an op that only waits for one of another task waits for a message", "[cluster]") {
  Clustered made("a = MadeUp() f32[8,16]\nb = MadeUp(^a) f32[4]\n");
  made.put("b", 3);
  CHECK(made.time().step_ns == 100 + 10 + 100);
}

TEST_CASE("devices run beside each other, and an op that waits holds up none that is ready",
          "[cluster]") {
  Clustered made(R"(
    a = MadeUp() f32[8,16]
    b = MadeUp(a) f32[4]
    c = MadeUp() f32[4]
    d = MadeUp(c) f32[4]
    e = MadeUp(d, b) f32[4]
  )");
  made.put("a", 3);
  // b comes first in the step, but its tensor arrives at 622, when c and d have long run.
  const ClusterTime time = made.time();
  CHECK(time.step_ns == 100 + 522 + 200);
  CHECK(time.busy_ns[0] == 400);
  CHECK(time.without_network_ns == 400);
}

}  // namespace
}  // namespace tideline
