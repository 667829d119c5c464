// The table of views: what the tabs of the centre show of a graph, and stand-alone pictures.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/view/canvas.h"
#include "render/view/fit_curve.h"
#include "render/view/memory_view.h"
#include "render/view/palette.h"
#include "render/view/scene.h"

namespace tideline::render {

/// What a view is drawn with.
struct ViewLook {
  const Scene* scene = nullptr;
  ThemeKind theme = ThemeKind::kDark;
  Rect area = {};
  float font_px = 15;
  const FitCurve* fit = nullptr;     ///< null: there is none, or not yet
  std::string_view why_no_fit = {};  ///< what is said instead
};

/// One entry of the table. A front offers the view entirely from its entry here: as a tab, in menus
/// and scripts, on the page, in `render --view`.
struct View {
  std::string_view word;     ///< "levels": what scripts, pages and options say
  std::string_view title;    ///< "Levels": of the tab
  bool needs_trace = false;  ///< there is nothing to show without a traced step
  /// Draws all of it. Cost: that of its layout.
  void (*draw)(Canvas& canvas, const ViewLook& look) = nullptr;
};

/// In the order of the tabs. ui::Tab names the first ones by their place.
[[nodiscard]] std::span<const View> views();
/// The view, or null.
[[nodiscard]] const View* find_view(std::string_view word);
[[nodiscard]] std::vector<std::string> view_words();

/// The memory over levels alone, with or without bands for tensors; returns what was drawn.
MemoryLayout draw_memory_chart(Canvas& canvas, const ViewLook& look, bool show_bands);

}  // namespace tideline::render
