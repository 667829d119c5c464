#include <catch2/catch.hpp>
#include <cmath>

#include "render/view/palette.h"

namespace tideline::render {
namespace {

// Relative luminance as in WCAG 2.
double luminance(Color color) {
  const auto linear = [](std::uint8_t channel) {
    const double share = channel / 255.0;
    return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

double contrast(Color a, Color b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace

TEST_CASE("In the colour-blind theme late, out and in differ in lightness, and can be read",
          "[palette]") {
  const Palette& colors = palette(ThemeKind::kColorBlindSafe);
  CHECK(contrast(colors.error, colors.swap_out) > 1.4);
  CHECK(contrast(colors.swap_out, colors.swap_in) > 1.4);
  CHECK(contrast(colors.error, colors.swap_in) > 1.9);
  for (const Color color : {colors.error, colors.swap_out, colors.swap_in})
    CHECK(contrast(color, colors.panel) > 4.5);
}

}  // namespace tideline::render
