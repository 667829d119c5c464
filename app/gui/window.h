// The window on the screen: GLFW, OpenGL 3.3, Dear ImGui, and a loop that sleeps while nothing
// happens.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "render/model/intent.h"
#include "render/model/ui_model.h"
#include "render/model/view_state.h"

namespace tideline::gui {

/// Where the window stood when it was closed, in screen coordinates. `width` 0: never; x and y 0:
/// wherever the desktop puts it.
struct WindowPlace {
  int x = 0, y = 0, width = 0, height = 0;
};

/// What the window shows and who does what it asks for. All are called on the window's thread.
struct WindowApp {
  /// Takes over what was done beside; returns what is to be shown. Valid until the next call.
  std::function<const ui::UiModel&(ui::ViewState&)> refresh;
  std::function<void(const ui::Intent&, ui::ViewState&)> run;
  /// The mouse button was let go: what was dragged is one change.
  std::function<void()> end_gesture;
  /// Whether the window is to go.
  std::function<bool()> is_done;
  /// The user closes the window: it goes when `is_done` says so, which may be after a question.
  std::function<void()> ask_to_quit;
  /// What is to go to the clipboard, once; empty: nothing.
  std::function<std::string()> take_clipboard;
  /// Called when there was no input for a second after some: time to save what should survive.
  std::function<void()> save;
};

/// Shows the window until the user closes it; returns where it stood.
/// Errors: kUnsupported when there is no display or no OpenGL 3.3; what to do instead is said.
/// Thread: the main thread.
[[nodiscard]] Result<WindowPlace> show_window(const WindowApp& app, ui::ViewState& view,
                                              const WindowPlace& place);

/// Makes the loop of show_window look at its model; without a window nothing happens. Thread: any,
/// also while the window opens or goes away.
void wake_window();

/// Whether a window can be expected to open: there is a display.
[[nodiscard]] bool has_display();

}  // namespace tideline::gui
