// The parts that a plan divides a step into: the sections of a cycle, the towers of a replicated
// step. Views colour ops by part.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tideline {

struct StepPart {
  std::string label;  ///< "section 2", "tower_1"
  std::string note;   ///< what a viewer wants to know of it: "peak 10.8 MiB"; may be empty
};

struct StepParts {
  std::vector<StepPart> parts;
  /// By op of the graph that is shown: index of its part, or -1 for an op of none.
  std::vector<std::int32_t> part_of;

  [[nodiscard]] bool empty() const { return parts.empty(); }
};

}  // namespace tideline
