// Pictures of what the app shows, for its actions and for scripts.
#pragma once

#include "app/session/viewer.h"
#include "core/base/error.h"

namespace tideline::gui {

/// For session::Viewer::write_picture: "levels" and "memory" as the verb render draws them,
/// "window" as PNG at the view's scale. A file that is there is replaced. Errors: kInvalidArgument
/// for another ending than .png and .svg, kUnsupported for a window as .svg; those of drawing and
/// of write_file.
[[nodiscard]] Status write_picture(session::Viewer& viewer, const session::PictureRequest& request);

}  // namespace tideline::gui
