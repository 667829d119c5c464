// Problem: StepStats is a tree of small messages with a row for each execution of an op; a loop of
//   a thousand iterations has a thousand rows for each op of its body.
// Idea: check the structure once, then read the fields in place and append to columns; names stay
//   views of the bytes. Impossible values (a negative time, a size of exabytes) are dropped and
//   counted, because one bad row does not make a trace useless.
// Cost: O(bytes); allocations only for the growth of the columns.
// Limits: `persistent` and `temp` sizes of host and device are not told apart.
// Source: TensorFlow's step_stats.proto and step_stats_collector (behaviour only).
// Tested by: tests/unit/events/run_metadata_test.cc, tests/fuzz/fuzz_run_metadata.cc.
#include "core/events/run_metadata.h"

#include <limits>

#include "core/base/text.h"
#include "core/events/run_metadata_numbers.h"
#include "core/io/wire.h"
#include "core/io/wire_check.h"
#include "core/io/wire_numbers.h"

namespace tideline::events {
namespace {

using io::Field;
using io::FieldReader;

constexpr Bytes kLargest = Bytes{1} << 50U;  // of one buffer
constexpr Bytes kLargestSum = Bytes{1} << 61U;
constexpr std::int64_t kNanosPerMicro = 1000;
constexpr std::int64_t kLatestNanos = std::numeric_limits<std::int64_t>::max() / 4;
constexpr std::uint64_t kMostSlots = 1U << 20U;
constexpr std::size_t kMostDims = 254;

std::int64_t number(const Field& field) {
  return static_cast<std::int64_t>(field.varint);
}

TraceLane lane_of(std::string_view device) {
  if (device.find("/memcpy") != std::string_view::npos) return TraceLane::kCopies;
  if (device.find("/stream:") != std::string_view::npos) return TraceLane::kKernels;
  return TraceLane::kOps;
}

class Reader {
 public:
  Reader(const SharedBytes& bytes, Diagnostics& diagnostics) : diagnostics_(diagnostics) {
    trace_.keep_alive = bytes;
    trace_.allocators.emplace_back();  // of what does not name one
  }

  Result<StepTrace> read(std::string_view message) {
    FieldReader reader(message);
    Field field;
    while (reader.next(field)) {
      if (!field.is_bytes(step_stats::kInRunMetadata)) continue;
      if (const auto problem = io::check_message(field.bytes, io::message_rules().step_stats, 1)) {
        return fail(Code::kCorrupt, "run metadata: byte {}: {}", problem->at - message.data(),
                    problem->what);
      }
      add_devices(field.bytes);
    }
    if (reader.damaged()) {
      return fail(Code::kCorrupt, "run metadata: byte {}: damaged; expected a RunMetadata message",
                  reader.at() - message.data());
    }
    if (sum_ > kLargestSum) {
      return fail(Code::kCorrupt,
                  "run metadata: sizes are too large: their sums do not fit 64 bits");
    }
    if (trace_.ops.empty()) {
      return fail(Code::kNotFound,
                  "run metadata without executions of ops; expected a step that was run with "
                  "trace_level FULL_TRACE");
    }
    return std::move(trace_);
  }

 private:
  void add_devices(std::string_view stats) {
    FieldReader reader(stats);
    Field field;
    while (reader.next(field)) {
      if (field.is_bytes(step_stats::kDevice)) add_device(field.bytes);
    }
  }

  void add_device(std::string_view message) {
    TracedDevice device;
    FieldReader names(message);
    Field field;
    while (names.next(field)) {
      if (field.is_bytes(device_stats::kName)) device.name = field.bytes;
    }
    device.lane = lane_of(device.name);
    const auto index = static_cast<std::uint32_t>(trace_.devices.size());
    trace_.devices.push_back(device);
    FieldReader rows(message);
    while (rows.next(field)) {
      if (field.is_bytes(device_stats::kOp)) add_op(field.bytes, index);
    }
  }

  // Times of one row as they are told, in either unit; nanoseconds win where there are any.
  struct Times {
    std::int64_t start_us = 0, op_start_us = 0, op_end_us = 0;
    std::int64_t start_ns = 0, op_start_ns = 0, op_end_ns = 0;
  };

