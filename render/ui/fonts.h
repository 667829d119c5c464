// The letters of the window: one typeface in the sizes that are used, as crisp as they were drawn.
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

  /// The face that comes nearest to `size_px` when it is scaled to that.
  [[nodiscard]] ImFont* nearest(float size_px) const;
};

/// Sizes of the faces, as parts of the body's.
inline constexpr float kTinyShare = 0.8F;
inline constexpr float kSmallShare = 0.9F;
inline constexpr float kLargeShare = 1.6F;

/// Fills `atlas` with DejaVu Sans (Latin, Greek, Cyrillic, arrows, mathematical signs), drawn by
/// FreeType; with the small face that Dear ImGui brings along where DejaVu is not installed.
/// `body_px` is the height of a line of text in pixels of the screen.
/// Cost: about 60 ms. Call again when the size changes, then upload the texture anew.
Fonts load_fonts(ImFontAtlas& atlas, float body_px);

}  // namespace tideline::ui
