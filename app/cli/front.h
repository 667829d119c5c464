// The desktop app as seen by the command line, which does not depend on it: main passes these
// functions, and a build without the window passes none.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/engine/checked_part.h"
#include "app/engine/step_log.h"
#include "app/session/viewer.h"
#include "core/base/error.h"
#include "render/model/intent.h"

namespace tideline::cli {

/// Empty functions are not available.
struct Front {
  std::function<bool()> has_display;
  /// Shows the window, which begins with the actions `first`, until the user quits or until
  /// `must_end`, which is asked about once a second; returns the exit code.
  std::function<int(const ui::Intents& first, const std::function<bool()>& must_end)> run_window;
  app::DrawPng draw_png;
  app::WritePicture write_picture;
  app::DecodeImage decode_image;
  std::function<std::vector<std::string>(app::Viewer& viewer)> widget_labels;
  /// What a self-check says of display, drivers, fonts and settings.
  std::function<std::vector<app::CheckedPart>()> findings_of_window;
};

}  // namespace tideline::cli
