// What a real run recorded about one step, as plain columns: which ops ran when, where their
// outputs lay, what they allocated. Knows no file format and no graph: ops are names here.
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

/// What the rows of a device are.
enum class TraceLane : std::uint8_t {
  kOps,      ///< executions of ops, as the executor saw them
  kKernels,  ///< kernels on a stream of the device
  kCopies,   ///< copies from, to or within the device
};

struct TracedDevice {
  std::string_view name;  ///< "/job:localhost/replica:0/task:0/device:CPU:0"
  TraceLane lane = TraceLane::kOps;
};

/// An output of one execution. `address` is 0 where it was not told (values that were fed).
struct TracedOutput {
  std::uint32_t slot = 0;
  DataType type = DataType::kInvalid;
  bool has_shape = false;  ///< told, and of known rank and dims
  std::uint32_t first_dim = 0, dim_count = 0;
  Bytes requested = 0;
  Bytes allocated = 0;  ///< 0: from an allocator that does not tell
  std::uint64_t address = 0;
  /// Which allocation of the op that made the buffer, counted from 1; 0: not told. Not unique.
  std::int64_t allocation = 0;
  std::uint32_t allocator = 0;  ///< index of StepTrace::allocators

  /// What it takes in memory.
  [[nodiscard]] Bytes bytes() const { return allocated > 0 ? allocated : requested; }
};

/// An allocation (bytes > 0) or a release (bytes < 0), whenever it came.
struct AllocationRecord {
  std::int64_t at_ns = 0;
  Bytes bytes = 0;
};

/// What one execution did with one allocator.
struct TracedMemory {
  std::uint32_t allocator = 0;
  std::uint32_t first_record = 0, record_count = 0;
};

/// One execution of an op. Times are nanoseconds since 1970.
struct TracedOp {
  std::string_view name;   ///< of the op; for kernels as the tracer spells it
  std::string_view label;  ///< "conv1/Relu = Relu(conv1/add, ^init)", or what a tracer says
  std::uint32_t device = 0;
  std::int64_t start_ns = 0;     ///< when its kernel began
  std::int64_t duration_ns = 0;  ///< of its kernel; not negative
  std::uint32_t first_output = 0, output_count = 0;
  std::uint32_t first_memory = 0, memory_count = 0;
  Bytes temporary_bytes = 0;   ///< scratch memory, where told
  Bytes persistent_bytes = 0;  ///< kept beyond the step, where told
};

/// Invariants: indices point into the arrays here; sums of all sizes fit 64 bits.
struct StepTrace {
  std::vector<TracedDevice> devices;
  std::vector<std::string_view> allocators;  ///< the first has no name
  std::vector<TracedOp> ops;                 ///< in the order of the file
  std::vector<TracedOutput> outputs;
  std::vector<TracedMemory> memories;
  std::vector<AllocationRecord> records;
  std::vector<std::int64_t> dims;
  std::shared_ptr<const void> keep_alive;  ///< what the names look at

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
};

}  // namespace tideline
