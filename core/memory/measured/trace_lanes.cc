// Problem: a trace is a list of executions in the order of the file. To see where a step's time
// goes they have to stand in rows by device and stream; a device of the CPU runs many ops at once.
// And what LMS costs is not written anywhere: the time in which a device waits for a tensor that
// comes back from the host.
// Idea: executions of a device, sorted by their beginning, each go to the first track that is free.
// A swap-in reads its swap-out in the graph, which gives the pair. For every op that reads a
// swap-in: if nothing else ran on its lane when the swap-in ended, and the op began only after
// that, then the lane was idle because of it, from the end of the last op before it.
// Example: a ends at 10, swap-in at 30, its reader begins at 31: a gap from 10 to 31.
// Copies themselves (swap-ins and swap-outs, sends and receives) do not make a lane busy here.
// Limits: on a GPU the executor's rows end when a kernel is in its stream, so that gaps are those
// of the rows of ops, not of the streams. What a fused or a renamed swap-in reads is not
// recognized. Cost: O(rows log rows). Source: own. Tested by
// tests/unit/memory/measured/trace_lanes_test.cc.
#include "core/memory/measured/trace_lanes.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/base/text.h"
#include "core/memory/measured/lane_names.h"
#include "core/memory/measured/time_shares.h"
#include "core/memory/measured/traced_names.h"

namespace tideline {
namespace {

ZoneKind kind_of_row(const TracedOp& row) {
  if (row.name.find("lms/swapout") != std::string_view::npos) return ZoneKind::kSwapOut;
  if (row.name.find("lms/swapin") != std::string_view::npos) return ZoneKind::kSwapIn;
  const std::string_view type = traced_type(row);
  if (type.ends_with("Send") || type.ends_with("Recv")) return ZoneKind::kTransfer;
  return ZoneKind::kOp;
}

// The executions of one device, whose rows are `rows`.
std::vector<TraceZone> zones_of(const Graph& graph, const StepTrace& trace, const TraceClock& clock,
                                const std::vector<std::uint32_t>& rows) {
  std::vector<TraceZone> zones;
  zones.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    const TracedOp& op = trace.ops[row];
    zones.push_back(
        {row, graph.find(op.name), kind_of_row(op), clock.start_of(op), clock.end_of(op)});
  }
  // Zones that begin together: the longest first, so that it is above the others.
  std::stable_sort(zones.begin(), zones.end(), [](const TraceZone& a, const TraceZone& b) {
    return std::tie(a.from_ns, b.to_ns) < std::tie(b.from_ns, a.to_ns);
  });
  return zones;
}

ZoneLane lane_of_zones(const TracedDevice& device, const std::vector<TraceZone>& zones) {
  ZoneLane lane{device.name, device.lane, {}};
  for (const TraceZone& zone : zones) {
    auto track = std::find_if(lane.tracks.begin(), lane.tracks.end(), [&](const auto& other) {
      return other.back().to_ns <= zone.from_ns;
    });
    if (track == lane.tracks.end() && lane.tracks.size() < ZoneLane::kMostTracks) {
      track = lane.tracks.emplace(lane.tracks.end());
    } else if (track == lane.tracks.end()) {
      track = std::prev(lane.tracks.end());
    }
    track->push_back(zone);
  }
  return lane;
}

template <typename Do>
void for_each_zone(const LanedTrace& laned, std::uint32_t lane, const Do& visit) {
  const auto& tracks = laned.lanes[lane].tracks;
  for (std::uint32_t track = 0; track < tracks.size(); ++track) {
    for (std::uint32_t zone = 0; zone < tracks[track].size(); ++zone) {
      visit(ZonePlace{lane, track, zone}, tracks[track][zone]);
    }
  }
}

// The executions of swap-outs and swap-ins by op, each by its beginning.
class SwapZones {
 public:
  explicit SwapZones(const LanedTrace& laned) : laned_(laned) {
    for (std::uint32_t lane = 0; lane < laned.lanes.size(); ++lane) {
      if (laned.lanes[lane].kind != TraceLane::kOps) continue;
      for_each_zone(laned, lane, [&](ZonePlace place, const TraceZone& zone) {
        const bool is_swap = zone.kind == ZoneKind::kSwapOut || zone.kind == ZoneKind::kSwapIn;
        if (is_swap && zone.op.valid()) by_op_[zone.op.value].push_back(place);
      });
    }
    for (auto& [op, places] : by_op_) {
      std::stable_sort(places.begin(), places.end(), [&](ZonePlace a, ZonePlace b) {
        return laned.zone(a).from_ns < laned.zone(b).from_ns;
      });
    }
  }

