// Field numbers of RunMetadata and the messages inside it.
#pragma once

#include <cstdint>

namespace tideline::events {

namespace step_stats {
inline constexpr std::uint32_t kInRunMetadata = 1, kDevice = 1;
}  // namespace step_stats

namespace device_stats {
inline constexpr std::uint32_t kName = 1, kOp = 2;
}  // namespace device_stats

namespace op_stats {
inline constexpr std::uint32_t kName = 1, kStartMicros = 2, kOpStartMicros = 3, kOpEndMicros = 4,
                               kEndMicros = 5, kMemory = 6, kOutput = 7, kLabel = 8,
                               kMemoryStats = 12, kStartNanos = 13, kOpStartNanos = 14,
                               kOpEndNanos = 15, kEndNanos = 16;
}  // namespace op_stats

namespace memory_stats {
inline constexpr std::uint32_t kTemporary = 1, kPersistent = 3;
}  // namespace memory_stats

namespace op_memory {
inline constexpr std::uint32_t kAllocator = 1, kTotal = 2, kPeak = 3, kRecord = 6;
}  // namespace op_memory

namespace allocation_record {
inline constexpr std::uint32_t kMicros = 1, kBytes = 2;
}  // namespace allocation_record

namespace op_output {
inline constexpr std::uint32_t kSlot = 1, kTensor = 3;
}  // namespace op_output

namespace tensor_description {
inline constexpr std::uint32_t kType = 1, kShape = 2, kAllocation = 4;
}  // namespace tensor_description

namespace allocation_description {
inline constexpr std::uint32_t kRequested = 1, kAllocated = 2, kAllocator = 3, kId = 4,
                               kAddress = 6;
}  // namespace allocation_description

}  // namespace tideline::events
