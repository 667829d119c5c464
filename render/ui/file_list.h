// A folder as dialogs show it: its path with a way up, and its entries.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "render/ui/panel.h"

namespace tideline::ui {

/// "a/b" for "a" and "b".
[[nodiscard]] std::string joined(const std::string& folder, const std::string& name);
/// "/a" for "/a/b", "/" for "/".
[[nodiscard]] std::string parent_of(const std::string& folder);

/// Shows `folder` in the file browser.
void browse(Ui& ui, const std::string& folder);
/// A button to the folder above, and the path.
void draw_place(Ui& ui, const FolderListing& folder);

/// Which entries are shown, and which one is marked.
struct FileListLook {
  std::function<bool(const FileEntry& entry)> fits = {};  ///< empty: all
  std::string chosen = {};                                ///< path of the marked entry
};
/// The entries in a frame of `height` px. A click on a folder browses it; returns the path of the
/// file that was clicked, or an empty text.
[[nodiscard]] std::string draw_file_list(Ui& ui, const FolderListing& folder, float height,
                                         const FileListLook& look);

}  // namespace tideline::ui
