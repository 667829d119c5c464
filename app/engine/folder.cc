// Tested by unit/actions/ui_model_test.cc.
#include "app/engine/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

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

Result<std::vector<ui::FileEntry>> list_graph_functions(const events::GraphChoice& graph) {
  Progress silent;
  TIDELINE_TRY(const io::Document document, events::open_graph(graph, silent));
  std::vector<ui::FileEntry> entries;
  for (const io::FunctionInfo& function : io::list_functions(document)) {
    if (entries.size() == kMostEntries) break;
    ui::FileEntry entry{function.name};
    entry.detail = fmt::format("{} op{}", function.ops, function.ops == 1 ? "" : "s");
    entries.push_back(std::move(entry));
  }
  return entries;
}

ui::FolderListing list_place(const std::string& path) {
  std::error_code error;
  if (path.empty() || !fs::is_regular_file(path, error)) return list_folder(path);
  ui::FolderListing listing;
  const fs::path file = fs::absolute(path, error);
  listing.path = error ? path : file.lexically_normal().string();
  listing.is_file = true;
  auto functions = list_graph_functions({.path = listing.path});
  if (functions) {
    listing.entries = *std::move(functions);
  } else {
    listing.error = functions.error().message;
  }
  return listing;
}

}  // namespace tideline::app