  /// The last execution of `op` that began no later than `at_ns`: in a loop, the one of that
  /// iteration.
  [[nodiscard]] std::optional<ZonePlace> last_before(OpId op, std::int64_t at_ns) const {
    const auto found = by_op_.find(op.value);
    if (found == by_op_.end()) return std::nullopt;
    const auto behind = std::upper_bound(
        found->second.begin(), found->second.end(), at_ns,
        [&](std::int64_t at, ZonePlace place) { return at < laned_.zone(place).from_ns; });
    if (behind == found->second.begin()) return std::nullopt;
    return *std::prev(behind);
  }
  [[nodiscard]] const std::map<std::uint32_t, std::vector<ZonePlace>>& by_op() const {
    return by_op_;
  }

 private:
  const LanedTrace& laned_;
  std::map<std::uint32_t, std::vector<ZonePlace>> by_op_;
};

void find_swaps(const Graph& graph, const SwapZones& zones, LanedTrace& laned) {
  for (const auto& [op, places] : zones.by_op()) {
    for (const ZonePlace in : places) {
      if (laned.zone(in).kind != ZoneKind::kSwapIn) continue;
      for (const TensorId input : graph.inputs(OpId{op})) {
        const auto out = zones.last_before(input.op, laned.zone(in).from_ns);
        if (out && laned.zone(*out).kind == ZoneKind::kSwapOut) laned.swaps.push_back({*out, in});
      }
    }
  }
  std::stable_sort(laned.swaps.begin(), laned.swaps.end(),
                   [&](const TracedSwap& a, const TracedSwap& b) {
                     return laned.zone(a.in).from_ns < laned.zone(b.in).from_ns;
                   });
}

// The swap-in among the inputs of `op` that ended last before the op began at `at_ns`.
std::optional<ZonePlace> last_swap_in(const Graph& graph, const SwapZones& zones,
                                      const LanedTrace& laned, OpId op, std::int64_t at_ns) {
  std::optional<ZonePlace> last;
  for (const TensorId input : graph.inputs(op)) {
    const auto in = zones.last_before(input.op, at_ns);
    if (!in || laned.zone(*in).kind != ZoneKind::kSwapIn || laned.zone(*in).to_ns > at_ns) continue;
    if (!last || laned.zone(*in).to_ns > laned.zone(*last).to_ns) last = in;
  }
  return last;
}

void find_gaps(const Graph& graph, const SwapZones& zones, std::uint32_t lane, LanedTrace& laned) {
  std::vector<ZonePlace> ops;
  for_each_zone(laned, lane, [&](ZonePlace place, const TraceZone& zone) {
    if (zone.kind == ZoneKind::kOp) ops.push_back(place);
  });
  std::stable_sort(ops.begin(), ops.end(), [&](ZonePlace a, ZonePlace b) {
    return laned.zone(a).from_ns < laned.zone(b).from_ns;
  });
  std::int64_t idle_from = 0;
  for (const ZonePlace place : ops) {
    const TraceZone& zone = laned.zone(place);
    if (zone.from_ns > idle_from && zone.op.valid()) {
      const auto in = last_swap_in(graph, zones, laned, zone.op, zone.from_ns);
      if (in && laned.zone(*in).to_ns > idle_from) {
        laned.gaps.push_back({lane, idle_from, zone.from_ns, *in, place});
      }
    }
    idle_from = std::max(idle_from, zone.to_ns);
  }
}

// The part of a zone between two times; false when there is none.
bool part_of(const TraceZone& zone, std::int64_t from_ns, std::int64_t to_ns, std::int64_t& begin,
             std::int64_t& end) {
  begin = std::max(zone.from_ns, from_ns);
  end = std::min(zone.to_ns, to_ns);
  if (zone.from_ns == zone.to_ns) return from_ns <= zone.from_ns && zone.from_ns < to_ns;
  return begin < end;
}

void add_part(ZoneStatistics& statistics, ZonePlace place, std::int64_t ns) {
  if (statistics.count == 0 || ns > statistics.longest_ns) {
    statistics.longest_ns = ns;
    statistics.longest = place;
  }
  ++statistics.count;
  statistics.total_ns = saturating_add(statistics.total_ns, ns);
}

}  // namespace

