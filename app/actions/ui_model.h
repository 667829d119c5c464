// Builds the model that the panels read from the viewer.
#pragma once

#include "app/session/viewer.h"
#include "render/model/ui_model.h"

namespace tideline::app {

/// The model for the next frame; valid until the next call or change of the viewer. Cheap when
/// nothing changed: swaps, the selected op, search hits and the folder are recomputed only when
/// their inputs change. Requests the reasons for the selected op,
/// and what fits if that is shown. Thread: the UI's.
[[nodiscard]] const ui::UiModel& make_ui_model(Viewer& viewer);

}  // namespace tideline::app
