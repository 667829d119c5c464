// Problem: memory is shown by level, so that a step can be compared with another and with the
// picture of the graph. As TensorFlow runs a step, ops do not come by level: an update of level 900
// runs amid those of level 500. The most of all ops of a level would then show memory of other
// moments.
//
// Idea: of the sequences that never fall, take the one that is nearest to the levels of the ops
// (the least sum of distances: isotonic regression), so that a few ops that come early or late do
// not count. Only steps that change the memory have a say. A heap holds the levels so far; where
// one falls, the largest of the heap is lowered to it, twice pushed and once popped. The largest
// after each step, made to rise from the back, is the result.
//
// Example: 0 1 9 2 3 4 gives 0 1 2 2 3 4.
// Cost: O(steps * log steps).
// Source: isotonic regression by distances, in the form known as slope trick.
// Tested by unit/memory/level_memory_test.cc.
#include "core/memory/level_memory.h"

#include <algorithm>
#include <queue>

namespace tideline {

std::vector<std::int32_t> rising_levels(const std::vector<std::int32_t>& levels,
                                        const std::vector<Bytes>& device) {
  std::vector<std::int32_t> rising = levels;
  if (std::is_sorted(levels.begin(), levels.end())) return rising;
  const auto counts = [&](std::size_t step) {
    return step == 0 || device[step] != device[step - 1];
  };
  std::priority_queue<std::int32_t> heap;
  for (std::size_t step = 0; step < levels.size(); ++step) {
    if (!counts(step)) continue;
    heap.push(levels[step]);
    if (heap.top() > levels[step]) {
      heap.pop();
      heap.push(levels[step]);
    }
    rising[step] = heap.top();
  }
  // The others stay where they are, as far as their neighbours allow.
  std::int32_t least = *std::max_element(levels.begin(), levels.end());
  for (std::size_t step = levels.size(); step-- > 0;) {
    rising[step] = std::min(rising[step], least);
    if (counts(step)) least = rising[step];
  }
  std::int32_t reached = 0;
  for (std::int32_t& level : rising) level = reached = std::max(reached, level);
  return rising;
}

std::vector<LevelMemory> memory_by_level(const MemoryTimeline& timeline) {
  std::vector<LevelMemory> levels;
  const std::vector<std::int32_t> reached = rising_levels(timeline.level, timeline.device);
  for (std::size_t step = 0; step < reached.size(); ++step) {
    if (levels.empty() || levels.back().level != reached[step]) {
      levels.push_back({reached[step], 0, 0});
    }
    LevelMemory& most = levels.back();
    most.device = std::max(most.device, timeline.device[step]);
    most.host = std::max(most.host, timeline.host[step]);
  }
  return levels;
}

}  // namespace tideline
