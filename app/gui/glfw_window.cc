#include "app/gui/glfw_window.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace tideline::gui {
namespace {

constexpr int kDefaultWidth = 1400, kDefaultHeight = 875;
constexpr int kLeastWidth = 640, kLeastHeight = 400;

std::string last_error() {
  const char* text = nullptr;
  return glfwGetError(&text) == GLFW_NO_ERROR || text == nullptr ? "no reason given" : text;
}

struct NamedKey {
  int key;
  const char* name;
};
constexpr NamedKey kNamedKeys[] = {
    {GLFW_KEY_SPACE, "Space"},
    {GLFW_KEY_ESCAPE, "Escape"},
    {GLFW_KEY_ENTER, "Enter"},
    {GLFW_KEY_TAB, "Tab"},
    {GLFW_KEY_BACKSPACE, "Backspace"},
    {GLFW_KEY_INSERT, "Insert"},
    {GLFW_KEY_DELETE, "Delete"},
    {GLFW_KEY_RIGHT, "Right"},
    {GLFW_KEY_LEFT, "Left"},
    {GLFW_KEY_DOWN, "Down"},
    {GLFW_KEY_UP, "Up"},
    {GLFW_KEY_PAGE_UP, "PageUp"},
    {GLFW_KEY_PAGE_DOWN, "PageDown"},
    {GLFW_KEY_HOME, "Home"},
    {GLFW_KEY_END, "End"},
    {GLFW_KEY_KP_ADD, "+"},
    {GLFW_KEY_KP_SUBTRACT, "-"},
    {GLFW_KEY_KP_ENTER, "Enter"},
};

RawKey raw_key(int key, int scancode, int mods) {
  RawKey raw;
  raw.code = key;
  raw.place = key_name(key);
  raw.key.name = raw.place;
  raw.key.ctrl = (mods & GLFW_MOD_CONTROL) != 0;
  raw.key.shift = (mods & GLFW_MOD_SHIFT) != 0;
  raw.key.alt = (mods & GLFW_MOD_ALT) != 0;
  // The character that the keyboard layout has there, if it is a plain one: some layouts exchange Z
  // and Y.
  const char* printed = key > GLFW_KEY_SPACE && key <= GLFW_KEY_GRAVE_ACCENT
                            ? glfwGetKeyName(key, scancode)
                            : nullptr;
  if (printed != nullptr && printed[0] != '\0' && printed[1] == '\0') {
    raw.key.name = {static_cast<char>(std::toupper(static_cast<unsigned char>(printed[0])))};
    if (raw.key.shift && raw.key.name == "/") raw.key.name = "?";
    if (raw.key.shift && raw.key.name == "=") raw.key.name = "+";
  }
  return raw;
}

WindowEvents& events_of(GLFWwindow* window) {
  return *static_cast<WindowEvents*>(glfwGetWindowUserPointer(window));
}

void set_callbacks(GLFWwindow* window) {
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
    events_of(w).any = true;
    if (action == GLFW_RELEASE) return;
    RawKey raw = raw_key(key, scancode, mods);
    if (!raw.key.name.empty()) events_of(w).keys.push_back(std::move(raw));
  });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    events_of(w).any = true;
    for (int i = 0; i < count; ++i) events_of(w).dropped.emplace_back(paths[i]);
  });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned) { events_of(w).any = true; });
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double, double) { events_of(w).any = true; });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int, int, int) { events_of(w).any = true; });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { events_of(w).any = true; });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { events_of(w).any = true; });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { events_of(w).any = true; });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { events_of(w).any = true; });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { events_of(w).any = true; });
  glfwSetWindowContentScaleCallback(window,
                                    [](GLFWwindow* w, float, float) { events_of(w).any = true; });
  glfwSetWindowCloseCallback(window, [](GLFWwindow* w) { events_of(w).any = true; });
}

// A size that fits the first screen; the window's frame needs some of it.
void fit_to_screen(int& width, int& height) {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  if (monitor == nullptr) return;
  int x = 0, y = 0, most_width = 0, most_height = 0;
  glfwGetMonitorWorkarea(monitor, &x, &y, &most_width, &most_height);
  width = std::min(width, std::max(kLeastWidth, most_width));
  height = std::min(height, std::max(kLeastHeight, most_height));
}

// Whether a window there could be seen: screens come and go.
bool is_on_a_screen(const WindowPlace& place) {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int i = 0; i < count; ++i) {
    int x = 0, y = 0, width = 0, height = 0;
    glfwGetMonitorWorkarea(monitors[i], &x, &y, &width, &height);
    if (place.x > x && place.y > y && place.x < x + width - 100 && place.y < y + height - 100)
      return true;
  }
  return false;
}

}  // namespace

std::string key_name(int key) {
  for (const NamedKey& named : kNamedKeys) {
    if (named.key == key) return named.name;
  }
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F25) return "F" + std::to_string(key - GLFW_KEY_F1 + 1);
  if (key > GLFW_KEY_SPACE && key <= GLFW_KEY_GRAVE_ACCENT) return {static_cast<char>(key)};
  return {};
}

Result<std::unique_ptr<GlfwWindow>> GlfwWindow::create(const WindowPlace& place) {
  if (glfwInit() == GLFW_FALSE)
    return fail(Code::kUnsupported, "no window can be opened: {}", last_error());
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  const bool is_placed = place.width >= kLeastWidth && place.height >= kLeastHeight;
  int width = is_placed ? place.width : kDefaultWidth;
  int height = is_placed ? place.height : kDefaultHeight;
  fit_to_screen(width, height);
  if (!is_placed) glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  GLFWwindow* window = glfwCreateWindow(width, height, "Tideline", nullptr, nullptr);
  if (window == nullptr) {
    const std::string reason = last_error();
    glfwTerminate();
    return fail(Code::kUnsupported, "no window with OpenGL 3.3 can be opened: {}", reason);
  }
  glfwSetWindowSizeLimits(window, kLeastWidth, kLeastHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
  if (is_placed && is_on_a_screen(place)) glfwSetWindowPos(window, place.x, place.y);
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  glfwShowWindow(window);
  return std::unique_ptr<GlfwWindow>(new GlfwWindow(window));
}

GlfwWindow::GlfwWindow(GLFWwindow* window) : window_(window) {
  glfwSetWindowUserPointer(window, &events_);
  set_callbacks(window);
}

GlfwWindow::~GlfwWindow() {
  glfwDestroyWindow(window_);
  glfwTerminate();
}

WindowEvents GlfwWindow::wait(double timeout_s) {
  if (timeout_s > 0) {
    glfwWaitEventsTimeout(timeout_s);
  } else {
    glfwPollEvents();
  }
  return std::exchange(events_, {});
}

bool GlfwWindow::is_down(int code) const {
  return glfwGetKey(window_, code) == GLFW_PRESS;
}

bool GlfwWindow::take_close() {
  if (glfwWindowShouldClose(window_) == GLFW_FALSE) return false;
  glfwSetWindowShouldClose(window_, GLFW_FALSE);
  return true;
}

float GlfwWindow::content_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return std::clamp(std::max(x, y), 0.5F, 4.0F);
}

WindowPlace GlfwWindow::place() const {
  WindowPlace place;
  glfwGetWindowPos(window_, &place.x, &place.y);
  glfwGetWindowSize(window_, &place.width, &place.height);
  return place;
}

void GlfwWindow::framebuffer_size(int& width, int& height) const {
  glfwGetFramebufferSize(window_, &width, &height);
}

void GlfwWindow::swap() {
  glfwSwapBuffers(window_);
}

}  // namespace tideline::gui
