// The desktop app as seen by the command line, which does not depend on it: main passes these
// functions, and a build without the window passes none.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/session/viewer.h"
#include "core/base/error.h"
#include "render/view/canvas.h"
#include "render/view/palette.h"

namespace tideline::cli {

/// Calls `draw` with a canvas of `width` x `height` pixels; returns the bytes of a PNG file.
using DrawPng =
    std::function<Result<std::string>(int width, int height, float scale, render::ThemeKind theme,
                                      const std::function<void(render::Canvas& canvas)>& draw)>;

/// Empty functions are not available.
struct Front {
  std::function<bool()> has_display;
  /// Shows the window until the user quits; returns the exit code.
  std::function<int(const std::vector<std::string>& paths)> run_window;
  DrawPng draw_png;
  session::WritePicture write_picture;
};

}  // namespace tideline::cli
