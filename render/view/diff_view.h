// The diff view: what differs between two graphs, by level and by scope, and whether values can.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/view/axis.h"
#include "render/view/canvas.h"
#include "render/view/diff_part.h"
#include "render/view/graph_changes.h"
#include "render/view/memory_view.h"
#include "render/view/palette.h"

namespace tideline::render {

/// A row of the tree: a scope, or an op in an open one.
struct DiffRow {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::uint32_t scope = kNone;  ///< index of GraphChanges::scopes
  std::uint32_t op = kNone;     ///< index of GraphChanges::ops
  std::uint32_t depth = 0;      ///< indentation
  bool is_open = false;
};

/// The rows that are listed. The root's are always; a scope without neighbours is open. Cost:
/// O(scopes + ops). Thread: pure.
[[nodiscard]] std::vector<DiffRow> diff_rows(const GraphChanges& changes,
                                             const std::vector<std::string>& open);

/// What the view is drawn with.
struct DiffLook {
  const GraphChanges* changes = nullptr;  ///< null: there are none, or not yet
  const ChangedText* text = nullptr;      ///< of DiffPart::op; null: none is picked, or not yet
  std::span<const DiffRow> rows = {};     ///< diff_rows of the changes and of what is open
  bool is_stale = false;                  ///< the changes are of an earlier policy
  std::string_view why_none = {};         ///< what is said where there are no changes
  const Palette* palette = nullptr;
  Rect area = {};
  VisibleRange range = {};  ///< of levels
  DiffPart part = {};
  float font_px = 15;
};

/// Where everything is, in pixels of the picture.
struct DiffLayout {
  float text_px = 0, line_px = 0;
  Rect head, levels, tree, text;  ///< verdict and checks; the strip; the two lists
  Rect memory = {};               ///< below the strip; empty without curves, or without room
  float axis_y = 0;               ///< of the strip
  std::size_t check_columns = 1;
  std::size_t first_row = 0, shown_rows = 0;    ///< of DiffLook::rows
  std::size_t first_line = 0, shown_lines = 0;  ///< of the text
  std::vector<std::string> words;               ///< what stands above the text, line by line
};
/// Lays the view out. Precondition: there are changes. Cost: O(changed ops), to find the one that
/// is picked. Thread: pure.
[[nodiscard]] DiffLayout layout_diff(const DiffLook& look);

/// Draws the view. Cost: O(levels + what is seen).
void draw_diff(Canvas& canvas, const DiffLook& look);

/// The curves of both graphs in a layout's `memory`. Precondition: that is not empty. The look
/// points into `look` and `scene`, which is written.
[[nodiscard]] MemoryLook diff_memory_look(const DiffLook& look, const DiffLayout& layout,
                                          Scene& scene);

/// What is under a point.
struct DiffHit {
  std::string scope;  ///< path of a scope's row; empty: none, or the root's
  std::string op;     ///< of an op's row
  bool is_scope = false;
  std::optional<std::int32_t> level;
  Rect rect = {};
  std::vector<std::string> lines;  ///< what is said of it
};
/// Precondition as for layout_diff. Cost: as layout_diff.
[[nodiscard]] DiffHit hit_diff(const DiffLook& look, Point at);

/// How far the lists can be scrolled, in rows. Precondition and cost as for layout_diff.
[[nodiscard]] double most_scroll_rows(const DiffLook& look);
[[nodiscard]] double most_text_scroll_rows(const DiffLook& look);

}  // namespace tideline::render
