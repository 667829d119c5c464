// Levels that were chosen in the charts: what the tables and the card are limited to, and how the
// stretch is drawn. Positions of another axis stand for the levels of their ops.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "render/model/ui_model.h"
#include "render/model/view_cache.h"
#include "render/model/view_state.h"
#include "render/view/level_stretch.h"
#include "render/view/memory_view.h"

namespace tideline::ui {

/// What tables and statistics are limited to; null: nothing.
[[nodiscard]] const LevelStretch* limit_of(const DocumentView& view);
/// "level 20", "levels 20 to 40".
[[nodiscard]] std::string levels_text(const LevelStretch& levels);
/// What the button says that takes the limit back: "Only levels 20 to 40: show all".
[[nodiscard]] std::string limit_label(const LevelStretch& levels);

/// The ops of these levels, in the order of the graph. Cost: O(ops). Thread: pure.
[[nodiscard]] std::vector<OpId> ops_of_levels(const render::Scene& scene,
                                              const LevelStretch& levels);
/// By scope: the outputs of its ops at these levels, scopes inside included, and what of them is
/// swapped. Cost: O(ops + scopes + swaps). Thread: pure.
[[nodiscard]] ScopeTotals totals_of_levels(const render::Scene& scene, const LevelStretch& levels);

/// The level of the op that runs at a position of the axis; nullopt where none is known.
[[nodiscard]] std::optional<std::int32_t> level_at(const render::Scene& scene,
                                                   const render::MemoryLayout& memory,
                                                   std::int32_t position);
/// The levels at the positions from `a` to `b`, in any order. Nullopt where none is known.
/// Cost: O(positions between). Thread: pure.
[[nodiscard]] std::optional<LevelStretch> levels_between(const render::Scene& scene,
                                                         const render::MemoryLayout& memory,
                                                         double a, double b, bool is_limit);
/// First and last position of the axis at which an op of these levels runs. Cost: O(positions);
/// O(1) for an axis of levels.
struct Positions {
  std::int32_t first = 0, last = 0;
};
[[nodiscard]] std::optional<Positions> positions_of(const render::Scene& scene,
                                                    const render::MemoryLayout& memory,
                                                    const LevelStretch& levels);
/// Where the memory of the shown step is highest: of the levels of the limit, else of all; 0 where
/// nothing is known. Cost: as positions_of.
[[nodiscard]] std::int32_t peak_position(const render::Scene& scene,
                                         const render::MemoryLayout& memory,
                                         const LevelStretch* limit);

/// The stretch over a chart of levels, or over the memory of `memory`; with `has_text` what happens
/// in it, too. Nullopt without a stretch, or where it has no place on the axis.
[[nodiscard]] std::optional<render::LevelStretchLook> stretch_look(
    const UiModel& model, const ViewState& view, const render::MemoryLayout* memory,
    const render::Axis& axis, render::Rect area, bool has_text);

}  // namespace tideline::ui
