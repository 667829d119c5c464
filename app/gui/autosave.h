// Saves the unwritten policy, so that it survives a crash or a lost display.
#pragma once

#include <string>

#include "app/session/app.h"
#include "core/base/error.h"

namespace tideline::gui {

/// A shell script with one command that writes what the app shows; empty if nothing is unwritten.
[[nodiscard]] std::string unwritten_script(const session::App& app);

/// Writes `unwritten.sh` beside the settings file, or removes it when nothing is unwritten.
/// Errors: kIo; messages begin with the path.
[[nodiscard]] Status keep_unwritten(const session::App& app, const std::string& settings_path);

/// The path of `unwritten.sh` for the given settings file.
[[nodiscard]] std::string unwritten_path(const std::string& settings_path);

/// Moves the script of an earlier window to `unwritten-before.sh`, which this window does not
/// overwrite, and returns that path; empty if there is none.
[[nodiscard]] std::string find_unwritten(const std::string& settings_path);

}  // namespace tideline::gui
