// The peaks that are told beside a traced step, each in the same two parts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/base/units.h"
#include "core/memory/measured/measured_run.h"
#include "core/memory/timeline.h"

namespace tideline {

/// A peak of device memory: everything that is allocated there. A trace has only what the step
/// allocates; what was resident before it (variables, optimizer slots, constants) is taken from the
/// model, for the run as for the model.
struct PeakParts {
  Bytes resident = 0;
  Bytes of_step = 0;
  [[nodiscard]] Bytes total() const { return saturating_add(resident, of_step); }
};
/// "37.48 MiB resident + 24.71 MiB of the step".
[[nodiscard]] std::string parts_text(const PeakParts& peak);
/// "62.19 MiB (37.48 MiB resident + 24.71 MiB of the step)".
[[nodiscard]] std::string peak_text(const PeakParts& peak);

/// Of a step that was simulated with the faithful model.
[[nodiscard]] PeakParts peak_parts(const MemoryTimeline& timeline);

/// Of a device of `run`, which has been compared; `resident` comes from the model's step.
struct MeasuredPeaks {
  PeakParts measured;
  PeakParts model_there;  ///< the model on the same executions, at the run's peak
  double off = 0;         ///< deviation of model_there.of_step from measured.of_step
};
[[nodiscard]] MeasuredPeaks measured_peaks(const MeasuredRun& run, Bytes resident,
                                           std::size_t device = 0);

/// Two lines: "measured peak " and "the model there ", each with its parts; or that the trace has
/// no memory of the device.
[[nodiscard]] std::string measured_text(const MeasuredRun& run, Bytes resident,
                                        std::size_t device = 0);

}  // namespace tideline
