// Tested by: tests/unit/memory/measured/measured_peaks_test.cc.
#include "core/memory/measured/measured_peaks.h"

#include <fmt/format.h>

#include "core/base/text.h"

namespace tideline {
namespace {

constexpr double kPercent = 100;

}  // namespace

std::string parts_text(const PeakParts& peak) {
  return fmt::format("{} resident + {} of the step", format_bytes(peak.resident),
                     format_bytes(peak.of_step));
}

std::string peak_text(const PeakParts& peak) {
  return fmt::format("{} ({})", format_bytes(peak.total()), parts_text(peak));
}

PeakParts peak_parts(const MemoryTimeline& timeline) {
  return {timeline.resident_bytes, timeline.device_peak - timeline.resident_bytes};
}

MeasuredPeaks measured_peaks(const MeasuredRun& run, Bytes resident, std::size_t device) {
  const MeasuredComparison& compared = run.comparisons[device];
  const Bytes peak = run.devices[device].peak;
  return {{resident, peak},
          {resident, compared.model_at_peak},
          deviation(compared.model_at_peak, peak)};
}

std::string measured_text(const MeasuredRun& run, Bytes resident, std::size_t device) {
  if (!run.devices[device].has_memory()) return "the traced step has times alone, no memory";
  const MeasuredPeaks peaks = measured_peaks(run, resident, device);
  return fmt::format("measured peak {}\nthe model there {}, the step off by {:.2f} %",
                     peak_text(peaks.measured), peak_text(peaks.model_there), peaks.off * kPercent);
}

}  // namespace tideline