  void add_op(std::string_view message, std::uint32_t device) {
    TracedOp op;
    op.device = device;
    op.first_output = static_cast<std::uint32_t>(trace_.outputs.size());
    op.first_memory = static_cast<std::uint32_t>(trace_.memories.size());
    Times times;
    FieldReader reader(message);
    Field field;
    while (reader.next(field)) {
      if (field.type == io::WireType::kVarint) {
        take_time(field, times);
      } else if (field.is_bytes(op_stats::kName)) {
        op.name = field.bytes;
        row_ = field.bytes;
      } else if (field.is_bytes(op_stats::kLabel)) {
        op.label = field.bytes;
      } else if (field.is_bytes(op_stats::kMemory)) {
        add_memory(field.bytes);
      } else if (field.is_bytes(op_stats::kOutput)) {
        add_output(field.bytes);
      } else if (field.is_bytes(op_stats::kMemoryStats)) {
        take_memory_stats(field.bytes, op);
      }
    }
    op.output_count = static_cast<std::uint32_t>(trace_.outputs.size()) - op.first_output;
    op.memory_count = static_cast<std::uint32_t>(trace_.memories.size()) - op.first_memory;
    set_times(times, op);
    trace_.ops.push_back(op);
    row_ = {};
  }

  static void take_time(const Field& field, Times& times) {
    switch (field.number) {
      case op_stats::kStartMicros: times.start_us = number(field); break;
      case op_stats::kOpStartMicros: times.op_start_us = number(field); break;
      case op_stats::kOpEndMicros: times.op_end_us = number(field); break;
      case op_stats::kStartNanos: times.start_ns = number(field); break;
      case op_stats::kOpStartNanos: times.op_start_ns = number(field); break;
      case op_stats::kOpEndNanos: times.op_end_ns = number(field); break;
      default: break;
    }
  }

  void set_times(const Times& times, TracedOp& op) {
    const bool in_nanos = times.start_ns != 0;
    const std::int64_t start = in_nanos ? times.start_ns : times.start_us;
    const std::int64_t from = in_nanos ? times.op_start_ns : times.op_start_us;
    const std::int64_t to = in_nanos ? times.op_end_ns : times.op_end_us;
    const std::int64_t latest = in_nanos ? kLatestNanos : kLatestNanos / kNanosPerMicro;
    if (start < 0 || from < 0 || to < 0 || start > latest || from > latest || to > latest) {
      odd("execution at an impossible time");
      return;
    }
    const std::int64_t scale = in_nanos ? 1 : kNanosPerMicro;
    op.start_ns = (start + from) * scale;
    if (to >= from) {
      op.duration_ns = (to - from) * scale;
    } else {
      odd("execution that ends before it begins");
    }
  }

  void add_memory(std::string_view message) {
    TracedMemory memory;
    memory.first_record = static_cast<std::uint32_t>(trace_.records.size());
    FieldReader reader(message);
    Field field;
    while (reader.next(field)) {
      if (field.is_bytes(op_memory::kAllocator)) memory.allocator = allocator(field.bytes);
      if (field.is_bytes(op_memory::kRecord)) add_record(field.bytes);
    }
    memory.record_count = static_cast<std::uint32_t>(trace_.records.size()) - memory.first_record;
    trace_.memories.push_back(memory);
  }

  void add_record(std::string_view message) {
    std::int64_t micros = 0;
    AllocationRecord record;
    FieldReader reader(message);
    Field field;
    while (reader.next(field)) {
      if (field.is_varint(allocation_record::kMicros)) micros = number(field);
      if (field.is_varint(allocation_record::kBytes)) record.bytes = number(field);
    }
    if (micros < 0 || micros > kLatestNanos / kNanosPerMicro) {
      odd("allocation at an impossible time");
      return;
    }
    if (record.bytes > kLargest || record.bytes < -kLargest) {
      odd("allocation of an impossible size");
      return;
    }
    record.at_ns = micros * kNanosPerMicro;
    count(record.bytes < 0 ? -record.bytes : record.bytes);
    trace_.records.push_back(record);
  }

  void add_output(std::string_view message) {
    TracedOutput output;
    std::uint64_t slot = 0;
    FieldReader reader(message);
    Field field;
    while (reader.next(field)) {
      if (field.is_varint(op_output::kSlot)) slot = field.varint;
      if (field.is_bytes(op_output::kTensor)) take_tensor(field.bytes, output);
    }
    if (slot > kMostSlots) {
      odd("output of an impossible number");
      return;
    }
    output.slot = static_cast<std::uint32_t>(slot);
    trace_.outputs.push_back(output);
  }

