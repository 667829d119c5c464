// Maps keys to intents by the table of actions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "render/ui/intent.h"
#include "render/ui/ui_model.h"
#include "render/ui/view_state.h"

namespace tideline::gui {

/// A key press. `name` is the label of the key in the keyboard's layout: "Z", "F1", "Left", "Home",
/// "?".
struct KeyPress {
  std::string name;
  bool ctrl = false, shift = false, alt = false;
};

/// Whether `chord` ("Ctrl+Shift+Z") matches the key. Shift is ignored for punctuation, which needs
/// it on some layouts.
[[nodiscard]] bool matches(std::string_view chord, const KeyPress& key);

/// The first enabled action with that key. While text is being typed, keys that type or edit
/// text have no action.
[[nodiscard]] std::optional<ui::Intent> intent_of(const KeyPress& key, const ui::UiModel& model,
                                                  bool is_typing);

/// Zooms and pans the visible axis with W A S D and the arrow keys. `place` is the letter at the
/// key's position in the US layout. Returns whether the key was handled.
bool navigate(std::string_view place, const ui::UiModel& model, ui::ViewState& view);

}  // namespace tideline::gui
