// The fonts of the window: one typeface, rasterised in each size that is used.
#pragma once

#include <string>

struct ImFont;
struct ImFontAtlas;

namespace tideline::ui {

/// Owned by the atlas. Never null.
struct Fonts {
  ImFont* tiny = nullptr;   ///< labels on axes
  ImFont* small = nullptr;  ///< tables, names on bars
  ImFont* body = nullptr;
  ImFont* large = nullptr;  ///< the one number of the result
  ImFont* code = nullptr;   ///< letters of one width, or `body`
  /// Why a font file that exists could not be used; empty if it was, or there is none.
  std::string problem;

  /// The font whose size is nearest to `size_px`.
  [[nodiscard]] ImFont* nearest(float size_px) const;
};

/// Sizes of the fonts relative to the body font.
inline constexpr float kTinyShare = 0.8F;
inline constexpr float kSmallShare = 0.9F;
inline constexpr float kLargeShare = 1.6F;

/// DejaVu Sans, where Debian installs it.
struct Typefaces {
  std::string regular = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
  std::string bold = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf";
  std::string code = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf";
};

/// Those in ../share/tideline/fonts, seen from `folder`, where the program lies, as in the tarball;
/// of files that are not there, what Debian installs.
[[nodiscard]] Typefaces typefaces_beside(const std::string& folder);
/// The same for this program.
[[nodiscard]] Typefaces usual_typefaces();

/// Fills `atlas` with the typefaces (Latin, Greek, Cyrillic, arrows, mathematical symbols),
/// rasterised by FreeType, or with Dear ImGui's built-in font where a file is missing or cannot be
/// used. `body_px` is the height of a line of text in screen pixels. Call again when the size
/// changes, then upload the texture again. Cost: about 60 ms.
Fonts load_fonts(ImFontAtlas& atlas, float body_px, const Typefaces& typefaces = usual_typefaces());
/// The same with the font of a file for everything; where that cannot be used, or is "", with
/// DejaVu Sans.
Fonts load_chosen_fonts(ImFontAtlas& atlas, float body_px, const std::string& file);

}  // namespace tideline::ui
