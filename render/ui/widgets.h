// Buttons, sliders and the like of Dear ImGui, remembered by label for whoever wants to find them:
// tests, lessons, the trace of the window.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/view/canvas.h"

namespace tideline::ui {

/// Something on the screen that can be clicked or typed into.
struct Item {
  std::string label;  ///< "policy/batch size": the groups around it, and what stands on it
  render::Rect rect;  ///< the part that can be seen, in pixels of the window
  bool enabled = true;
  friend bool operator==(const Item&, const Item&) = default;
};

/// Labels are shown up to "##", and remembered without what stands behind it; so two widgets that
/// look the same differ by what follows "##" and are told apart by their group. Thread: the UI's.
class Widgets {
 public:
  /// Forgets the items of the frame before.
  void begin_frame();
  [[nodiscard]] std::span<const Item> items() const { return {items_.data(), count_}; }
  /// The first item of that label in this frame; null when there is none to be seen.
  [[nodiscard]] const Item* find(std::string_view label) const;

  /// Puts `name` in front of labels, and into ImGui's ids, while it lives.
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

  /// `width_px` 0: as wide as the label; -1: all that is left.
  bool button(const char* label, float width_px = 0, bool enabled = true);
  /// A button without a frame, in the colour of the accent.
  bool link(const char* label, bool enabled = true);
  bool checkbox(const char* label, bool* value, bool enabled = true);
  /// A tick without a word beside it; `is_inherited` draws it dim. `name` is what it is found by.
  bool tick(const char* name, bool* value, bool is_inherited);
  /// The number can also be typed after Ctrl+click. `format` is printf's, for one int.
  bool slider(const char* label, int* value, int least, int most, const char* format,
              bool is_logarithmic);
  bool slider(const char* label, float* value, float least, float most, const char* format,
              bool is_logarithmic);
  /// True on every change, or with `on_enter` when Enter was pressed.
  bool input(const char* label, const char* hint, std::string* text, bool on_enter = false);
  /// A text that counts once it is finished: true when Enter was pressed, or something else was
  /// clicked after a change. Until then `*text`, which begins with the value, is nobody's.
  bool field(const char* label, const char* hint, std::string* text);
  /// A heading that folds what is under it. Whether it is open; at first it is not.
  bool section(const char* label);
  bool combo(const char* label, int* chosen, std::span<const char* const> choices);
  bool selectable(const char* label, bool is_selected, bool spans_columns = false);
  bool menu_item(const char* label, const char* keys, bool is_checked, bool enabled);
  /// A bar that is dragged: `*value_px` follows the mouse, times `direction`, within the limits.
  bool splitter(const char* name, bool is_vertical, render::Rect rect, float* value_px,
                float direction, float least, float most);
  /// Remembers the item that ImGui drew last, for widgets that are not above.
  void remember(std::string_view label, bool enabled = true);
  void remember(std::string_view label, render::Rect rect, bool enabled = true);

 private:
  /// The last item without the words beside it.
  void remember_frame(std::string_view label, float width_px);

  std::vector<Item> items_;  // never shrinks: strings keep their memory from frame to frame
  std::size_t count_ = 0;
  std::string prefix_;
};

}  // namespace tideline::ui
