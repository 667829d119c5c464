#include "core/memory/measured/measured_step.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"
#include "tests/support/trace_text.h"

namespace tideline {
namespace {

constexpr const char* kGraph = R"(
  a = MadeUp() f32[4,16]
  b = Relu(a) f32[4,16]
  c = MadeUp(b) f32[4,16]
)";

struct Measured {
  io::Document document;
  StepTrace trace;
  Diagnostics diagnostics;
  std::vector<MeasuredStep> devices;

  explicit Measured(std::string_view text, std::string_view graph = kGraph)
      : document(test::read_graph(graph)), trace(test::read_trace(text)) {
    devices = measure_step(document.graph, trace, diagnostics);
  }
  [[nodiscard]] const MeasuredStep& step() const { return devices.at(0); }
  [[nodiscard]] std::string counted(std::string_view kind) const {
    for (const Diagnostic& entry : diagnostics.entries()) {
      if (entry.kind == kind) return fmt::format("{}x {}", entry.count, entry.example);
    }
    return "";
  }
};

}  // namespace

TEST_CASE("the curve is the running sum of the records, whatever the order of the rows") {
  const Measured run(R"(
    b = MadeUp(a) | 20+5 | 0:100&2#1 | +100@21 -100@40
    a = MadeUp() | 10+5 | 0:256&1#1 | +256@11 -256@30
    c = MadeUp(b) | 31+5 | 0:8&3#1 | +8@32
  )");
  REQUIRE(run.step().curve.size() == 5);
  CHECK(run.step().curve[1].bytes == 356);  // 256 + 100
  CHECK(run.step().peak == 356);
  CHECK(run.step().peak_ns == 21'000);
  CHECK(run.step().peak_execution == 1);
  CHECK(run.step().live == std::vector<Bytes>{256, 356, 108});
}

TEST_CASE("outputs at one address at one time share a buffer; later it is another one") {
  const Measured run(R"(
    a = MadeUp() | 10+5 | 0:256&1#1 | +256@11 -256@30
    b = Relu(a) | 20+5 | 0:256&1#1
    c = MadeUp(b) | 31+5 | 0:256&1#1 | +256@32
  )");
  CHECK(run.step().buffer_of == std::vector<std::uint32_t>{0, 0, 1});
  CHECK(run.step().buffers[0].to_ns == 30'000);
  CHECK(run.step().buffers[1].to_ns == MeasuredBuffer::kKept);
}

TEST_CASE("what was there before the step has no buffer") {
  const Measured run(R"(
    a = MadeUp() | 10+5 | 0:256&1#0!
    b = Relu(a) | 20+5 | 0:256&1#0!
  )");
  CHECK(run.step().buffer_of ==
        std::vector<std::uint32_t>{MeasuredStep::kResident, MeasuredStep::kResident});
  CHECK(run.step().peak == 0);
}

TEST_CASE("scratch memory is what is allocated and released inside an op") {
  const Measured run(R"(
    a = MadeUp() | 10+9 | 0:256&1#2 | +50@11 +256@12 +70@13 -50@14 -70@15 -256@30
    b = MadeUp(a) | 20+5 | 0:4&2#1 | +4@21 +9@22 -9@90
  )");
  CHECK(run.step().scratch == std::vector<Bytes>{120, 0});  // 50 + 70; 9 is kept inside
  CHECK(run.step().buffers[0].is_temporary());
  CHECK(!run.step().buffers[1].is_temporary());
}

TEST_CASE("a value that one op keeps inside and another gives out is one buffer") {
  const Measured run(R"(
    a = MadeUp() | 10+5 |  | +64@11 +64@12 -64@50 -64@60
    b = MadeUp(a) | 20+5 | 0:64&9#2
  )");
  CHECK(run.step().buffer_of == std::vector<std::uint32_t>{1});
}

TEST_CASE("of a GPU only memory of the GPU counts, and it comes first") {
  const Measured run(R"(
    a = MadeUp() | 10+5 | 0:9000&1#1 | +9000@11
    device /device:GPU:0
    allocator gpu_host_bfc
    b = Relu(a) | 20+5 | 0:700&2#1 | +700@21
    allocator GPU_0_bfc
    c = MadeUp(b) | 30+5 | 0:256&3#1 | +256@31
  )");
  REQUIRE(run.devices.size() == 2);
  CHECK(run.devices[0].device == "/device:GPU:0");
  CHECK(run.devices[0].peak == 256);
  CHECK(run.devices[1].peak == 9000);
}

TEST_CASE("executions and releases that fit nothing are counted") {
  const Measured run(R"(
    _SOURCE = NoOp() | 1+1
    fused = Relu(a) | 10+5
    a = MadeUp() | 20+5 |  | -77@21
  )");
  CHECK(run.counted("execution of an op that the executor adds") == "1x '_SOURCE'");
  CHECK(run.counted("execution of an op that is not in the graph") == "1x 'fused'");
  CHECK(run.counted("release of memory that the step did not allocate") == "1x 77 bytes");
}

}  // namespace tideline
