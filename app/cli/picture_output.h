// The picture that a verb draws: its options and its file.
#pragma once

#include <optional>
#include <string>

#include "app/cli/command_line.h"
#include "app/cli/front.h"
#include "core/base/error.h"
#include "render/view/picture.h"

namespace tideline::cli {

struct PictureOptions {
  std::string path;  ///< ends in .svg or .png
  std::string size = "1600x1000";
  double scale = 1;
  std::string theme = "dark";
  bool force = false;
};
/// Adds --size, --scale and --theme.
void add_picture_look(const Command& command, PictureOptions& options);

/// Checks the path before any work: its ending, whether this build can draw that, and whether it
/// may be written. Returns nullopt if all is well; else prints a message and returns the exit code.
[[nodiscard]] std::optional<int> refuse_picture(const PictureOptions& options, const Front& front);

/// The bytes of the file. Fills in size and theme of `picture`. Precondition: refuse_picture had no
/// objection. Errors: those of drawing without a display.
[[nodiscard]] Result<std::string> draw_picture(const PictureOptions& options,
                                               render::Picture picture, const Front& front);

}  // namespace tideline::cli
