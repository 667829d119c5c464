// The colours of the views, in three themes. Colour is never the only carrier of information:
// shape, position or text repeats it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/memory/timeline.h"
#include "render/view/canvas.h"

namespace tideline::render {

enum class ThemeKind : std::uint8_t { kDark, kLight, kColorBlindSafe };
inline constexpr std::size_t kThemeCount = 3;
/// "dark", "light", "color-blind-safe".
[[nodiscard]] const char* theme_name(ThemeKind theme);
/// The inverse of theme_name; nullopt for other names.
[[nodiscard]] std::optional<ThemeKind> theme_of_name(std::string_view name);

inline constexpr std::size_t kScopeHues = 8;

struct Palette {
  Color background, panel, raised;  ///< of views; of panels; of buttons and headings in them
  Color text, dim_text, grid, outline;
  Color accent;       ///< interactive elements
  Color good, error;  ///< within the budget; exceeding it
  Color warning;      ///< allowed, but of no use
  Color original;     ///< device memory of the unedited graph
  Color device;       ///< device memory with the policy
  Color host;         ///< bars in the host lane, host memory
  Color host_lane;    ///< background of that lane
  Color swap_out, swap_in;
  Color budget;
  Color candidate;  ///< long-lived tensors that are not swapped
  Color resident;   ///< memory that is live at every step, such as variables
  Color measured;
  Color selection, hover;
  std::array<Color, kScopeHues> scopes;   ///< by hash of the top-level scope
  std::array<Color, 4> phases;            ///< by Phase
  std::array<Color, kMemoryKinds> kinds;  ///< by MemoryKind
};

/// The colours of a theme. Thread: pure.
[[nodiscard]] const Palette& palette(ThemeKind theme);

/// The contrast of two opaque colours, from 1 to 21 (W3C, Web Content Accessibility Guidelines 2.1,
/// "contrast ratio").
[[nodiscard]] double contrast(Color a, Color b);
/// The least contrast with which those guidelines call text readable.
inline constexpr double kReadableContrast = 4.5;
/// `color` for text on `ground`, mixed with as much of `text` as makes it readable; at most `text`.
[[nodiscard]] Color readable(Color color, Color ground, Color text);

}  // namespace tideline::render
