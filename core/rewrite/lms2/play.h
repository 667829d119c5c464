// The compatible model: the play, the simulation by which LMS v2 predicts the memory of a step.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/memory/timeline.h"
#include "core/rewrite/lms/search.h"
#include "core/rewrite/lms2/play_graph.h"
#include "core/rewrite/lms2/swap_parameters.h"

namespace tideline::lms2 {

/// Plays steps of one graph. Keeps its buffers and the triggers it has found between plays.
/// The PlayGraph must outlive it. Thread: not shared.
class Player {
 public:
  explicit Player(const PlayGraph& graph);

  /// Plays one step. Memory is not limited: a step fits a budget if its peak is below it.
  /// Cost: O(steps + inputs + consumers of swapped tensors), plus find_play_triggers once for each
  /// value of ahead.
  [[nodiscard]] SearchPrediction play(const SwapParameters& parameters);
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

}  // namespace tideline::lms2
