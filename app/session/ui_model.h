// What the panels read, made from the app.
#pragma once

#include "app/session/app.h"
#include "render/model/ui_model.h"

namespace tideline::session {

/// The model for the next frame; valid until the next call or change of the app. Costs little when
/// nothing changed: swaps, the selected op, search hits and the folder are made anew only when what
/// they depend on did. Asks for the reasons of the selected op.
[[nodiscard]] const ui::UiModel& make_ui_model(App& app);

}  // namespace tideline::session
