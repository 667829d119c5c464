// Lists a folder for the file browser, or what is in a graph.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/events/open_graph.h"
#include "render/model/ui_model.h"

namespace tideline::app {

inline constexpr std::size_t kMostEntries = 20000;

/// The entries of `path`, folders first, then by name, without hidden ones; at most kMostEntries.
/// An empty path is the current folder. Failures are reported in `error`. Cost: one stat per entry.
[[nodiscard]] ui::FolderListing list_folder(const std::string& path);

/// The functions of a graph with the numbers of their ops, in file order, at most kMostEntries.
/// Errors: those of events::open_graph. Cost: one pass over the bytes of its file.
[[nodiscard]] Result<std::vector<ui::FileEntry>> list_graph_functions(
    const events::GraphChoice& graph);

/// As list_folder or, if `path` is a file, a listing of the functions of the graph in it, in file
/// order. Cost: of a file one pass over its bytes.
[[nodiscard]] ui::FolderListing list_place(const std::string& path);

}  // namespace tideline::app
