// The settings that the app keeps between runs.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "render/model/view_state.h"

namespace tideline::app {

/// Schema tideline.settings/1. Every value has a default and is optional in the file.
struct Settings : ui::Looks {
  static constexpr std::size_t kMostRecent = 20;

  std::vector<std::string> recent_files = {};  ///< newest first
  int window_width_px = 1600, window_height_px = 1000;
  /// Position of the window; both 0: chosen by the desktop.
  int window_x_px = 0, window_y_px = 0;
  bool keeps_sessions = true;  ///< in session files, from which the next window takes them up
  friend bool operator==(const Settings&, const Settings&) = default;

  /// Puts `path` first in `recent_files`, without duplicates.
  void remember(const std::string& path);
};

/// $XDG_CONFIG_HOME/tideline/settings.json, else $HOME/.config/...; empty when neither is set (a
/// relative XDG_CONFIG_HOME is ignored). Creates nothing.
[[nodiscard]] std::string settings_path(const char* xdg_config_home, const char* home);

/// Parses `text`. Values that are missing, of the wrong kind or out of range get their defaults; so
/// does everything if `text` is not a settings file. Never fails.
[[nodiscard]] Settings parse_settings(std::string_view text);
[[nodiscard]] std::string settings_text(const Settings& settings);

/// The settings in the file; the defaults when there is none or it cannot be read.
[[nodiscard]] Settings load_settings(const std::string& path);
/// Creates the folder if needed and replaces the file atomically. Errors: kIo; messages begin with
/// the path.
[[nodiscard]] Status save_settings(const Settings& settings, const std::string& path);

}  // namespace tideline::app
