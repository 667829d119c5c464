// The colours of ops by what colours say, and what they mean.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "render/view/color_by.h"
#include "render/view/legend.h"
#include "render/view/palette.h"
#include "render/view/scene.h"

namespace tideline::render {

/// Colours from little to much.
[[nodiscard]] Color heat(double share_0_1);

/// Heat by the logarithm of an amount, from a thousandth of the most on.
class AmountColors {
 public:
  explicit AmountColors(std::int64_t most) : most_(most) {}

  [[nodiscard]] double share_0_1(std::int64_t amount) const;
  [[nodiscard]] Color of(std::int64_t amount) const { return heat(share_0_1(amount)); }
  /// The entries of a legend: the most, and what is tenfold less. `nothing` says what zero means,
  /// which has the colour `none`.
  [[nodiscard]] std::vector<LegendEntry> legend(
      const std::function<std::string(std::int64_t)>& text_of, std::string_view nothing,
      Color none) const;

 private:
  std::int64_t most_;
};

/// By op of the graph: how long it takes by the clock, on the device where it takes longest. Empty
/// where no clock is known. Thread: pure.
[[nodiscard]] std::vector<double> op_times_ns(const Scene& scene);
/// What op times that are 0, or are not known, are called.
[[nodiscard]] std::string_view no_time_text(bool is_known);

/// Of heat by level: where the step begins, its middle, its end.
[[nodiscard]] std::vector<LegendEntry> level_legend(std::int32_t levels, Color outside);

/// Every op is of one kind; kinds have colours.
struct OpColors {
  std::vector<Color> colors;          ///< by kind; there is at least one
  std::vector<std::uint8_t> kind_of;  ///< by op
  std::vector<LegendEntry> legend;
};
/// Of types and devices those of which the step makes most bytes, eight at most, have a colour of
/// their own; all others share the first one. Cost: O(ops); of swaps O(ops + swaps). Thread: pure.
[[nodiscard]] OpColors color_ops(const Scene& scene, const Palette& colors, ColorBy by);

}  // namespace tideline::render
