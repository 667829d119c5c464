// Tested by unit/analysis/structure/loop_names_test.cc.
#include "core/analysis/structure/loop_names.h"

#include <algorithm>

namespace tideline {

std::string loop_name(const Graph& graph, const WhileFrames& loops, std::uint32_t frame) {
  const std::string& name = loops.frames[frame].name;
  const bool is_taken = std::any_of(loops.frames.begin(), loops.frames.begin() + frame,
                                    [&](const WhileFrame& other) { return other.name == name; });
  return name.empty() || is_taken ? std::string(graph.name(loops.frames[frame].enters.front()))
                                  : name;
}

std::uint32_t find_loop(const Graph& graph, const WhileFrames& loops, std::string_view name) {
  if (name.empty()) return WhileFrame::kNone;
  for (std::uint32_t i = 0; i < loops.frames.size(); ++i) {
    if (loops.frames[i].name == name) return i;
  }
  const OpId op = graph.find(name);
  return op.valid() ? loops.frame_of[op.index()] : WhileFrame::kNone;
}

bool is_loop_within(const WhileFrames& loops, std::uint32_t inner, std::uint32_t around) {
  while (inner != WhileFrame::kNone && inner != around) inner = loops.frames[inner].parent;
  return inner == around;
}

}  // namespace tideline
