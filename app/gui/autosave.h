// Saves unwritten policies, so that they survive a crash or a lost display.
#pragma once

#include <string>
#include <vector>

#include "app/session/session.h"
#include "core/base/error.h"

namespace tideline::gui {

/// A shell script with one command for each unwritten document; empty if nothing is unwritten.
[[nodiscard]] std::string unwritten_script(const app::Session& session);

/// Writes `unwritten_path`, or removes it when nothing is unwritten. Errors: kIo; messages begin
/// with the path.
[[nodiscard]] Status keep_unwritten(const app::Session& session, const std::string& settings_path);

/// The script of this window: `unwritten-PID.sh` beside the settings file, so that no two windows
/// write the same.
[[nodiscard]] std::string unwritten_path(const std::string& settings_path);

/// The scripts of windows that are gone, each moved to a name of `unwritten-before-N.sh` that no
/// window writes. At most kMostKept of these are kept; the oldest go first.
[[nodiscard]] std::vector<std::string> find_unwritten(const std::string& settings_path);

inline constexpr int kMostKept = 9;

}  // namespace tideline::gui
