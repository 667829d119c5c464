// Which files the file browser shows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tideline::ui {

/// A choice of files in the file browser.
struct FileFilter {
  std::string title;                  ///< "Graphs (.meta, .pb, .pbtxt)"
  std::vector<std::string> patterns;  ///< endings; "*x*": what has x in it. Empty: all files
  /// Whether it shows a file of this name. Case is ignored.
  [[nodiscard]] bool fits(std::string_view name) const;
};

}  // namespace tideline::ui
