// Tested by unit/actions/ui_model_test.cc.
#include "app/engine/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/events/open_graph.h"
#include "core/io/functions.h"

namespace tideline::app {

namespace fs = std::filesystem;

ui::FolderListing list_folder(const std::string& path) {
  ui::FolderListing listing;
  std::error_code error;
  const fs::path folder = path.empty() ? fs::current_path(error) : fs::absolute(path, error);
  listing.path = error ? path : folder.lexically_normal().string();
  fs::directory_iterator at(listing.path, error);
  if (error) {
    listing.error = fmt::format("{}: {}", listing.path, error.message());
    return listing;
  }
  for (; at != fs::directory_iterator() && listing.entries.size() < kMostEntries;
       at.increment(error)) {
    ui::FileEntry entry;
    entry.name = at->path().filename().string();
    if (entry.name.starts_with('.')) continue;
    std::error_code none;
    entry.is_folder = at->is_directory(none);
    if (!entry.is_folder && at->is_regular_file(none)) {
      const auto size = at->file_size(none);
      if (!none) entry.bytes = static_cast<Bytes>(size);
    }
    listing.entries.push_back(std::move(entry));
    if (error) break;
  }
  std::sort(listing.entries.begin(), listing.entries.end(),
            [](const ui::FileEntry& a, const ui::FileEntry& b) {
              return a.is_folder != b.is_folder ? a.is_folder : a.name < b.name;
            });
  return listing;
}

ui::FolderListing list_place(const std::string& path) {
  std::error_code error;
  if (path.empty() || !fs::is_regular_file(path, error)) return list_folder(path);
  ui::FolderListing listing;
  const fs::path file = fs::absolute(path, error);
  listing.path = error ? path : file.lexically_normal().string();
  listing.is_file = true;
  Progress silent;
  const auto document = events::open_graph({.path = listing.path}, silent);
  if (!document) {
    listing.error = document.error().message;
    return listing;
  }
  for (const io::FunctionInfo& function : io::list_functions(*document)) {
    if (listing.entries.size() == kMostEntries) break;
    ui::FileEntry entry{function.name};
    entry.detail = fmt::format("{} op{}", function.ops, function.ops == 1 ? "" : "s");
    listing.entries.push_back(std::move(entry));
  }
  return listing;
}

}  // namespace tideline::app
