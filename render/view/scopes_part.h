// How the scopes view shows a graph, as plain values.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "render/view/color_by.h"

namespace tideline::render {

/// Which boxes are open, by their paths, sorted. A box is seen open if all around it are open, too.
using OpenBoxes = std::vector<std::string>;

/// What of the layout is seen is a range of its width, so that it can be zoomed and panned like an
/// axis: positions are thousandths.
inline constexpr int kScopePositions = 1000;

/// Boxes that stand aside of the flow by hand (true), or in it (false), by their paths; the others
/// stand where the layout puts them. An op and a scope of one name are meant both.
using AsideBoxes = std::map<std::string, bool, std::less<>>;

/// What decides where boxes are.
struct ScopesArrangement {
  OpenBoxes open = {};
  bool is_vertical = false;
  AsideBoxes aside = {};
  std::string loop = {};  ///< only the ops that run in it are shown (loop_name); empty: all

  friend bool operator==(const ScopesArrangement&, const ScopesArrangement&) = default;
};

struct ScopesPart : ScopesArrangement {
  /// What was open where `loop` was another, by that.
  std::map<std::string, OpenBoxes> open_elsewhere = {};
  double y_0_1 = 0.5;       ///< what is in the middle of the height
  std::string picked = {};  ///< path of the box that is marked; empty: that of the selected op
  ColorBy color = ColorBy::kScope;
  int trace = 1;  ///< through so many boxes what flows into the marked one and out of it is marked
};
inline constexpr int kMostTrace = 100;

}  // namespace tideline::render
