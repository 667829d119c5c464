// The measured curve of a traced step and the model's: by level, and over time.
#pragma once

#include <string>

#include "render/view/memory_view.h"

namespace tideline::render {

/// Whether Scene::measured belongs to this device: with several devices, by kind and number
/// ("GPU:0"). False without a traced step.
[[nodiscard]] bool is_measured(const Scene& scene, std::size_t device);

/// Fills MemoryLayout::measured of a layout whose axis is levels. Cost: O(levels). Thread: pure.
void add_measured(const Scene& scene, MemoryLayout& layout);

/// The layout for MemoryAxis::kMeasuredTime; `before` is the model on the executions of the step.
/// Positions are intervals of time, at most about 100 000 of them; none without a traced step of
/// the device. Cost: O(executions + records). Thread: pure.
[[nodiscard]] MemoryLayout layout_measured_time(const Scene& scene, std::uint32_t device);

/// A summary of the traced step in lines (measured_peaks.h); empty if it is not of this device.
[[nodiscard]] std::string measured_summary(const Scene& scene, std::size_t device);
/// The name, without its folders, of the file or folder that the step was read from.
[[nodiscard]] std::string measured_name(const MeasuredRun& run);

}  // namespace tideline::render
