// Logs the positions of the items in the window, for tests that drive it from outside.
#pragma once

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "render/model/ui_model.h"
#include "render/ui/widgets.h"

namespace tideline::gui {

/// Writes one line of JSON whenever the items or the state have changed:
/// {"items": [{"label": "policy/mode", "rect": [x0, y0, x1, y1], "enabled": true}, ...],
///  "state": "..."}; the first line has the keys of the actions instead:
/// {"items": [], "state": "", "keys": {"edit.undo": "Ctrl+Z", ...}}. Does nothing without a file.
class Trace {
 public:
  /// Writes to the file named by the environment variable TIDELINE_UI_TRACE, if it is set.
  [[nodiscard]] static Trace from_environment();

  void write_keys(std::span<const ui::ActionInfo> actions);
  void write(std::span<const ui::Item> items, const std::string& state);

 private:
  void put(const std::string& line);
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<ui::Item> last_;
  std::string last_state_;
  bool has_keys_ = false;
};

}  // namespace tideline::gui
