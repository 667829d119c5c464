// The table of views: what the tabs of the centre show of a graph, and stand-alone pictures.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/view/canvas.h"
#include "render/view/diff_part.h"
#include "render/view/fit_curve.h"
#include "render/view/graph_changes.h"
#include "render/view/memory_view.h"
#include "render/view/palette.h"
#include "render/view/scene.h"
#include "render/view/scopes_part.h"
#include "render/view/timeline_view.h"

namespace tideline::render {

/// The part of a view that is seen, and what is marked in it. By default all of it, and nothing.
struct ViewPart {
  /// Of the view's axis: levels; microseconds of the timeline; thousandths of the width of scopes.
  VisibleRange range = {};
  double row_zoom = 1;        ///< of the rows of levels; 1: all of them fit
  double row_scroll_0_1 = 0;  ///< 1: down to the last of them
  float timeline_scroll_px = 0;
  std::optional<TensorId> selected = {};
  ScopesPart scopes = {};
  DiffPart diff = {};
  std::optional<TimelineStretch> stretch = {};
  MemoryAxis memory_axis = MemoryAxis::kLevel;
  std::uint32_t device = 0;           ///< index of Scene::devices, of the memory view
  double detail_0_1 = 1;              ///< of its bands
  std::optional<double> pinned = {};  ///< position whose memory is listed; else the peak
  std::optional<double> player = {};  ///< level of the step player, of levels and memory by level
  std::vector<BookmarkMark> marks = {};  ///< bookmarks at the view's axis
  ColorBy levels_color = ColorBy::kPhase;
  bool show_original = true;
  bool show_candidates = true;
  bool show_control_edges = false;
};

/// What a view is drawn with.
struct ViewLook {
  const Scene* scene = nullptr;
  ThemeKind theme = ThemeKind::kDark;
  Rect area = {};
  float font_px = 15;
  const FitCurve* fit = nullptr;          ///< null: there is none, or not yet
  std::string_view why_no_fit = {};       ///< what is said instead
  const GraphChanges* changes = nullptr;  ///< null: there are none, or not yet
  const ChangedText* changed_text = nullptr;
  std::string_view why_no_changes = {};
  ViewPart part = {};
};

/// One entry of the table. A front offers the view entirely from its entry here: as a tab, in menus
/// and scripts, on the page, in `render --view`.
struct View {
  std::string_view word;      ///< "levels": what scripts, pages and options say
  std::string_view title;     ///< "Levels": of the tab
  bool needs_trace = false;   ///< there is nothing to show without a traced step
  bool needs_search = false;  ///< a tab only where automatic mode has searched
  /// Draws the part of it. Cost: that of its layout.
  void (*draw)(Canvas& canvas, const ViewLook& look) = nullptr;
};

/// In the order of the tabs. ui::Tab names the first ones by their place.
[[nodiscard]] std::span<const View> views();
/// The view, or null.
[[nodiscard]] const View* find_view(std::string_view word);
[[nodiscard]] std::vector<std::string> view_words();

/// The memory alone, with or without bands for tensors; returns what was drawn.
MemoryLayout draw_memory_chart(Canvas& canvas, const ViewLook& look, bool show_bands);

}  // namespace tideline::render
