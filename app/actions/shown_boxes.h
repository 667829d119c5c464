// The boxes of the scopes view, of the graph that is shown.
#pragma once

#include "app/session/viewer.h"
#include "render/view/scope_boxes.h"

namespace tideline::app {

/// Made once for a graph and its sizes: the next click is to be quick. Valid until the graph that
/// is shown changes. Precondition: there is a graph. Thread: the session's.
[[nodiscard]] const render::ScopeBoxes& shown_boxes(Viewer& viewer);

}  // namespace tideline::app