LanedTrace lay_out_trace(const Graph& graph, const StepTrace& trace) {
  LanedTrace laned;
  if (trace.ops.empty()) return laned;
  const TraceClock clock(trace);
  laned.begin_ns = clock.begin_ns();
  laned.span_ns = clock.span_ns();
  laned.has_tasks = has_several_tasks(trace);
  // A device's kernels and copies stand below its ops, wherever the file has them.
  std::map<std::string, std::size_t> groups;
  std::vector<std::tuple<std::size_t, TraceLane, std::uint32_t>> order;
  for (std::uint32_t device = 0; device < trace.devices.size(); ++device) {
    const auto group = groups.try_emplace(
        device_of_lane(trace.devices[device].name, laned.has_tasks), groups.size());
    order.emplace_back(group.first->second, trace.devices[device].lane, device);
  }
  std::sort(order.begin(), order.end());
  const std::vector<std::vector<std::uint32_t>> rows = trace.rows_by_device();
  for (const auto& [group, kind, device] : order) {
    const std::vector<TraceZone> zones = zones_of(graph, trace, clock, rows[device]);
    if (zones.empty()) continue;
    laned.lanes.push_back(lane_of_zones(trace.devices[device], zones));
  }
  const SwapZones swaps(laned);
  find_swaps(graph, swaps, laned);
  for (std::uint32_t lane = 0; lane < laned.lanes.size(); ++lane) {
    if (laned.lanes[lane].kind == TraceLane::kOps) find_gaps(graph, swaps, lane, laned);
  }
  return laned;
}

RangeStatistics range_statistics(const StepTrace& trace, const LanedTrace& lanes,
                                 std::int64_t from_ns, std::int64_t to_ns) {
  RangeStatistics result;
  std::map<std::string_view, ZoneStatistics> types;
  for (std::uint32_t lane = 0; lane < lanes.lanes.size(); ++lane) {
    LaneStatistics own;
    std::vector<std::pair<std::int64_t, std::int64_t>> parts;
    for_each_zone(lanes, lane, [&](ZonePlace place, const TraceZone& zone) {
      std::int64_t begin = 0;
      std::int64_t end = 0;
      if (!part_of(zone, from_ns, to_ns, begin, end)) return;
      add_part(own.all, place, end - begin);
      parts.emplace_back(begin, end);
      if (lanes.lanes[lane].kind != TraceLane::kOps) return;
      add_part(types[traced_type(trace.ops[zone.row])], place, end - begin);
    });
    std::sort(parts.begin(), parts.end());
    std::int64_t busy_until = from_ns;
    for (const auto& [begin, end] : parts) {
      if (end <= busy_until) continue;
      own.busy_ns += end - std::max(begin, busy_until);
      busy_until = end;
    }
    result.lanes.push_back(own);
  }
  for (const auto& [type, statistics] : types) result.types.push_back({type, statistics});
  std::stable_sort(result.types.begin(), result.types.end(),
                   [](const TypeStatistics& a, const TypeStatistics& b) {
                     return a.all.total_ns > b.all.total_ns;
                   });
  for (const LateGap& gap : lanes.gaps) {
    const std::int64_t begin = std::max(gap.from_ns, from_ns);
    const std::int64_t end = std::min(gap.to_ns, to_ns);
    if (begin < end) result.late_ns += end - begin;
  }
  return result;
}

}  // namespace tideline
