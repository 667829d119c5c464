// How the scopes view shows a graph, as plain values.
#pragma once

#include <string>
#include <vector>

#include "render/view/color_by.h"

namespace tideline::render {

/// Which boxes are open, by their paths, sorted. A box is seen open if all around it are open, too.
using OpenBoxes = std::vector<std::string>;

/// What of the layout is seen is a range of its width, so that it can be zoomed and panned like an
/// axis: positions are thousandths.
inline constexpr int kScopePositions = 1000;

struct ScopesPart {
  OpenBoxes open = {};
  double y_0_1 = 0.5;       ///< what is in the middle of the height
  std::string picked = {};  ///< path of the box that is marked; empty: that of the selected op
  ColorBy color = ColorBy::kScope;
  bool is_vertical = false;
  int trace = 1;  ///< through so many boxes what flows into the marked one and out of it is marked
};
inline constexpr int kMostTrace = 100;

}  // namespace tideline::render
