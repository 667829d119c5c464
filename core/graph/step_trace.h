// One traced step of a real run, as plain columns: when ops ran, the addresses of their outputs,
// what they allocated. Independent of file format and graph: ops are identified by name.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/graph/dtype.h"

namespace tideline {

/// Which step of a log was traced.
struct TracedStep {
  std::string run;  ///< the folder, relative to the log; "." for the log itself
  std::string tag;
  std::int64_t step = 0;
  friend bool operator==(const TracedStep&, const TracedStep&) = default;
};

/// The kind of rows that a traced device has.
enum class TraceLane : std::uint8_t {
  kOps,      ///< executions of ops, as recorded by the executor
  kKernels,  ///< kernels on a stream of the device
  kCopies,   ///< copies from, to or within the device
};

struct TracedDevice {
  std::string_view name;  ///< "/job:localhost/replica:0/task:0/device:CPU:0"
  TraceLane lane = TraceLane::kOps;
};

/// An output of one execution. `address` is 0 where none was recorded (values that were fed).
struct TracedOutput {
  std::uint32_t slot = 0;
  DataType type = DataType::kInvalid;
  bool has_shape = false;  ///< a shape of known rank and dims was recorded
  std::uint32_t first_dim = 0, dim_count = 0;
  Bytes requested = 0;
  Bytes allocated = 0;  ///< 0: the allocator does not report it
  std::uint64_t address = 0;
  /// Ordinal, from 1, of the allocation within the op that made the buffer; 0: not recorded. Not
  /// unique across ops.
  std::int64_t allocation = 0;
  std::uint32_t allocator = 0;  ///< index of StepTrace::allocators

  /// Bytes in memory: as allocated if known, else as requested.
  [[nodiscard]] Bytes bytes() const { return allocated > 0 ? allocated : requested; }
};

/// An allocation (bytes > 0) or a release (bytes < 0).
struct AllocationRecord {
  std::int64_t at_ns = 0;
  Bytes bytes = 0;
};

/// The allocation records of one execution with one allocator.
struct TracedMemory {
  std::uint32_t allocator = 0;
  std::uint32_t first_record = 0, record_count = 0;
};

/// One execution of an op. Times are nanoseconds since 1970.
struct TracedOp {
  std::string_view name;   ///< of the op; for kernels as the tracer wrote it
  std::string_view label;  ///< "conv1/Relu = Relu(conv1/add, ^init)", or the tracer's text
  std::uint32_t device = 0;
  std::int64_t start_ns = 0;     ///< start of its kernel
  std::int64_t duration_ns = 0;  ///< of its kernel; not negative
  std::uint32_t first_output = 0, output_count = 0;
  std::uint32_t first_memory = 0, memory_count = 0;
  Bytes temporary_bytes = 0;   ///< scratch memory, if recorded
  Bytes persistent_bytes = 0;  ///< kept beyond the step, if recorded
};

/// A traced step. Invariants: indices refer to the arrays below; sums of all sizes fit 64 bits.
struct StepTrace {
  std::vector<TracedDevice> devices;
  std::vector<std::string_view> allocators;  ///< the first has no name
  std::vector<TracedOp> ops;                 ///< in the order of the file
  std::vector<TracedOutput> outputs;
  std::vector<TracedMemory> memories;
  std::vector<AllocationRecord> records;
  std::vector<std::int64_t> dims;
  std::shared_ptr<const void> keep_alive;  ///< owner of the bytes that names refer to

  [[nodiscard]] std::span<const TracedOutput> outputs_of(const TracedOp& op) const {
    return {outputs.data() + op.first_output, op.output_count};
  }
  [[nodiscard]] std::span<const TracedMemory> memories_of(const TracedOp& op) const {
    return {memories.data() + op.first_memory, op.memory_count};
  }
  [[nodiscard]] std::span<const AllocationRecord> records_of(const TracedMemory& memory) const {
    return {records.data() + memory.first_record, memory.record_count};
  }
  [[nodiscard]] std::span<const std::int64_t> dims_of(const TracedOutput& output) const {
    return {dims.data() + output.first_dim, output.dim_count};
  }
  /// Indices of `ops` by device, in the order of the file.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> rows_by_device() const {
    std::vector<std::vector<std::uint32_t>> rows(devices.size());
    for (std::uint32_t row = 0; row < ops.size(); ++row) rows[ops[row].device].push_back(row);
    return rows;
  }
};

}  // namespace tideline
