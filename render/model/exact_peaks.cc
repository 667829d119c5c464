// Tested by unit/model/exact_peaks_test.cc.
#include "render/model/exact_peaks.h"

#include <fmt/format.h>

#include "core/base/text.h"

namespace tideline::ui {

std::string exact_text(std::string_view tensorflow, const ExactPeak& peak, Bytes modelled) {
  return fmt::format("device peak {} exactly, by TensorFlow {}; modelled {}",
                     format_bytes(peak.device_peak), printable(tensorflow, 40),
                     format_bytes(modelled));
}

std::string exact_miss(const ExactPeak& peak, Bytes budget) {
  if (budget <= 0) return {};
  if (peak.device_peak > budget) {
    return fmt::format("exceeds {} by {}", format_bytes(budget),
                       format_bytes(peak.device_peak - budget));
  }
  return peak.is_stuck ? fmt::format("does not fit {}", format_bytes(budget)) : std::string();
}

}  // namespace tideline::ui
