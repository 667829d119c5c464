#include "core/memory/measured/measured_run.h"

#include <catch2/catch.hpp>
#include <numeric>

#include "tests/support/compared_run.h"
#include "tests/support/graph_text.h"
#include "tests/support/trace_text.h"

namespace tideline {
namespace {

constexpr const char* kGraph = R"(
  a = MadeUp() f32[4,16]
  b = MadeUp(a) f32[4,16]
  c = MadeUp(b) f32[4,16]
)";

struct Measured {
  io::Document document = test::read_graph(kGraph);
  MeasuredRun run;

  explicit Measured(std::string_view text) : run(test::compared_run(document, text)) {}
};

Bytes sum_of(const std::vector<MemoryDifference>& differences) {
  return std::accumulate(
      differences.begin(), differences.end(), Bytes{0},
      [](Bytes sum, const MemoryDifference& part) { return sum + part.model - part.measured; });
}

// b has 5000 bytes of scratch memory for less than a microsecond, when the output of a is released.
constexpr const char* kForAMoment = R"(
  a = MadeUp() | 10+5 | 0:256&1#1 | +256@11 -256@22
  b = MadeUp(a) | 20+5 | 0:256&2#1 | +256@21 +5000@22 -5000@22 -256@40
  c = MadeUp(b) | 31+5 | 0:256&3#1 | +256@32
)";

}  // namespace

TEST_CASE("Memory that goes in the microsecond in which it came is part of curve and peak") {
  const Measured measured(kForAMoment);
  const MeasuredStep& step = measured.run.step();
  CHECK(step.peak == 5256);  // the output of b, 256, and the 5000; that of a has gone
  CHECK(step.peak_ns == 22'000);
  CHECK(step.peak_execution == 1);
  CHECK(step.live == std::vector<Bytes>{256, 5256, 512});
  CHECK(step.scratch == std::vector<Bytes>{0, 5000, 0});
  REQUIRE(step.curve.size() == 6);
  CHECK(step.curve[2].at_ns == step.curve[3].at_ns);
  CHECK(step.curve[2].bytes == 5256);
  CHECK(step.curve[3].bytes == 256);
}

TEST_CASE("The rounds of a While op are read from the ops that it runs as") {
  const io::Document document = test::read_graph(kGraph);
  const StepTrace trace = test::read_trace(R"(
    a = MadeUp() | 10+5
    call/while/enter/_1 = Enter(a) | 16+1
    call/while/enter/_2 = Enter(a) | 17+1
    call/while/next_iteration/_5 = NextIteration(x) | 20+1
    call/while/next_iteration/_6 = NextIteration(y) | 21+1
    call/while/next_iteration/_5 = NextIteration(x) | 22+1
    call/while/next_iteration/_5 = NextIteration(x) | 24+1
    b = MadeUp(a) | 30+5
    b = MadeUp(a) | 40+5
  )");
  const MeasuredSizes sizes = measured_sizes(document.graph, trace);
  REQUIRE(sizes.called_loops.size() == 1);
  CHECK(sizes.called_loops[0] == GivenRounds{"call/while", 3});
  CHECK(sizes.runs == std::vector<std::int32_t>{1, 2, 0});
}

TEST_CASE("The parts of a comparison add up where memory was there for a moment") {
  const Measured measured(kForAMoment);
  const MeasuredComparison& comparison = measured.run.comparison();
  CHECK(sum_of(comparison.at_peak) == comparison.model_at_peak - measured.run.step().peak);
  REQUIRE(comparison.largest_at == 1);
  CHECK(sum_of(comparison.at_largest) == comparison.model[1] - measured.run.step().live[1]);
}

TEST_CASE("The largest size of a tensor counts, and scratch memory by op") {
  const Measured measured(R"(
    a = MadeUp() | 10+5 | 0:256&1#1 | +256@11 -256@22
    a = MadeUp() | 30+5 | 0:512&1#1 | +512@31 +64@32 -64@33 -512@40
  )");
  REQUIRE(measured.run.sizes.sizes.size() == 1);
  CHECK(measured.run.sizes.sizes[0].bytes == 512);
  CHECK(measured.run.sizes.scratch == std::vector<Bytes>{64, 0, 0});
  CHECK(measured.run.sizes.op_ns == std::vector<std::int64_t>{10'000, -1, -1});
}

TEST_CASE("A traced step of another graph is refused") {
  const io::Document document = test::read_graph(kGraph);
  const auto measured = measure_run(document.graph, test::read_trace("z = MadeUp() | 10+5"), {});
  REQUIRE_FALSE(measured);
  CHECK(measured.error().code == Code::kInvalidArgument);
}

TEST_CASE("A trace of more devices than any run has is refused, and measured quickly until then") {
  const io::Document document = test::read_graph(kGraph);
  const auto measured = [&](int devices) {
    std::string text;
    for (int i = 0; i < devices; ++i) {
      text += fmt::format("device /device:GPU:{}\n a = MadeUp() | 10+5 | 0:256&1#1\n", i);
    }
    return measure_run(document.graph, test::read_trace(text), {});
  };
  const auto most = measured(1024);
  REQUIRE(most);
  CHECK(most->devices.size() == 1024);
  const auto more = measured(1025);
  REQUIRE(!more);
  CHECK(more.error().code == Code::kUnsupported);
  CHECK(more.error().message == "ops ran on 1025 devices; expected at most 1024");
}

}  // namespace tideline
