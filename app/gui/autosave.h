// What would be lost with the window: policies that were not written yet.
#pragma once

#include <string>

#include "app/session/session.h"
#include "core/base/error.h"

namespace tideline::gui {

/// A shell script with a command for each unwritten document that writes what it shows; empty when
/// nothing would be lost.
[[nodiscard]] std::string unwritten_script(const session::Session& session);

/// Keeps `unwritten.sh` beside the settings file: there while something is unwritten, and only
/// then. Errors: kIo, beginning with the path.
[[nodiscard]] Status keep_unwritten(const session::Session& session,
                                    const std::string& settings_path);

/// Where it is kept, by the path of the settings.
[[nodiscard]] std::string unwritten_path(const std::string& settings_path);

/// What an earlier window left unwritten: moved to `unwritten-before.sh`, where this window does
/// not write, and its path is returned; empty when there is nothing.
[[nodiscard]] std::string find_unwritten(const std::string& settings_path);

}  // namespace tideline::gui
