// Handles the loss of the display: its server was killed, or the connection broke.
#pragma once

#include <functional>
#include <string>

namespace tideline::gui {

/// While it exists, a lost X connection ends the program with exit code 1 and one line on standard
/// error. Xlib would exit as well, but without saving anything and with an unhelpful message.
/// Thread: the main thread; at most one at a time.
class LostDisplay {
 public:
  /// `last_words` saves what should survive and returns a text that says where, without a full
  /// stop. It is called on the main thread when the loss is detected, and must not use the window.
  explicit LostDisplay(std::function<std::string()> last_words);
  ~LostDisplay();
  LostDisplay(const LostDisplay&) = delete;
  LostDisplay& operator=(const LostDisplay&) = delete;
};

/// Installs Xlib's handler. To be called once a window is open, because GLFW loads Xlib. No effect
/// without Xlib: on Wayland the window is asked to close.
void watch_display();

}  // namespace tideline::gui
