// What a program has beside its command line. The command line does not know the desktop app: the
// program's main hands over what there is, and a build without a window hands over nothing.
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

/// What is empty is not there.
struct Front {
  std::function<bool()> has_display;
  /// Shows the window until the user quits; returns the exit code.
  std::function<int(const std::vector<std::string>& paths)> run_window;
  DrawPng draw_png;
  session::WritePicture write_picture;
};

}  // namespace tideline::cli
