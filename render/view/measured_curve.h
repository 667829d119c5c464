// The curve of a traced step beside that of the model: by level, and over the time that it took.
#pragma once

#include <string>

#include "render/view/memory_view.h"

namespace tideline::render {

/// Whether the curve of Scene::measured is of this device: with several devices the one of the same
/// kind and number, "GPU:0". False without a traced step.
[[nodiscard]] bool is_measured(const Scene& scene, std::size_t device);

/// Fills MemoryLayout::measured of a layout by level. Cost: O(levels). Thread: pure.
void add_measured(const Scene& scene, MemoryLayout& layout);

/// The layout of MemoryAxis::kMeasuredTime: `before` is the model on the executions of the step. At
/// most some 100 000 positions, so a long step has coarser ones. Without a traced step of the
/// device there are none. Cost: O(executions + records). Thread: pure.
[[nodiscard]] MemoryLayout layout_measured_time(const Scene& scene, std::uint32_t device);

/// "measured peak 8.06 KiB, model 4.00 KiB on the same executions (off by 50.39 %)".
[[nodiscard]] std::string measured_text(const MeasuredRun& run);
/// The file or folder that the step was read from, without the folders around it.
[[nodiscard]] std::string measured_name(const MeasuredRun& run);

}  // namespace tideline::render
