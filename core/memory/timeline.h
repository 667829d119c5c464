// The memory of one training step over time, as predicted by either model.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/base/units.h"

namespace tideline {

/// The purpose of a buffer in device memory.
enum class MemoryKind : std::uint8_t {
  kVariable,
  kOptimizerSlot,
  kConstant,
  kActivation,  ///< produced by the forward pass
  kGradient,    ///< produced by ops that compute gradients
  kTemporary,   ///< everything else
  kSwapped,     ///< copied back from the host
};
inline constexpr std::size_t kMemoryKinds = 7;
/// "variables", "optimizer_slots", "constants", "activations", "gradients", "temporaries",
/// "swapped".
[[nodiscard]] std::string_view memory_kind_name(MemoryKind kind);

/// An interval in which a tensor occupies device memory.
struct LiveTensor {
  TensorId tensor;  ///< ids of added copies follow those of the graph
  Bytes bytes = 0;
  MemoryKind kind = MemoryKind::kTemporary;
  OpId last_reader;            ///< invalid when it has no reader
  std::int32_t from_step = 0;  ///< 0 for resident memory
  std::int32_t to_step = 0;    ///< last step at which it is live
  /// More than 1: that many values of `tensor`, of other rounds of its loop.
  std::int64_t values = 1;
};

/// Live bytes at every step of a schedule. Invariants: bytes allocated = bytes freed + live at the
/// end; the peak is the maximum of `device`, and at least what any single op reads and writes.
/// Units: bytes; a step is the position of an op in the schedule.
struct MemoryTimeline {
  std::string_view model;  ///< "compatible", "faithful"
  std::vector<OpId> schedule;
  std::vector<std::int32_t> level;  ///< by step
  std::vector<Bytes> device;        ///< by step: bytes live while the op runs
  std::vector<Bytes> host;          ///< by step: copies of device tensors in host memory
  Bytes device_peak = 0;
  Bytes host_peak = 0;
  std::int32_t peak_step = -1;  ///< first step that reaches the device peak; -1 without steps
  std::int32_t peak_level = -1;
  std::vector<LiveTensor> alive_at_peak;  ///< largest first, then by tensor
  std::vector<Bytes> peak_by_kind;        ///< by MemoryKind
  Bytes resident_bytes = 0;               ///< live at every step
  Bytes largest_need = 0;                 ///< the most that a single op reads and writes
  std::int64_t swapped_out_tensors = 0;
  std::int64_t swap_ins = 0;
  Bytes bytes_out = 0;
  Bytes bytes_in = 0;
};

/// Computes peak_step, peak_level, the order of alive_at_peak and peak_by_kind from the rest.
void finish_timeline(MemoryTimeline& timeline);

}  // namespace tideline
