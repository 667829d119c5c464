// How the scopes view shows a graph, as plain values.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tideline::render {

/// Which boxes are open, by their paths, sorted. A box is seen open if all around it are open, too.
using OpenBoxes = std::vector<std::string>;

/// What the colour of a box says.
enum class BoxColor : std::uint8_t {
  kScope,
  kPhase,
  kDevice,
  kType,
  kMemory,
  kTime,  ///< of the clock of the step
  kLevel,
  kSwap
};
/// What options, actions and pages call them.
inline constexpr std::array<const char*, 8> kBoxColorWords = {"scope",  "phase", "device", "type",
                                                              "memory", "time",  "level",  "swap"};
/// Precondition: `word` is one of them.
[[nodiscard]] inline BoxColor box_color_of(std::string_view word) {
  return static_cast<BoxColor>(std::find(kBoxColorWords.begin(), kBoxColorWords.end(), word) -
                               kBoxColorWords.begin());
}

/// What of the layout is seen is a range of its width, so that it can be zoomed and panned like an
/// axis: positions are thousandths.
inline constexpr int kScopePositions = 1000;

struct ScopesPart {
  OpenBoxes open = {};
  double y_0_1 = 0.5;       ///< what is in the middle of the height
  std::string picked = {};  ///< path of the box that is marked; empty: that of the selected op
  BoxColor color = BoxColor::kScope;
  bool is_vertical = false;
  int trace = 1;  ///< through so many boxes what flows into the marked one and out of it is marked
};
inline constexpr int kMostTrace = 100;

}  // namespace tideline::render
