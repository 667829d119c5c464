// The device memory of a step of two graphs, over one axis.
#pragma once

#include <string>
#include <string_view>

#include "core/analysis/levels.h"
#include "core/graph/graph.h"
#include "core/memory/timeline.h"
#include "render/view/memory_view.h"

namespace tideline::render {

/// A graph with a step that was simulated.
struct ComparedSide {
  std::string title;
  const MemoryTimeline* timeline = nullptr;  ///< null: it is not known
  const Graph* ops = nullptr;  ///< by whose ids the timeline is; ids beyond are of added ops
};

/// Immutable. Invariant: the maximum of a curve is the peak of its timeline.
struct ComparedMemory {
  MemoryLayout layout;  ///< without the first timeline its curve is that of the second
  MemorySides sides;
  Bytes budget = 0;         ///< 0: none
  bool is_by_level = true;  ///< else by share of the step
};

/// Both curves over the levels of `axis`, where an op stands at the level of the op of its name,
/// and one whose name is not there at the last one before it. Where that finds less than half of
/// the ops of a step, each step is spread over the whole axis instead. Positions are then
/// thousandths. Precondition: a timeline is known. Cost: O(ops + steps * log steps). Thread: pure.
[[nodiscard]] ComparedMemory compare_memory(const ComparedSide& before, const ComparedSide& after,
                                            const Graph& axis, std::string_view axis_title,
                                            const LevelMap& levels, Bytes budget);

/// What is said of a position: where it is, and the memory of both there.
[[nodiscard]] std::vector<std::string> compared_lines(const ComparedMemory& memory,
                                                      double position);

}  // namespace tideline::render
