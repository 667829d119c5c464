// The axis that keys and actions zoom and pan.
#pragma once

#include "render/model/view_state.h"
#include "render/view/scene.h"

namespace tideline::ui {

/// A range of ViewState, and the number of positions of its axis.
struct ShownAxis {
  AxisRange* range = nullptr;
  int count = 1;
  double per_us = 0;  ///< positions of a microsecond; 0: the axis is not of time

  /// A number of levels, steps or microseconds in positions.
  [[nodiscard]] double positions(double number) const {
    return per_us > 0 ? number * per_us : number;
  }
};

/// The axis of the timeline, or the width of the scopes view in thousandths, or of the memory view
/// when it shows steps or time; else the levels. Cost: O(1); O(ops + executions) for times and the
/// timeline. Thread: the UI's.
[[nodiscard]] ShownAxis shown_axis(const render::Scene& scene, ViewState& view);

/// Microseconds that a traced step takes, at least 1: the positions of the timeline. Cost: O(rows).
[[nodiscard]] int timeline_positions(const StepTrace& trace);

}  // namespace tideline::ui
