// A folder as the file browser shows it.
#pragma once

#include <string>

#include "render/model/ui_model.h"

namespace tideline::session {

inline constexpr std::size_t kMostEntries = 20000;

/// Folders first, then by name; hidden ones left out. An empty path is the current folder. What
/// cannot be listed has `error`. Cost: one look at each entry.
[[nodiscard]] ui::FolderListing list_folder(const std::string& path);

}  // namespace tideline::session
