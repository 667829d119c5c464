#include "core/events/run_metadata.h"

#include <catch2/catch.hpp>

#include "core/io/text_format.h"
#include "tests/support/trace_text.h"

namespace tideline::events {
namespace {

struct Reading {
  Diagnostics diagnostics;
  Result<StepTrace> trace = StepTrace{};

  explicit Reading(std::string bytes) {
    trace = read_run_metadata(own_bytes(std::move(bytes)), diagnostics);
  }
  [[nodiscard]] std::string said() const {
    std::string text;
    for (const Diagnostic& entry : diagnostics.entries()) {
      text += fmt::format("{}x {}: {};", entry.count, entry.kind, entry.example);
    }
    return text;
  }
};

// One row of one device with these fields.
Reading row(const std::string& fields) {
  const auto wire = io::text_to_wire(
      "step_stats { dev_stats { device: 'd' node_stats { node_name: 'a' " + fields + " } } }",
      io::MessageKind::kRunMetadata);
  REQUIRE(wire);
  return Reading(*wire);
}

}  // namespace

TEST_CASE("an execution becomes a row with its outputs and records") {
  const StepTrace trace = test::read_trace(R"(
    relu = Relu(conv) | 100+50 | 0:1024[16,16]&7#1 3:4&8#2 | +1024@110 +4@111 -1024@300
    b = NoOp() | 200+1
  )");
  REQUIRE(trace.ops.size() == 2);
  const TracedOp& op = trace.ops[0];
  CHECK(op.name == "relu");
  CHECK(op.label == "relu = Relu(conv)");
  CHECK(op.start_ns == 100'000);
  CHECK(op.duration_ns == 50'000);
  REQUIRE(op.output_count == 2);
  const TracedOutput& first = trace.outputs_of(op)[0];
  CHECK(first.bytes() == 1024);
  CHECK(first.address == 7);
  CHECK(first.allocation == 1);
  CHECK(trace.allocators[first.allocator] == "cpu");
  CHECK(first.type == DataType::kFloat);
  REQUIRE(first.has_shape);
  CHECK(std::vector<std::int64_t>(trace.dims_of(first).begin(), trace.dims_of(first).end()) ==
        std::vector<std::int64_t>{16, 16});
  CHECK(trace.outputs_of(op)[1].slot == 3);
  REQUIRE(op.memory_count == 1);
  const auto records = trace.records_of(trace.memories_of(op)[0]);
  REQUIRE(records.size() == 3);
  CHECK(records[2].at_ns == 300'000);
  CHECK(records[2].bytes == -1024);
  CHECK(trace.ops[1].output_count == 0);
}

TEST_CASE("nanoseconds count where they are told") {
  const Reading reading =
      row("all_start_micros: 5 op_start_rel_micros: 1 op_end_rel_micros: 3 all_start_nanos: 5123 "
          "op_start_rel_nanos: 7 op_end_rel_nanos: 2007");
  REQUIRE(reading.trace);
  CHECK(reading.trace->ops[0].start_ns == 5130);
  CHECK(reading.trace->ops[0].duration_ns == 2000);
}

TEST_CASE("kernels on streams and copies are told from executions of ops") {
  const StepTrace trace = test::read_trace(R"(
    device /device:GPU:0
    a = Relu(b) | 1+1
    device /device:GPU:0/stream:all
    a | 2+1
    device /device:GPU:0/memcpy
    a | 3+1
  )");
  REQUIRE(trace.devices.size() == 3);
  CHECK(trace.devices[0].lane == TraceLane::kOps);
  CHECK(trace.devices[1].lane == TraceLane::kKernels);
  CHECK(trace.devices[2].lane == TraceLane::kCopies);
}

TEST_CASE("what cannot be is left out and counted, and the row stays") {
  const auto kept = [](const Reading& reading) {
    REQUIRE(reading.trace);
    REQUIRE(reading.trace->ops.size() == 1);
    return reading.said();
  };
  CHECK(kept(row("all_start_micros: -1")) == "1x execution at an impossible time: op 'a';");
  CHECK(kept(row("all_start_micros: 9223372036854775807")) ==
        "1x execution at an impossible time: op 'a';");
  CHECK(kept(row("op_start_rel_micros: 9 op_end_rel_micros: 1")) ==
        "1x execution that ends before it begins: op 'a';");
  CHECK(kept(row("memory { allocation_records { alloc_bytes: 9223372036854775807 } }")) ==
        "1x allocation of an impossible size: op 'a';");
  CHECK(kept(row("memory { allocation_records { alloc_bytes: -9223372036854775808 } }")) ==
        "1x allocation of an impossible size: op 'a';");
  CHECK(kept(row("memory { allocation_records { alloc_micros: -5 alloc_bytes: 4 } }")) ==
        "1x allocation at an impossible time: op 'a';");
  CHECK(kept(row("output { slot: -1 }")) == "1x output of an impossible number: op 'a';");
  CHECK(kept(row("output { tensor_description { allocation_description { requested_bytes: -4 } } "
                 "}")) == "1x buffer of an impossible size: op 'a';");
  CHECK(row("output { tensor_description { shape { dim { size: -7 } } } }")
            .trace->outputs[0]
            .has_shape == false);
}

TEST_CASE("sizes whose sums could overflow are refused") {
  std::string rows;
  for (int i = 0; i < 5000; ++i) {
    rows += "memory { allocation_records { alloc_bytes: 1125899906842624 } } ";
  }
  const Reading reading = row(rows);
  REQUIRE(!reading.trace);
  CHECK(reading.trace.error().code == Code::kCorrupt);
}

TEST_CASE("bytes that are no run metadata are refused with their place") {
  const Reading cut(test::encode_trace("a = Relu(b) | 100+50").substr(0, 20));
  REQUIRE(!cut.trace);
  CHECK(cut.trace.error().code == Code::kCorrupt);
  CHECK(cut.trace.error().message.find("byte") != std::string::npos);
  const Reading none("");
  REQUIRE(!none.trace);
  CHECK(none.trace.error().code == Code::kNotFound);
  CHECK(none.trace.error().message.find("FULL_TRACE") != std::string::npos);
}

}  // namespace tideline::events
