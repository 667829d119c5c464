// The display that goes away under the window: its server was killed, or the way to it broke.
#pragma once

#include <functional>
#include <string>

namespace tideline::gui {

/// While it lives, a lost X connection ends the program with exit code 1 and one line on standard
/// error. Xlib would end it, too, but without a chance to keep what is unwritten and with words
/// that help nobody. Thread: the main thread; at most one at a time.
class LostDisplay {
 public:
  /// `last_words` keeps what should survive and says where, without a full stop. It is called on
  /// the main thread, when the loss is noticed there; it must not use the window.
  explicit LostDisplay(std::function<std::string()> last_words);
  ~LostDisplay();
  LostDisplay(const LostDisplay&) = delete;
  LostDisplay& operator=(const LostDisplay&) = delete;
};

/// Tells Xlib; to be called once a window is open, because GLFW loads Xlib. Without Xlib (Wayland)
/// nothing happens: there the window is asked to close.
void watch_display();

}  // namespace tideline::gui
