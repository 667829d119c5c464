// The boxes of the scopes view, of the graph that is shown or a loop of it.
#pragma once

#include <string>
#include <string_view>

#include "app/session/viewer.h"
#include "render/view/scope_boxes.h"

namespace tideline::app {

/// Made once for a graph and its sizes, and a loop: the next click is to be quick. Valid until the
/// graph that is shown changes. Precondition: there is a graph. Thread: the session's.
[[nodiscard]] const render::ScopeBoxes& shown_boxes(Viewer& viewer);

/// Whether a box that is shown, or an op of the graph, has this path. Precondition: as above.
[[nodiscard]] bool has_box(Viewer& viewer, std::string_view path);

/// Shows only the ops of this loop (empty: all), with the boxes open that were when it was left, or
/// what is around its condition. Precondition: as above.
void show_loop(Viewer& viewer, std::string loop);

}  // namespace tideline::app
