// Lists a folder for the file browser.
#pragma once

#include <string>

#include "render/model/ui_model.h"

namespace tideline::app {

inline constexpr std::size_t kMostEntries = 20000;

/// The entries of `path`, folders first, then by name, without hidden ones; at most kMostEntries.
/// An empty path is the current folder. Failures are reported in `error`. Cost: one stat per entry.
[[nodiscard]] ui::FolderListing list_folder(const std::string& path);

}  // namespace tideline::app
