// Peaks of a step that TensorFlow runs exactly, beside the modelled ones of the scene.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"

namespace tideline::ui {

struct ExactPeak {
  Bytes device_peak = 0;
  bool is_stuck = false;  ///< within the budget, the step waits for memory that nothing gives back
};

/// What TensorFlow's optimizer makes of the graph, and of the graph that the plan gives, decides
/// about these; everything else that is shown is modelled.
struct ExactPeaks {
  std::string tensorflow;              ///< the version
  std::vector<ExactPeak> before = {};  ///< by device of the scene; empty: not known (yet)
  std::vector<ExactPeak> after = {};   ///< with the plan; empty without one, or not known
  std::string problem = {};            ///< why something is not known
  [[nodiscard]] bool is_asking() const { return before.empty() && problem.empty(); }
};

/// "device peak 3.87 GiB exactly, by TensorFlow 2.15.1; modelled 3.86 GiB".
[[nodiscard]] std::string exact_text(std::string_view tensorflow, const ExactPeak& peak,
                                     Bytes modelled);
/// Why the step does not fit: "exceeds 4.00 GiB by 12.00 MiB"; empty if it does, or without a
/// budget.
[[nodiscard]] std::string exact_miss(const ExactPeak& peak, Bytes budget);

}  // namespace tideline::ui
