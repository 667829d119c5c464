#include "core/memory/measured/time_shares.h"

#include <catch2/catch.hpp>

#include "core/memory/measured/trace_lanes.h"
#include "tests/support/graph_text.h"
#include "tests/support/trace_text.h"

namespace tideline {
namespace {

using Times = std::vector<std::int64_t>;

constexpr const char* kGraph = R"(
  a = MadeUp() f32[4,16]
  b = MadeUp(a) f32[4,16]
  c = MadeUp(b) f32[4,16]
)";

Times times_of(std::string_view text) {
  const io::Document document = test::read_graph(kGraph);
  const StepTrace trace = test::read_trace(text);
  const TraceClock clock(trace);
  CHECK(clock.span_ns() == lay_out_trace(document.graph, trace).span_ns);
  return measured_times(document.graph, trace);
}

}  // namespace

TEST_CASE("Times add up over executions, and kernels count instead of launches") {
  CHECK(times_of(R"(
    device /device:GPU:0
    a = MadeUp() | 10+5
    a = MadeUp() | 20+7
    b = MadeUp(a) | 30+1
    device /device:GPU:0/stream:all
    b:MadeUp | 40+90
    device /device:GPU:0/stream:7
    b:MadeUp | 40+90
    device /device:GPU:0/memcpy
    a | 50+1000
  )") == Times{12'000, 90'000, -1});
}

TEST_CASE("Ops that ran at the same time on a device share it, and take no longer than the step") {
  // 0 to 4: a alone; 4 to 10: a and b; 10 to 16: b and c; 16 to 20: c alone.
  CHECK(times_of(R"(
    a = MadeUp() | 0+10
    b = MadeUp(a) | 4+12
    c = MadeUp(b) | 10+10
  )") == Times{4'000 + 3'000, 3'000 + 3'000, 3'000 + 4'000});
  // Three at a time.
  CHECK(times_of("a = MadeUp() | 5+10\n b = MadeUp(a) | 5+10\n c = MadeUp(b) | 5+10") ==
        Times{3'333, 3'333, 3'333});
}

TEST_CASE("Each device has its own time, and its kernels run beside the ops without kernels") {
  CHECK(times_of(R"(
    device /device:CPU:0
    a = MadeUp() | 0+10
    device /device:GPU:0
    b = MadeUp(a) | 0+10
    c = MadeUp(b) | 2+1
    device /device:GPU:0/stream:all
    c:MadeUp | 5+10
  )") == Times{10'000, 5'000 + 2'500, 2'500 + 5'000});
}

TEST_CASE("What names no op has a share, what waits for another device has none") {
  CHECK(times_of(R"(
    a = MadeUp() | 0+10
    _SOURCE = NoOp() | 0+10
    b = MadeUp(a) | 20+10
    from/_3 = _Recv() | 20+10
    c = MadeUp(b) | 40+0
  )") == Times{5'000, 10'000, 0});
}

TEST_CASE("Times of a hostile trace are cut, not added beyond what a number holds") {
  const Times times = times_of(R"(
    a = MadeUp() | -4000000000000000+8000000000000000
    b = MadeUp(a) | 4000000000000000+4000000000000000
  )");
  CHECK(times[0] >= 0);
  CHECK(times[1] >= 0);
}

}  // namespace tideline
