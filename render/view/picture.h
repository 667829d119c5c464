// A view as a stand-alone picture with a title.
#pragma once

#include <string>

#include "render/view/canvas.h"
#include "render/view/diff_part.h"
#include "render/view/fit_curve.h"
#include "render/view/graph_changes.h"
#include "render/view/palette.h"
#include "render/view/scene.h"
#include "render/view/sweep_grid.h"
#include "render/view/views.h"

namespace tideline::render {

struct Picture {
  const Scene* scene = nullptr;           ///< null only if `fit` or `sweep` is drawn
  const View* view = nullptr;             ///< null: levels above memory, over the same axis
  const FitCurve* fit = nullptr;          ///< drawn instead of the scene, if there is one
  std::string why_no_fit;                 ///< what is said of a curve without points
  const GraphChanges* changes = nullptr;  ///< what the diff view shows; its text may be null
  const ChangedText* changed_text = nullptr;
  std::string why_no_changes;        ///< what is said without them
  const SweepGrid* sweep = nullptr;  ///< drawn instead of all, if there is one
  ThemeKind theme = ThemeKind::kDark;
  std::string title;     ///< the file
  std::string subtitle;  ///< the policy
  float width_px = 1600, height_px = 1000;
  float font_px = 15;
  ViewPart part;  ///< of a view, or of the axis of both
};

/// Lays out and draws. Cost: as both layouts. Thread: pure.
void draw_picture(Canvas& canvas, const Picture& picture);

/// The bytes of an SVG file; `scale` enlarges it and everything in it. Thread: pure.
[[nodiscard]] std::string draw_svg(const Picture& picture, double scale);

/// The peaks of the scene's first device: "device 9.14 GiB -> 3.86 GiB (-58 %), host 7.83 GiB".
[[nodiscard]] std::string peaks_text(const Scene& scene);

}  // namespace tideline::render
