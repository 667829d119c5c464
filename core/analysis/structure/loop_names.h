// What users call the while loops of TensorFlow 1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/analysis/structure/while_frames.h"
#include "core/graph/graph.h"

namespace tideline {

/// The name of the loop's frame or, where that is empty or an earlier loop has it, of its first
/// Enter op. Cost: O(loops).
[[nodiscard]] std::string loop_name(const Graph& graph, const WhileFrames& loops,
                                    std::uint32_t frame);
/// The first loop whose frame has this name, else the one in which the op of this name runs;
/// WhileFrame::kNone if there is neither. Cost: O(loops).
[[nodiscard]] std::uint32_t find_loop(const Graph& graph, const WhileFrames& loops,
                                      std::string_view name);
/// Whether `inner` is `around` or within it; WhileFrame::kNone is around all.
[[nodiscard]] bool is_loop_within(const WhileFrames& loops, std::uint32_t inner,
                                  std::uint32_t around);

}  // namespace tideline
