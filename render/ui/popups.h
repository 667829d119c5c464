// The frame that all popups share, and fuzzy matching for the palette.
#pragma once

#include <optional>
#include <string_view>

#include "render/ui/panel.h"

namespace tideline::ui {

/// A modal window in the middle of the screen during its lifetime; Esc and its close button close
/// it. Sizes are at scale 1, and limited to the screen.
class PopupWindow {
 public:
  /// With `has_question` Escape is the question's.
  PopupWindow(Ui& ui, const char* title, float width, float height, bool has_question = false);
  ~PopupWindow();
  PopupWindow(const PopupWindow&) = delete;
  PopupWindow& operator=(const PopupWindow&) = delete;

  /// Whether to draw its content.
  [[nodiscard]] bool is_open() const { return is_open_; }
  /// Sets ViewState::popup to kNone.
  void close();

 private:
  Ui& ui_;
  bool is_open_ = false;
};

/// Score of `wanted` as a subsequence of `text`, ignoring case: higher for beginnings of words and
/// adjacent letters. Nullopt when it is not a subsequence. Cost: O(text).
[[nodiscard]] std::optional<int> fuzzy_score(std::string_view text, std::string_view wanted);

}  // namespace tideline::ui