  void take_tensor(std::string_view message, TracedOutput& output) {
    FieldReader reader(message);
    Field field;
    while (reader.next(field)) {
      if (field.is_varint(tensor_description::kType)) {
        output.type = static_cast<DataType>(static_cast<std::uint32_t>(field.varint));
      } else if (field.is_bytes(tensor_description::kShape)) {
        take_shape(field.bytes, output);
      } else if (field.is_bytes(tensor_description::kAllocation)) {
        take_allocation(field.bytes, output);
      }
    }
  }

  void take_shape(std::string_view message, TracedOutput& output) {
    output.first_dim = static_cast<std::uint32_t>(trace_.dims.size());
    output.has_shape = true;
    FieldReader reader(message);
    Field field;
    while (reader.next(field)) {
      if (field.is_varint(io::tensor_shape::kUnknownRank) && field.varint != 0) {
        output.has_shape = false;
      }
      if (!field.is_bytes(io::tensor_shape::kDim)) continue;
      std::int64_t size = 0;
      FieldReader dim(field.bytes);
      while (dim.next(field)) {
        if (field.is_varint(io::tensor_shape::kDimSize)) size = number(field);
      }
      if (size < 0) output.has_shape = false;
      trace_.dims.push_back(size);
    }
    const std::size_t rank = trace_.dims.size() - output.first_dim;
    if (rank > kMostDims) {
      odd("output of an impossible shape");
      output.has_shape = false;
    }
    if (!output.has_shape) trace_.dims.resize(output.first_dim);
    output.dim_count = static_cast<std::uint32_t>(trace_.dims.size()) - output.first_dim;
  }

  void take_allocation(std::string_view message, TracedOutput& output) {
    FieldReader reader(message);
    Field field;
    while (reader.next(field)) {
      if (field.is_bytes(allocation_description::kAllocator)) {
        output.allocator = allocator(field.bytes);
      } else if (field.is_varint(allocation_description::kRequested)) {
        output.requested = size(field);
      } else if (field.is_varint(allocation_description::kAllocated)) {
        output.allocated = size(field);
      } else if (field.is_varint(allocation_description::kId)) {
        output.allocation = number(field);
      } else if (field.is_varint(allocation_description::kAddress)) {
        output.address = field.varint;
      }
    }
  }

  void take_memory_stats(std::string_view message, TracedOp& op) {
    FieldReader reader(message);
    Field field;
    while (reader.next(field)) {
      if (field.is_varint(memory_stats::kTemporary)) op.temporary_bytes = size(field);
      if (field.is_varint(memory_stats::kPersistent)) op.persistent_bytes = size(field);
    }
  }

  Bytes size(const Field& field) {
    const Bytes bytes = number(field);
    if (bytes < 0 || bytes > kLargest) {
      odd("buffer of an impossible size");
      return 0;
    }
    count(bytes);
    return bytes;
  }
  void count(Bytes bytes) { sum_ = saturating_add(sum_, bytes); }

  // There are few allocators, and mostly a row has the same one as the row before.
  std::uint32_t allocator(std::string_view name) {
    for (std::size_t i = trace_.allocators.size(); i-- > 0;) {
      if (trace_.allocators[i] == name) return static_cast<std::uint32_t>(i);
    }
    if (trace_.allocators.size() >= kMostAllocators) {
      odd("name of an allocator beyond the first hundred");
      return 0;
    }
    trace_.allocators.push_back(name);
    return static_cast<std::uint32_t>(trace_.allocators.size()) - 1;
  }

  void odd(const char* kind) {
    diagnostics_.add(Severity::kNotice, kind, fmt::format("op '{}'", printable(row_)));
  }

  static constexpr std::size_t kMostAllocators = 100;

  Diagnostics& diagnostics_;
  StepTrace trace_;
  Bytes sum_ = 0;
  std::string_view row_;  // name of the op at hand
};

}  // namespace

Result<StepTrace> read_run_metadata(const SharedBytes& bytes, Diagnostics& diagnostics) {
  return Reader(bytes, diagnostics).read(bytes->bytes());
}

}  // namespace tideline::events
