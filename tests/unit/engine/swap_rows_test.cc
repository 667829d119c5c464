#include "app/engine/swap_rows.h"

#include <catch2/catch.hpp>

#include "core/base/output_file.h"
#include "tests/support/graph_text.h"
#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

// Tensors of 4 x 64 floats: 1024 bytes each. `a` is read again four levels later.
constexpr const char* kChain =
    "x = Placeholder() f32[4,64]\n"
    "a = Relu(x) f32[4,64]\n"
    "b = Relu(a) f32[4,64]\n"
    "c = Relu(b) f32[4,64]\n"
    "d = Relu(c) f32[4,64]\n"
    "e = Add(d, a) f32[4,64]\n";

std::vector<ui::SwapRow> rows_of(Policy policy, const DeviceProfile& profile) {
  const test::TemporaryFolder folder;
  REQUIRE(write_file(folder.file("g.pb"), test::encode_graph(kChain), true));
  Progress silent;
  const auto graph = app::open({.graph = {.path = folder.file("g.pb")}}, silent);
  REQUIRE(graph);
  policy.rewriter = "lms2";
  set_value(policy, "swapout-threshold", 2);
  set_value(policy, "swapin-ahead", 1);
  set_value(policy, "swapin-groupby", 0);
  const auto snapshot = app::make_snapshot(*graph, policy, profile, silent);
  REQUIRE(snapshot);
  return app::swap_rows(**snapshot);
}

DeviceProfile one_ns_a_byte() {
  DeviceProfile profile;
  profile.memory_bytes_per_s = 1e9;
  profile.to_host = {1e9, 0};
  profile.to_device = {1e9, 0};
  return profile;
}

}  // namespace

TEST_CASE("A row says where a tensor is when, and how much time its way back has", "[session]") {
  const auto rows = rows_of({}, one_ns_a_byte());
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].name == "a:0");
  CHECK(rows[0].bytes == 1024);
  CHECK(rows[0].producer_level == 1);
  CHECK(rows[0].out_level == 2);
  CHECK(rows[0].in_level == 4);  // after c, of level 3
  CHECK(rows[0].consumer_level == 5);
  CHECK(rows[0].transfer_ns == 1024);
  CHECK(rows[0].slack_ns == 1024);  // d reads and writes 1024 each, the copy takes 1024
  CHECK(rows[0].wait_ns == 0);
  CHECK_FALSE(rows[0].why.empty());
  CHECK(rows[0].user == Override::kNone);
}

TEST_CASE("A swap-in that comes late has no slack but lacks some", "[session]") {
  DeviceProfile slow = one_ns_a_byte();
  slow.to_device.bytes_per_s = 0.25e9;
  const auto rows = rows_of({}, slow);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].transfer_ns == 4096);
  CHECK(rows[0].wait_ns == 2048);
  CHECK(rows[0].slack_ns == -2048);  // d runs for 2048, the copy for 4096
}

TEST_CASE("A row says what the user decided", "[session]") {
  Policy policy;
  set_value(policy, "swap-tensors", std::vector<std::string>{"a"});
  const auto rows = rows_of(policy, one_ns_a_byte());
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].user == Override::kSwap);
}

TEST_CASE("The slowest link is no overflow", "[session]") {
  DeviceProfile slowest = one_ns_a_byte();
  slowest.to_device = {1e-300, 9000000000000000000};
  const auto rows = rows_of({}, slowest);
  CHECK(rows[0].transfer_ns > 0);
  CHECK(rows[0].slack_ns < 0);
}

}  // namespace tideline
