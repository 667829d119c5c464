// The two ends of the selected swap on the axis of levels.
#pragma once

#include <cstdint>
#include <optional>

#include "app/session/viewer.h"

namespace tideline::app {

/// Of a swap: from its producer to the end of its copy out, or from where it may come back to its
/// last reader.
enum class SwapEnd : std::uint8_t { kOut, kIn };

/// The end that the levels show, as show_end leaves them; nullopt for other levels, and unless a
/// swap is selected. Cost: as render::swap_ends. Thread: the UI's.
[[nodiscard]] std::optional<SwapEnd> shown_end(const Viewer& viewer);

/// Shows the levels of that end of the selected swap, with a margin. False, and nothing changes,
/// unless a swap is selected. Cost and thread as shown_end.
bool show_end(Viewer& viewer, SwapEnd end);

}  // namespace tideline::app
