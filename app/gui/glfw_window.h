// A GLFW window with an OpenGL 3.3 context, and what came in from outside since it was last asked.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/gui/keys.h"
#include "app/gui/window.h"
#include "core/base/error.h"

struct GLFWwindow;

namespace tideline::gui {

/// A key with both of its names.
struct RawKey {
  KeyPress key;
  std::string place;  ///< of the US layout
  int code = 0;       ///< GLFW's
};

/// What the callbacks of GLFW collected.
struct WindowEvents {
  bool any = false;  ///< anything that may change the picture
  std::vector<RawKey> keys;
  std::vector<std::string> dropped;  ///< paths
};

/// Thread: the main thread. At most one at a time.
class GlfwWindow {
 public:
  /// Errors: kUnsupported with GLFW's reason.
  [[nodiscard]] static Result<std::unique_ptr<GlfwWindow>> create(const WindowPlace& place);
  ~GlfwWindow();
  GlfwWindow(const GlfwWindow&) = delete;
  GlfwWindow& operator=(const GlfwWindow&) = delete;

  [[nodiscard]] GLFWwindow* handle() const { return window_; }
  /// Sleeps until something happens, at most so long.
  WindowEvents wait(double timeout_s);
  [[nodiscard]] bool is_down(int code) const;
  /// Whether the user asked to close it since the last call.
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
