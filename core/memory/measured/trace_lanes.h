// A traced step laid out in time: lanes by device and stream, the transfers of swaps, and the idle
// time that late swap-ins cost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/step_trace.h"

namespace tideline {

/// What an execution is for.
enum class ZoneKind : std::uint8_t { kOp, kSwapOut, kSwapIn, kTransfer };

/// An execution, from the beginning of the step.
struct TraceZone {
  std::uint32_t row = 0;  ///< index of StepTrace::ops
  OpId op;                ///< invalid when it names no op of the graph
  ZoneKind kind = ZoneKind::kOp;
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;  ///< not before from_ns
};

/// The executions of one device or stream. Those that overlap are in different tracks, so that each
/// track is a sequence without overlaps, sorted by time; only the last track, of at most
/// kMostTracks, may have some.
struct ZoneLane {
  static constexpr std::size_t kMostTracks = 32;

  std::string_view device;  ///< as in the trace
  TraceLane kind = TraceLane::kOps;
  std::vector<std::vector<TraceZone>> tracks;
};

/// Where a zone is: indices of LanedTrace::lanes, ZoneLane::tracks, and the track.
struct ZonePlace {
  std::uint32_t lane = 0, track = 0, zone = 0;
  friend bool operator==(const ZonePlace&, const ZonePlace&) = default;
};

/// A tensor that went to the host and came back in this step.
struct TracedSwap {
  ZonePlace out, in;
};

/// A stretch in which a device had nothing to do until a swap-in was there that its next op reads.
struct LateGap {
  std::uint32_t lane = 0;
  std::int64_t from_ns = 0;  ///< the op before had ended
  std::int64_t to_ns = 0;    ///< the reader began
  ZonePlace swap_in, reader;
};

/// Invariant: no zone begins before 0 or ends behind `span_ns`. Views go into the trace.
struct LanedTrace {
  std::int64_t begin_ns = 0;  ///< of the step, in the trace's time
  std::int64_t span_ns = 0;
  /// By device in the order of the trace, each with its kernels and, below these, its copies.
  std::vector<ZoneLane> lanes;
  std::vector<TracedSwap> swaps;  ///< by swap-in
  std::vector<LateGap> gaps;      ///< by lane, then time
  bool has_tasks = false;         ///< has_several_tasks

  [[nodiscard]] const TraceZone& zone(ZonePlace place) const {
    return lanes[place.lane].tracks[place.track][place.zone];
  }
};

/// Lays out `trace`, whose ops are looked up in `graph`. Swaps are recognized by the names that the
/// rewriters give them ("lms/swapout", "lms/swapin"). Times that lie further than 2^62 ns from the
/// first are cut. Cost: O(rows log rows + inputs of readers of swap-ins). Thread: pure.
[[nodiscard]] LanedTrace lay_out_trace(const Graph& graph, const StepTrace& trace);

/// What ran in a stretch of time; of executions that lie partly in it, that part.
struct ZoneStatistics {
  std::int64_t count = 0;
  std::int64_t total_ns = 0;
  std::int64_t longest_ns = 0;
  ZonePlace longest;  ///< meaningful if count > 0

  [[nodiscard]] double mean_ns() const {
    return count > 0 ? static_cast<double>(total_ns) / static_cast<double>(count) : 0;
  }
};
struct LaneStatistics {
  ZoneStatistics all;
  std::int64_t busy_ns = 0;  ///< in which at least one of its executions ran
};
struct TypeStatistics {
  std::string_view type;  ///< of the ops, as the trace has it; "" where it has none
  ZoneStatistics all;
};
struct RangeStatistics {
  std::vector<LaneStatistics> lanes;  ///< as LanedTrace::lanes
  /// Of the lanes of ops, those with the most time first; then by name.
  std::vector<TypeStatistics> types;
  std::int64_t late_ns = 0;  ///< of the gaps
};
/// Of the executions between `from_ns` and `to_ns`, times from the beginning of the step; zones
/// without duration count where they begin, if that is before `to_ns`. Cost: O(zones log zones).
/// Thread: pure.
[[nodiscard]] RangeStatistics range_statistics(const StepTrace& trace, const LanedTrace& lanes,
                                               std::int64_t from_ns, std::int64_t to_ns);

}  // namespace tideline
