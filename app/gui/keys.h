// Maps keys to intents by the table of actions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "render/model/intent.h"
#include "render/model/ui_model.h"
#include "render/model/view_state.h"

namespace tideline::gui {

/// A key press. `name` is the label of the key in the keyboard's layout: "Z", "F1", "Left", "Home",
/// "Escape", "?".
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

/// What gets the keys before the view does.
struct InFront {
  bool is_typing = false;  ///< a field of text
  bool has_list = false;   ///< an open menu or list
};

/// Does what a key press means: returns its intent, or changes the view. Behind a dialog
/// (`view.popup`), an open menu or list nothing happens but quitting: these close on Escape by
/// themselves.
[[nodiscard]] std::optional<ui::Intent> press_key(const KeyPress& key, std::string_view place,
                                                  const ui::UiModel& model, ui::ViewState& view,
                                                  InFront front);

}  // namespace tideline::gui
