// Keys to wishes: the table of actions says which key does what.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "render/model/intent.h"
#include "render/model/ui_model.h"
#include "render/model/view_state.h"

namespace tideline::gui {

/// A key as it was pressed. `name` is what stands on it: "Z", "F1", "Left", "Home", "?"; of a
/// letter the one of the keyboard's layout.
struct KeyPress {
  std::string name;
  bool ctrl = false, shift = false, alt = false;
};

/// Whether `chord` ("Ctrl+Shift+Z") means this key. Shift does not count for punctuation marks,
/// because on some layouts they need it.
[[nodiscard]] bool matches(std::string_view chord, const KeyPress& key);

/// The first enabled action with that key. Keys without Ctrl or Alt that can be typed mean nothing
/// while a text is being typed.
[[nodiscard]] std::optional<ui::Intent> intent_of(const KeyPress& key, const ui::UiModel& model,
                                                  bool is_typing);

/// W A S D and arrows: zoom and pan of the axis that is shown. `place` is the letter of the US
/// layout at that place of the keyboard. Whether the key means something.
bool navigate(std::string_view place, const ui::UiModel& model, ui::ViewState& view);

}  // namespace tideline::gui
