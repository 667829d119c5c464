// The compatible model: the play, the simulation by which LMS v2 predicts the memory of a step.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "core/base/units.h"
#include "core/memory/play_graph.h"
#include "core/memory/play_triggers.h"
#include "core/memory/timeline.h"

namespace tideline {

/// A threshold with which nothing is swapped, not even tensors that the user lists.
inline constexpr int kNoSwaps = std::numeric_limits<int>::max();

/// The parameters of LMS v2 that decide about swaps.
struct SwapParameters {
  int swapout_threshold = -1;
  int swapin_ahead = -1;
  int swapin_groupby = -1;
  int sync_mode = 0;
  friend auto operator<=>(const SwapParameters&, const SwapParameters&) = default;
};

/// Totals of one play.
struct PlayResult {
  Bytes device_peak = 0;
  Bytes host_peak = 0;
  std::int64_t swapped_out_tensors = 0;
  std::int64_t swap_ins = 0;
  Bytes bytes_out = 0;
  Bytes bytes_in = 0;
};

/// Plays steps of one graph. Keeps its buffers and the triggers it has found between plays.
/// The PlayGraph must outlive it. Thread: not shared.
class Player {
 public:
  explicit Player(const PlayGraph& graph);

  /// Plays one step. Memory is not limited: a step fits a budget if its peak is below it.
  /// Cost: O(steps + inputs + consumers of swapped tensors), plus find_play_triggers once for each
  /// value of ahead.
  [[nodiscard]] PlayResult play(const SwapParameters& parameters);
  /// The same, with the memory curves and the tensors alive at the peak.
  [[nodiscard]] MemoryTimeline timeline(const SwapParameters& parameters);

  [[nodiscard]] const PlayGraph& graph() const { return graph_; }

 private:
  void prepare(const SwapParameters& parameters);

  const PlayGraph& graph_;
  std::map<int, std::vector<std::uint32_t>> triggers_;  // by ahead
  // Work space, by tensor, by step, by consumer.
  std::vector<std::int32_t> references_;
  std::vector<std::uint32_t> last_direct_step_;
  std::vector<char> drains_;
  std::vector<std::uint32_t> first_group_;
  std::vector<std::uint32_t> group_of_consumer_;

  template <typename Observer>
  friend class PlayRun;
};

}  // namespace tideline
