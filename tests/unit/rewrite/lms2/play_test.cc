#include "core/rewrite/lms2/play.h"

#include <catch2/catch.hpp>

#include "core/rewrite/lms2/play_input.h"
#include "core/rewrite/lms2/prepared.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

// 4 x 16 floats are 256 bytes.
constexpr const char* kChain = R"(
  a = MadeUp() f32[4,16]
  b = MadeUp(a) f32[4,16]
  c = MadeUp(b) f32[4,16]
  d = MadeUp(c) f32[4,16]
  e = MadeUp(d, a) f32[4,16]
)";

MemoryTimeline timeline(std::string_view text, const SwapParameters& set) {
  const io::Document document = test::read_graph(text);
  const auto prepared = lms2::Prepared::make(document.graph, {}, {});
  REQUIRE(prepared);
  const auto graph = lms2::build_play_graph((*prepared)->context(), (*prepared)->candidates(), {});
  REQUIRE(graph);
  return lms2::Player(*graph).timeline(set);
}

using Curve = std::vector<Bytes>;

}  // namespace

TEST_CASE("without swaps a tensor lives until its last reader; unread outputs take nothing") {
  const MemoryTimeline play = timeline(kChain, {5, 1, 0, 0});
  // a; a b; a b c; a c d; a d
  CHECK(play.device == Curve{256, 512, 768, 768, 512});
  CHECK(play.device_peak == 768);
  CHECK(play.peak_step == 2);
  CHECK(play.host_peak == 0);
  REQUIRE(play.alive_at_peak.size() == 3);
  CHECK(play.alive_at_peak[0].tensor.op == OpId{0});
  CHECK(play.alive_at_peak[0].last_reader == OpId{4});
  CHECK(play.alive_at_peak[0].to_step == 4);
}

TEST_CASE("a swapped tensor leaves with its last direct reader and comes back at its trigger") {
  const MemoryTimeline play = timeline(kChain, {2, 1, 0, 0});
  // a; a b; b c, and a again after c; a c d; a d
  CHECK(play.device == Curve{256, 512, 512, 768, 512});
  CHECK(play.host == Curve{256, 256, 256, 256, 0});
  CHECK(play.swapped_out_tensors == 1);
  CHECK(play.swap_ins == 1);
  CHECK(play.bytes_out == 256);
  CHECK(play.bytes_in == 256);
}

TEST_CASE("a synchronised swap-in comes after the last other input of its reader") {
  const MemoryTimeline play = timeline(kChain, {2, 1, 0, 2});
  // a; a b; b c; c d, and a again after d; a d
  CHECK(play.device == Curve{256, 512, 512, 512, 512});
}

TEST_CASE("without a trigger the first reader allocates and the host copy stays") {
  const MemoryTimeline play = timeline(R"(
    a = MadeUp() f32[4,16]
    b = MadeUp(a) f32[4,16]
    c = MadeUp(b) f32[4,16]
    d = MadeUp(c) f32[4,16]
    e = MadeUp(a, ^d) f32[4,16]
  )",
                                       {2, 1, 0, 2});
  // a; a b; b c; c; a
  CHECK(play.device == Curve{256, 512, 512, 256, 256});
  CHECK(play.host == Curve{256, 256, 256, 256, 256});
}

TEST_CASE("tensors of host ops are allocated when a device op reads them") {
  const MemoryTimeline play = timeline(R"(
    a = MadeUp() @/cpu:0 f32[4,16]
    b = MadeUp() f32[4,16]
    c = MadeUp(a, b) f32[4,16]
  )",
                                       {5, 1, 0, 0});
  CHECK(play.device == Curve{256, 512});
}

}  // namespace tideline
