// What the windows in front of the window have in common.
#pragma once

#include <optional>
#include <string_view>

#include "render/ui/panel.h"

namespace tideline::ui {

/// A modal window in the middle while it lives; Esc and its cross close it. Sizes before scaling;
/// never larger than the screen.
class PopupWindow {
 public:
  PopupWindow(Ui& ui, const char* title, float width, float height);
  ~PopupWindow();
  PopupWindow(const PopupWindow&) = delete;
  PopupWindow& operator=(const PopupWindow&) = delete;

  /// Draw its content only then.
  [[nodiscard]] bool is_open() const { return is_open_; }
  /// Sets ViewState::popup to kNone.
  void close();

 private:
  Ui& ui_;
  bool is_open_ = false;
};

/// How well the letters of `wanted` are found in `text` in their order, ignoring case: more for
/// beginnings of words and for letters side by side. Nothing when one is missing. Cost: O(text).
[[nodiscard]] std::optional<int> fuzzy_score(std::string_view text, std::string_view wanted);

}  // namespace tideline::ui
