// The picture that a verb draws: its options and its file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/cli/command_line.h"
#include "app/cli/front.h"
#include "app/engine/opened_graph.h"
#include "core/base/error.h"
#include "render/view/picture.h"

namespace tideline::cli {

struct PictureOptions {
  std::string path;  ///< ends in .svg or .png
  std::string size = "1600x1000";
  double scale = 1;
  std::string theme = "dark";
  double font_px = 15;
  bool force = false;
};
/// Adds --size, --scale, --theme and --font-size.
void add_picture_look(const Command& command, PictureOptions& options);

/// What of a step a picture shows.
struct PartOptions {
  std::string range;   ///< FIRST:LAST; empty: all of it
  std::string select;  ///< the name of an op or tensor; empty: none
};
/// Adds --range and --select.
void add_picture_part(const Command& command, PartOptions& options);
/// Of a view whose axis, of what `unit` names, has `count` positions. Errors: kInvalidArgument for
/// a range beyond them, kNotFound for a name of nothing.
[[nodiscard]] Result<render::ViewPart> picture_part(const PartOptions& options,
                                                    const app::OpenedGraph& graph, int count,
                                                    std::string_view unit);

/// Checks the path before any work: its ending, whether this build can draw that, and whether it
/// may be written. Returns nullopt if all is well; else prints a message and returns the exit code.
[[nodiscard]] std::optional<int> refuse_picture(const PictureOptions& options, const Front& front);

/// The bytes of the file. Fills in size, theme and font of `picture`. Precondition: refuse_picture
/// had no objection. Errors: those of drawing without a display.
[[nodiscard]] Result<std::string> draw_picture(const PictureOptions& options,
                                               render::Picture picture, const Front& front);

}  // namespace tideline::cli
