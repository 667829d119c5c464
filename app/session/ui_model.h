// What the panels read, made from the viewer.
#pragma once

#include "app/session/viewer.h"
#include "render/model/ui_model.h"

namespace tideline::session {

/// The model for the next frame; valid until the next call or change of the viewer. Costs little
/// when nothing changed: swaps, the selected op, search hits and the folder are made anew only when
/// what they depend on did. Asks for the reasons of the selected op.
[[nodiscard]] const ui::UiModel& make_ui_model(Viewer& viewer);

}  // namespace tideline::session
