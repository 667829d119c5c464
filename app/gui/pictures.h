// Writes pictures of what the app shows, for actions and scripts.
#pragma once

#include "app/session/viewer.h"
#include "core/base/error.h"

namespace tideline::gui {

/// For app::Viewer::write_picture: "levels", "memory", "both" and "timeline" as drawn by the verb
/// render, of the range and the rows that are seen and with what is selected; "window" as PNG at
/// the view's scale. Errors: kInvalidArgument for endings other than .png and .svg, kUnsupported
/// for a window as .svg; those of drawing and of write_file.
[[nodiscard]] Status write_picture(app::Viewer& viewer, const app::PictureRequest& request);

}  // namespace tideline::gui
