// What the charts say of what is under the mouse.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/view/levels_view.h"
#include "render/view/memory_view.h"

namespace tideline::ui {

/// Lines of the level view for what `hit_levels` found with that look; empty for nothing, and for a
/// hit that is not of this scene. Cost: O(names). Thread: pure.
[[nodiscard]] std::vector<std::string> hover_lines(const render::LevelsLook& look,
                                                   const render::Hit& hit);
/// The same of the memory view and `hit_memory`.
[[nodiscard]] std::vector<std::string> hover_lines(const render::MemoryLook& look,
                                                   const render::MemoryHit& hit);

/// "nothing", "op", "folded", "swap", "swap-group", "candidate", "copy-out", "copy-in", "stall".
[[nodiscard]] std::string_view hit_kind_name(render::HitKind kind);

/// The tensor of the graph that `tensor` is, or that it is a copy of when the plan added it;
/// nullopt when it is neither.
[[nodiscard]] std::optional<TensorId> tensor_in_graph(const render::Scene& scene, TensorId tensor);
/// Its name for people; "?" when there is none.
[[nodiscard]] std::string shown_name(const render::Scene& scene, TensorId tensor);

}  // namespace tideline::ui
