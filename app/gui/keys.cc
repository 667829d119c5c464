#include "app/gui/keys.h"

#include <algorithm>
#include <cctype>

#include "core/base/text.h"
#include "render/model/axis_range.h"
#include "render/model/shown_axis.h"

namespace tideline::gui {
namespace {

constexpr double kZoomAPress = 1.4;
constexpr double kPanAPress = 0.12;  // of what is visible

bool is_mark(std::string_view name) {
  return name.size() == 1 && std::ispunct(static_cast<unsigned char>(name[0])) != 0;
}

bool can_be_typed(const KeyPress& key) {
  return !key.ctrl && !key.alt && (key.name.size() == 1 || key.name == "Space");
}

// Keys that move the cursor in a text, or end it.
bool edits_text(const KeyPress& key) {
  constexpr std::string_view kEditing[] = {"Left",   "Right",     "Home",  "End", "Up",    "Down",
                                           "Delete", "Backspace", "Enter", "Tab", "Escape"};
  return std::find(std::begin(kEditing), std::end(kEditing), key.name) != std::end(kEditing) ||
         (key.ctrl && !key.shift &&
          (key.name == "A" || key.name == "C" || key.name == "V" || key.name == "X" ||
           key.name == "Z" || key.name == "Y"));
}

}  // namespace

bool matches(std::string_view chord, const KeyPress& key) {
  KeyPress wanted;
  for (;;) {
    const std::size_t plus = chord.find('+');
    if (plus == std::string_view::npos || plus == 0 || plus + 1 >= chord.size()) break;
    const std::string_view part = chord.substr(0, plus);
    if (part == "Ctrl") {
      wanted.ctrl = true;
    } else if (part == "Shift") {
      wanted.shift = true;
    } else if (part == "Alt") {
      wanted.alt = true;
    } else {
      return false;
    }
    chord.remove_prefix(plus + 1);
  }
  return wanted.ctrl == key.ctrl && wanted.alt == key.alt &&
         (wanted.shift == key.shift || is_mark(chord)) && equal_ignoring_case(chord, key.name);
}

std::optional<ui::Intent> intent_of(const KeyPress& key, const ui::UiModel& model, bool is_typing) {
  if (is_typing && (can_be_typed(key) || edits_text(key))) return std::nullopt;
  for (const ui::ActionInfo& action : model.actions) {
    if (!action.enabled || action.keys.empty()) continue;
    for (const std::string& chord : split_list(action.keys, ' ')) {
      if (matches(chord, key)) return ui::Intent{action.id};
    }
  }
  return std::nullopt;
}

bool navigate(std::string_view place, const ui::UiModel& model, ui::ViewState& view) {
  if (!model.scene) return false;
  const ui::ShownAxis shown = ui::shown_axis(*model.scene, view);
  ui::AxisRange& range = *shown.range;
  const int count = shown.count;
  const double span = range.span > 0 ? range.span : count;
  const double first = range.span > 0 ? range.first : 0;
  const double at = view.cursor.value_or(first + span / 2);
  if (place == "W" || place == "Up") {
    range = ui::zoomed(range, count, kZoomAPress, at);
  } else if (place == "S" || place == "Down") {
    range = ui::zoomed(range, count, 1 / kZoomAPress, at);
  } else if (place == "A" || place == "Left") {
    range = ui::panned(range, count, -span * kPanAPress);
  } else if (place == "D" || place == "Right") {
    range = ui::panned(range, count, span * kPanAPress);
  } else {
    return false;
  }
  return true;
}

std::optional<ui::Intent> press_key(const KeyPress& key, std::string_view place,
                                    const ui::UiModel& model, ui::ViewState& view, InFront front) {
  auto intent = intent_of(key, model, front.is_typing);
  if (view.popup != ui::Popup::kNone || front.has_list) {
    if (intent && intent->action != "file.quit") intent.reset();
    return intent;
  }
  if (!intent && !front.is_typing && !key.ctrl && !key.alt) navigate(place, model, view);
  return intent;
}

}  // namespace tideline::gui
