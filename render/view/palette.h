// The colours of the views, in three themes. What a colour says is also said by shape, place or
// text.
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
/// Nothing for another name.
[[nodiscard]] std::optional<ThemeKind> theme_of_name(std::string_view name);

inline constexpr std::size_t kScopeHues = 8;

struct Palette {
  Color background, panel, raised;  ///< of views; of panels; of buttons and headings in them
  Color text, dim_text, grid, outline;
  Color accent;       ///< what can be moved or pressed
  Color good, error;  ///< fits the budget; does not
  Color original;     ///< device memory of the graph as it is in the file
  Color device;       ///< device memory with the policy
  Color host;         ///< bars in the host lane, host memory
  Color host_lane;    ///< ground of that lane
  Color swap_out, swap_in;
  Color budget;
  Color candidate;  ///< tensors that live long and stay
  Color resident;   ///< variables and what else is there at every step
  Color measured;
  Color selection, hover;
  std::array<Color, kScopeHues> scopes;   ///< by hash of the top-level scope
  std::array<Color, 4> phases;            ///< by Phase
  std::array<Color, kMemoryKinds> kinds;  ///< by MemoryKind
};

/// Thread: pure.
[[nodiscard]] const Palette& palette(ThemeKind theme);

}  // namespace tideline::render
