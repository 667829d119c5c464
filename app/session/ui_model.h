// Builds the model that the panels read from the app.
#pragma once

#include "app/session/app.h"
#include "render/ui/ui_model.h"

namespace tideline::session {

/// The model for the next frame; valid until the next call or change of the app. Cheap when nothing
/// changed: swaps, the selected op, search hits and the folder are recomputed only when their
/// inputs change. Requests the reasons for the selected op. Thread: the UI's.
[[nodiscard]] const ui::UiModel& make_ui_model(App& app);

}  // namespace tideline::session
