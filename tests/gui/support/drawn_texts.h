// What is written on the screen: every text of a frame of Dear ImGui, whole, with what is seen of
// it. The linker sends ImDrawList::AddText here first (tests/gui/CMakeLists.txt), so that texts of
// widgets are seen as well as those of views.
#pragma once

#include <string>
#include <vector>

#include "render/view/canvas.h"

namespace tideline::gui {

/// A text of the last frame.
struct DrawnText {
  std::string text;
  render::Rect box;   ///< all of it, wrapped lines too
  render::Rect clip;  ///< outside of it nothing is seen
  std::string pane;   ///< the ImGui window on which it stands
  bool scrolls_y =
      false;  ///< that window scrolls, or one around it, so that its ends may cut a line

  [[nodiscard]] bool is_seen() const;
  /// Whether a part is cut off, at the sides or, where nothing scrolls, above or below.
  [[nodiscard]] bool is_cut() const;
};

/// Records during its lifetime; one at a time.
class DrawnTexts {
 public:
  DrawnTexts();
  ~DrawnTexts();
  DrawnTexts(const DrawnTexts&) = delete;
  DrawnTexts& operator=(const DrawnTexts&) = delete;

  /// Forgets what was written so far; call it before a frame.
  void clear() { texts_.clear(); }
  [[nodiscard]] const std::vector<DrawnText>& texts() const { return texts_; }
  /// What is wrong with them, a line each: texts that are cut, and two that lie on each other.
  /// Where `front`, a pane, stands before the others, they are compared only beside it.
  [[nodiscard]] std::vector<std::string> faults(const std::string& front) const;

  void add(DrawnText text) { texts_.push_back(std::move(text)); }

 private:
  std::vector<DrawnText> texts_;
};

}  // namespace tideline::gui
