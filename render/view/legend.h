// Legends: samples with words, in as many lines as they need.
#pragma once

#include <string>
#include <vector>

#include "render/view/canvas.h"

namespace tideline::render {

struct LegendEntry {
  enum class Mark : std::uint8_t {
    kPatch,
    kUp,       ///< an upright stroke with a tip above, as where bars begin
    kDown,     ///< the same with a tip below, as where copies come back
    kLow,      ///< a low bar, as behind their ends
    kUnknown,  ///< a hatched patch
    kLine,
    kDotted,  ///< a line of dots
    kText,    ///< words alone
  };
  Mark mark = Mark::kPatch;
  Color color = {};
  std::string text;
  Point at = {};      ///< set by place_legend: the left upper corner
  float room_px = 0;  ///< set by place_legend: for the words of the first of a line; 0: enough
};

/// Entries of a legend with their places.
struct Legend {
  float size_px = 12;      ///< of the words
  bool is_folded = false;  ///< without room: said where the mouse is on the ticks
  float height_px = 0;
  std::vector<LegendEntry> entries;
};

/// Places the entries from left to right between `x0` and `x1`, in as many lines as they need, the
/// first line at `y` 0. Where that takes more than `most_px`, words get smaller, down to 0.7 of
/// `size_px`; no entry is left out. Widths are those of DejaVu Sans. Cost: O(letters). Thread:
/// pure.
[[nodiscard]] Legend place_legend(std::vector<LegendEntry> entries, float x0, float x1,
                                  float size_px, float most_px);
/// Draws it with its first line at `y`; `ground` hatches what is unknown.
void draw_legend(Canvas& canvas, const Legend& legend, float y, Color text, Color ground);

/// The words of the entries, for a folded legend.
[[nodiscard]] std::vector<std::string> legend_lines(const std::vector<LegendEntry>& entries);
/// What stands at the end of the ticks: their unit, and in front of it where a folded legend is.
[[nodiscard]] std::string ticks_unit(const Canvas& canvas, const Legend& legend, std::string unit,
                                     float size_px, float width_px);

}  // namespace tideline::render
