// The memory of the runs of a cycle, one after the other.
#pragma once

#include "render/view/labels.h"
#include "render/view/memory_frame.h"
#include "render/view/memory_view.h"

namespace tideline::render {

/// The layout of Scene::runs, which is not empty, on the axis of steps. Cost: O(steps). Thread:
/// pure.
[[nodiscard]] MemoryLayout layout_runs(const Scene& scene);
/// Where runs begin, and their names and peaks where there is room for them. Nothing for a step.
void draw_runs(Canvas& canvas, const MemoryFrame& frame, Labels& labels);

}  // namespace tideline::render
