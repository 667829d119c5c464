// The fonts of the window: one typeface, rasterised in each size that is used.
#pragma once

#include <array>
#include <cstddef>

struct ImFont;
struct ImFontAtlas;

namespace tideline::ui {

/// Owned by the atlas. Never null.
struct Fonts {
  ImFont* tiny = nullptr;   ///< labels on axes
  ImFont* small = nullptr;  ///< tables, names on bars
  ImFont* body = nullptr;
  ImFont* large = nullptr;  ///< the one number of the result

  /// The font whose size is nearest to `size_px`.
  [[nodiscard]] ImFont* nearest(float size_px) const;
};

/// Sizes of the fonts relative to the body font.
inline constexpr float kTinyShare = 0.8F;
inline constexpr float kSmallShare = 0.9F;
inline constexpr float kLargeShare = 1.6F;

/// Fills `atlas` with DejaVu Sans (Latin, Greek, Cyrillic, arrows, mathematical symbols),
/// rasterised by FreeType, or with Dear ImGui's built-in font where DejaVu is not installed.
/// `body_px` is the height of a line of text in screen pixels. Call again when the size changes,
/// then upload the texture again. Cost: about 60 ms.
Fonts load_fonts(ImFontAtlas& atlas, float body_px);

}  // namespace tideline::ui
