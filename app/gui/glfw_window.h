// A GLFW window with an OpenGL 3.3 context, and its input events.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/gui/keys.h"
#include "app/gui/window.h"
#include "core/base/error.h"

struct GLFWwindow;

namespace tideline::gui {

/// The name of a key of GLFW on the US layout, as the table of actions has it; empty for keys that
/// mean nothing here.
[[nodiscard]] std::string key_name(int key);

/// A pressed key, by its label and by its position.
struct RawKey {
  KeyPress key;
  std::string place;  ///< of the US layout
  int code = 0;       ///< GLFW's
};

/// Events collected by GLFW's callbacks.
struct WindowEvents {
  bool any = false;  ///< any event that may change the display
  std::vector<RawKey> keys;
  std::vector<std::string> dropped;  ///< paths
};

/// Thread: the main thread. At most one at a time.
class GlfwWindow {
 public:
  /// Opens the window. Errors: kUnsupported with GLFW's message.
  [[nodiscard]] static Result<std::unique_ptr<GlfwWindow>> create(const WindowPlace& place);
  ~GlfwWindow();
  GlfwWindow(const GlfwWindow&) = delete;
  GlfwWindow& operator=(const GlfwWindow&) = delete;

  [[nodiscard]] GLFWwindow* handle() const { return window_; }
  /// Sleeps until there is an event, at most `timeout_s` seconds, and returns the events.
  WindowEvents wait(double timeout_s);
  [[nodiscard]] bool is_down(int code) const;
  /// Whether the user closed the window since the last call.
  [[nodiscard]] bool take_close();
  /// Pixels for a length at scale 1.
  [[nodiscard]] float content_scale() const;
  [[nodiscard]] WindowPlace place() const;
  void framebuffer_size(int& width, int& height) const;
  void swap();

 private:
  explicit GlfwWindow(GLFWwindow* window);
  GLFWwindow* window_;
  WindowEvents events_;
};

}  // namespace tideline::gui
