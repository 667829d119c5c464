#include <catch2/catch.hpp>

#include "render/view/palette.h"

namespace tideline::render {
TEST_CASE("In the colour-blind theme late, out and in differ in lightness, and can be read",
          "[palette]") {
  const Palette& colors = palette(ThemeKind::kColorBlindSafe);
  CHECK(contrast(colors.error, colors.swap_out) > 1.4);
  CHECK(contrast(colors.swap_out, colors.swap_in) > 1.4);
  CHECK(contrast(colors.error, colors.swap_in) > 1.9);
  for (const Color color : {colors.error, colors.swap_out, colors.swap_in})
    CHECK(contrast(color, colors.panel) > 4.5);
}

TEST_CASE("A colour becomes readable on its ground, and no lighter than it must", "[palette]") {
  for (const ThemeKind theme : {ThemeKind::kDark, ThemeKind::kLight, ThemeKind::kColorBlindSafe}) {
    const Palette& colors = palette(theme);
    // As the values of peaks stand on the filled curve.
    const Color filled = colors.device.with_alpha(0.5).over(colors.background);
    const Color ground = colors.background.with_alpha(0.65).over(filled);
    for (const Color color : {colors.device, colors.original, colors.host, colors.budget,
                              colors.measured, colors.dim_text}) {
      const Color shown = readable(color, ground, colors.text);
      CHECK(contrast(shown, ground) >= kReadableContrast);
      if (contrast(color, ground) >= kReadableContrast) CHECK(shown == color);
    }
  }
  CHECK(contrast({0, 0, 0}, {255, 255, 255}) == Approx(21));
  CHECK(contrast({9, 9, 9}, {9, 9, 9}) == Approx(1));
}

}  // namespace tideline::render
