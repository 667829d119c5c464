// The wish whose plan is shown, in numbers.
#pragma once

#include "app/session/viewer.h"

namespace tideline::app {

/// The wish of the graph that is shown; in automatic mode with the values that the search found, so
/// that a command that is copied gives the plan that is shown, whatever a search would find
/// elsewhere. Precondition: a graph is open. Thread: the session's.
[[nodiscard]] Wish planned_wish(const Viewer& viewer);

}  // namespace tideline::app
