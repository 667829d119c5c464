// What the app remembers between two runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "render/model/view_state.h"

namespace tideline::session {

/// Schema tideline.settings/1. Every value has a default, so that a file may lack any of them.
struct Settings {
  static constexpr std::size_t kMostRecent = 20;

  std::vector<std::string> recent_files = {};  ///< newest first
  render::ThemeKind theme = render::ThemeKind::kDark;
  float font_px = 15;
  int window_width_px = 1600, window_height_px = 1000;
  /// Where the window stood; both 0: wherever the desktop puts it.
  int window_x_px = 0, window_y_px = 0;
  float left_px = ui::ViewState{}.left_px, right_px = ui::ViewState{}.right_px;
  float bottom_share = ui::ViewState{}.bottom_share;
  float inspector_share = ui::ViewState{}.inspector_share;
  friend bool operator==(const Settings&, const Settings&) = default;

  /// Puts `path` first; the same path does not stand twice.
  void remember(const std::string& path);
  /// The parts of a view that are remembered.
  void apply_to(ui::ViewState& view) const;
  void take_from(const ui::ViewState& view);
};

/// $XDG_CONFIG_HOME/tideline/settings.json, else $HOME/.config/...; empty when neither is set (a
/// relative XDG_CONFIG_HOME does not count). Nothing is created.
[[nodiscard]] std::string settings_path(const char* xdg_config_home, const char* home);

/// Reads `text`. What is missing, of the wrong kind or out of range has its default value; a text
/// that is no settings file gives the defaults. Never fails.
[[nodiscard]] Settings parse_settings(std::string_view text);
[[nodiscard]] std::string settings_text(const Settings& settings);

/// The settings in the file; the defaults when there is none or it cannot be read.
[[nodiscard]] Settings load_settings(const std::string& path);
/// Makes the folder, then writes whole or not at all. Errors: kIo, beginning with the path.
[[nodiscard]] Status save_settings(const Settings& settings, const std::string& path);

}  // namespace tideline::session
