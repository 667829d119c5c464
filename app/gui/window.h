// The window: GLFW, OpenGL 3.3, Dear ImGui, and an event loop that sleeps while there are no
// events.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "render/model/intent.h"
#include "render/model/ui_model.h"
#include "render/model/view_state.h"

namespace tideline::gui {

/// Position and size of the window when it was closed, in screen coordinates. `width` 0: unknown;
/// x and y 0: chosen by the desktop.
struct WindowPlace {
  int x = 0, y = 0, width = 0, height = 0;
};

/// The application behind the window. All functions are called on the window's thread.
struct WindowApp {
  /// Takes over finished background work and returns the model to show, valid until the next call.
  std::function<const ui::UiModel&()> refresh;
  std::function<void(const ui::Intent&)> run;
  /// Called when the mouse button is released: a drag is one change.
  std::function<void()> end_gesture;
  /// Whether the loop should end.
  std::function<bool()> is_done;
  /// Called when the user closes the window; `is_done` then decides, perhaps after a question.
  std::function<void()> ask_to_quit;
  /// What is to go to the clipboard, once; empty: nothing.
  std::function<std::string()> take_clipboard;
  /// Called after one second without input, to save what should survive.
  std::function<void()> save;
};

/// Shows the window until the user closes it; returns its last place. Errors: kUnsupported when
/// there is no display or no OpenGL 3.3, with a message that says what to do instead.
/// Thread: the main thread.
[[nodiscard]] Result<WindowPlace> show_window(const WindowApp& app, ui::ViewState& view,
                                              const WindowPlace& place);

/// Makes the loop of show_window refresh its model; no effect without a window. Thread: any, even
/// while the window is opening or closing.
void wake_window();

/// Whether there is a display, so that a window can probably be opened.
[[nodiscard]] bool has_display();

}  // namespace tideline::gui
