// The memory of one training step over time, as either model predicts it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/base/units.h"

namespace tideline {

/// What a buffer in device memory is there for.
enum class MemoryKind : std::uint8_t {
  kVariable,
  kOptimizerSlot,
  kConstant,
  kActivation,  ///< made by the forward phase
  kGradient,    ///< made by ops that compute gradients
  kTemporary,   ///< everything else
  kSwapped,     ///< brought back from the host
};
inline constexpr std::size_t kMemoryKinds = 7;
/// "variables", "optimizer_slots", "constants", "activations", "gradients", "temporaries",
/// "swapped".
[[nodiscard]] std::string_view memory_kind_name(MemoryKind kind);

/// A stretch of time in which a tensor occupies device memory.
struct LiveTensor {
  TensorId tensor;  ///< ids of added copies follow those of the graph
  Bytes bytes = 0;
  MemoryKind kind = MemoryKind::kTemporary;
  OpId last_reader;            ///< invalid when nothing reads it any more
  std::int32_t from_step = 0;  ///< 0 for what is resident
  std::int32_t to_step = 0;    ///< last step at which it is there
};

/// Live bytes at every step of a schedule. Invariants: bytes allocated = bytes freed + live at the
/// end; the peak is the largest of `device` and at least every op's own need.
/// Units: bytes; a step is one op that runs.
struct MemoryTimeline {
  std::string_view model;  ///< "compatible", "faithful"
  std::vector<OpId> schedule;
  std::vector<std::int32_t> level;  ///< by step
  std::vector<Bytes> device;        ///< by step: most that is live while the op runs
  std::vector<Bytes> host;          ///< by step: copies of device tensors in host memory
  Bytes device_peak = 0;
  Bytes host_peak = 0;
  std::int32_t peak_step = -1;  ///< first step that reaches the device peak; -1 without steps
  std::int32_t peak_level = -1;
  std::vector<LiveTensor> alive_at_peak;  ///< largest first, then by tensor
  std::vector<Bytes> peak_by_kind;        ///< by MemoryKind
  Bytes resident_bytes = 0;               ///< there at every step
  Bytes largest_need = 0;                 ///< most that one op reads and writes
  std::int64_t swapped_out_tensors = 0;
  std::int64_t swap_ins = 0;
  Bytes bytes_out = 0;
  Bytes bytes_in = 0;
};

/// Sets peak_step, peak_level, alive order and sums by kind from the rest.
void finish_timeline(MemoryTimeline& timeline);

}  // namespace tideline
