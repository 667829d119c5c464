// The measured curve of a traced step and the model's: by level, by step, and over time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "render/view/memory_view.h"

namespace tideline::render {

/// Which of MeasuredRun::devices this device is: with several devices, by kind and number
/// ("GPU:0"). Nullopt without a traced step, and for a device that it does not have.
[[nodiscard]] std::optional<std::size_t> measured_device(const Scene& scene, std::size_t device);

/// Fills MemoryLayout::measured of a layout of levels or steps, whose other curves are there.
/// `shown` is the timeline that the steps are of. Nothing for a traced step without memory. Cost:
/// O(executions + positions). Thread: pure.
void add_measured(const Scene& scene, const MemoryTimeline& shown, MemoryLayout& layout);

/// The layout for MemoryAxis::kMeasuredTime; `before` is the model on the executions of the step.
/// Positions are intervals of time, at most about 100 000 of them; none without a traced step of
/// the device. Cost: O(executions + records). Thread: pure.
[[nodiscard]] MemoryLayout layout_measured_time(const Scene& scene, std::uint32_t device);

/// A summary of the traced step in lines (measured_peaks.h); empty if it is not of this device.
[[nodiscard]] std::string measured_summary(const Scene& scene, std::size_t device);
/// The name, without its folders, of the file or folder that the step was read from.
[[nodiscard]] std::string measured_name(const MeasuredRun& run);

}  // namespace tideline::render
