// Tested by unit/actions/swap_end_test.cc.
#include "app/actions/swap_end.h"

#include <algorithm>

#include "app/actions/commands.h"
#include "render/view/swap_lens.h"

namespace tideline::app {
namespace {

constexpr double kLeastMargin = 2;  // levels
constexpr double kMarginShare = 0.1;

std::optional<render::SwapEnds> ends_of_selected(const Viewer& viewer) {
  if (!has_graph(viewer) || !viewer.view.selected) return std::nullopt;
  return render::swap_ends(viewer.graph().snapshot()->scene(), *viewer.view.selected);
}

// All of the axis when nothing is left out.
ui::AxisRange range_of_end(const render::SwapEnds& ends, SwapEnd end, double whole) {
  const double from = end == SwapEnd::kOut ? ends.out_first : ends.in_first;
  const double to = end == SwapEnd::kOut ? ends.out_last : ends.in_last;
  const double margin = std::max(kLeastMargin, (to - from) * kMarginShare);
  const double span = to - from + 1 + 2 * margin;
  if (span >= whole) return {};
  return {std::clamp(from - margin, 0.0, whole - span), span};
}

}  // namespace

std::optional<SwapEnd> shown_end(const Viewer& viewer) {
  const auto ends = ends_of_selected(viewer);
  if (!ends) return std::nullopt;
  const double whole = level_count(viewer);
  for (const SwapEnd end : {SwapEnd::kOut, SwapEnd::kIn}) {
    if (viewer.view.axis == range_of_end(*ends, end, whole)) return end;
  }
  return std::nullopt;
}

bool show_end(Viewer& viewer, SwapEnd end) {
  const auto ends = ends_of_selected(viewer);
  if (!ends) return false;
  viewer.view.axis = range_of_end(*ends, end, level_count(viewer));
  return true;
}

}  // namespace tideline::app
