#include "core/rewrite/rewrite_plan.h"

#include <algorithm>
#include <cmath>

#include "core/base/counted.h"
#include "core/memory/step_time_text.h"

namespace tideline {

std::string prediction_text(const PlanPrediction& prediction) {
  const Bytes before = prediction.device_peak_before, after = prediction.device_peak_bytes;
  const std::string run = run_text(prediction.run);
  std::string text = fmt::format("device memory of a step{}{}: {}", run.empty() ? "" : " ", run,
                                 format_bytes(before));
  if (after == before) {
    text += ", unchanged";
  } else {
    const double change =
        static_cast<double>(after - before) / static_cast<double>(std::max(before, Bytes{1})) * 100;
    text += fmt::format(" before, {} after", format_bytes(after));
    // Two digits where whole per cent would say 0.
    text += std::abs(change) < 1 ? fmt::format(" ({:+.2g} %)", change)
                                 : fmt::format(" ({:+.0f} %)", change);
  }
  if (!prediction.device.empty()) text += " on " + prediction.device;
  if (prediction.time) text += "; " + step_text(*prediction.time, true);
  return text;
}

// Tensors that are copied to the host for nothing.
static void add_unread_copies(const std::vector<SwapEffect>& effects, const std::string& remedy,
                              std::vector<Warning>& all) {
  std::int64_t count = 0;
  Bytes bytes = 0;
  for (const SwapEffect& effect : effects) {
    if (!effect.is_unread || effect.bytes == 0) continue;
    ++count;
    bytes = saturating_add(bytes, effect.bytes);
  }
  if (count == 0) return;
  std::string text = fmt::format(
      "{} ({}) {} swapped only for ops that TensorFlow folds, such as gradients of constants; it "
      "copies {} to the host all the same",
      counted(static_cast<std::size_t>(count), "tensor"), format_bytes(bytes),
      count == 1 ? "is" : "are", count == 1 ? "it" : "them");
  if (!remedy.empty()) text += fmt::format(". {{{}}} leaves that out", remedy);
  all.push_back({"unread copies", std::move(text), remedy, count});
}

std::vector<Warning> RewritePlan::warnings_at(Bytes peak_before, Bytes peak,
                                              const std::vector<SwapEffect>& effects,
                                              const TimeReport* timing) const {
  std::vector<Warning> all = warnings;
  add_raised_peak(swaps().empty() ? "the plan raises" : "the swaps raise", peak_before, peak, all);
  if (!swaps().empty()) add_unread_copies(effects, unread_remedy, all);
  if (timing != nullptr && timing->after.stuck) {
    all.push_back({"stuck", stuck_text(timing->after)});
  }
  return all;
}

std::int64_t swap_in_count(std::span<const PlannedSwap> swaps) {
  std::int64_t count = 0;
  for (const PlannedSwap& swap : swaps) count += static_cast<std::int64_t>(swap.swap_ins.size());
  return count;
}

}  // namespace tideline
