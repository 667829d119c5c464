// Widgets of Dear ImGui that are recorded by label, so that tests and the log of the window
// (app/gui/trace.h) can find them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/view/canvas.h"

namespace tideline::ui {

/// A widget on the screen.
struct Item {
  std::string label;  ///< its groups and its text: "policy/batch size"
  render::Rect rect;  ///< the visible part, in pixels of the window
  bool enabled = true;
  friend bool operator==(const Item&, const Item&) = default;
};

/// Labels are shown and recorded only up to "##". The text after it keeps the ImGui ids of widgets
/// with equal labels distinct; tests tell such widgets apart by their group. Thread: the UI's.
class Widgets {
 public:
  /// Discards the items of the previous frame.
  void begin_frame();
  [[nodiscard]] std::span<const Item> items() const { return {items_.data(), count_}; }
  /// The first item of that label in this frame; null when none is visible.
  [[nodiscard]] const Item* find(std::string_view label) const;

  /// Prefixes labels and ImGui ids with `name` during its lifetime.
  class Group {
   public:
    Group(Widgets& widgets, std::string_view name);
    ~Group();
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;

   private:
    Widgets& widgets_;
    std::size_t length_before_;
  };
  [[nodiscard]] Group group(std::string_view name) { return {*this, name}; }

  /// `width_px` 0: as wide as the label; -1: the remaining width.
  bool button(const char* label, float width_px = 0, bool enabled = true);
  /// A button without a frame, in the accent colour.
  bool link(const char* label, bool enabled = true);
  bool checkbox(const char* label, bool* value, bool enabled = true);
  /// A checkbox without text, recorded as `name`; `is_inherited` draws it dim.
  bool tick(const char* name, bool* value, bool is_inherited);
  /// A slider. `format` is for printf, with one int. Unless `takes_text` (see is_typed), its number
  /// can be typed after Ctrl+click.
  bool slider(const char* label, int* value, int least, int most, const char* format,
              bool is_logarithmic, bool takes_text = false);
  bool slider(const char* label, float* value, float least, float most, const char* format,
              bool is_logarithmic, bool takes_text = false);
  /// Whether the value of the slider that would be drawn next is being typed, which Ctrl+click on
  /// it begins, with `text`: then call type_value in its place.
  [[nodiscard]] bool is_typed(const char* label, const std::string& text);
  /// The field in the place of that slider: takes any text. Returns true, with the text in `*text`,
  /// when Enter was pressed or the field was left after a change. Escape ends typing.
  bool type_value(const char* label, std::string* text);
  /// After type_value has returned true: the field stays as it is, with `why` to be shown.
  void refuse(std::string why);
  /// Why the text in the field that was drawn last was refused; empty if it was not.
  [[nodiscard]] std::string_view refusal() const {
    return is_typed_last_ ? std::string_view(refusal_) : std::string_view();
  }
  /// Returns true on every change or, with `on_enter`, when Enter was pressed.
  bool input(const char* label, const char* hint, std::string* text, bool on_enter = false);
  /// A text field that commits at the end of an edit: returns true when Enter was pressed, or when
  /// the field lost focus after a change. `*text` is the current value on entry; use what is in it
  /// only if this returns true.
  bool field(const char* label, const char* hint, std::string* text);
  /// A collapsible heading, closed at first. Returns true if it is open.
  bool section(const char* label);
  bool combo(const char* label, int* chosen, std::span<const char* const> choices);
  /// The same in a line of text, recorded as `name`: without an arrow, and `shown`, dim or not,
  /// stands for the chosen one.
  bool inline_combo(const char* name, const char* shown, bool is_dim, int* chosen,
                    std::span<const char* const> choices);
  bool selectable(const char* label, bool is_selected, bool spans_columns = false);
  /// In an open menu or list: Escape closes it.
  static void close_on_escape();
  bool menu_item(const char* label, const char* keys, bool is_checked, bool enabled);
  /// A draggable bar: `*value_px` follows the mouse, times `direction`, within the limits.
  bool splitter(const char* name, bool is_vertical, render::Rect rect, float* value_px,
                float direction, float least, float most);
  /// Shows `text` while the mouse is over the item that ImGui drew last, even a disabled one, and
  /// records it as `hint`.
  void hint(std::string_view text);
  /// Records the item that ImGui drew last, for other kinds of widgets.
  void remember(std::string_view label, bool enabled = true);
  void remember(std::string_view label, render::Rect rect, bool enabled = true);

 private:
  /// Records the last item without the text beside it.
  void remember_frame(std::string_view label, float width_px);
  /// The list of an open combo box, under `name`.
  bool choose(std::string_view name, int* chosen, std::span<const char* const> choices);

  std::vector<Item> items_;  // never shrinks: strings keep their memory from frame to frame
  std::size_t count_ = 0;
  std::string prefix_;

  // The slider whose value is typed; at most one.
  unsigned typed_ = 0;           // its ImGui id; 0: none
  unsigned ended_ = 0;           // the one whose typing ended last
  bool is_typed_last_ = false;   // it is the slider that was drawn last
  bool wants_focus_ = false;     // if it is refused
  std::string text_, begun_as_;  // what is in it, and what was at first
  std::string refusal_;
};

}  // namespace tideline::ui
