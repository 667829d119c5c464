// Where the event files of a log lie.
#pragma once

#include <string>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/progress.h"

namespace tideline::events {

/// An event file and the run that it belongs to: the folder it lies in, relative to the log folder,
/// with '/' between names; "." for the log folder itself. As in TensorBoard.
struct EventFile {
  std::string run;
  std::string path;
};

/// `path` alone when it is a file (run "."); else all regular files below the folder `path` whose
/// names hold "tfevents", sorted by run, then by name. Links are followed, no folder is entered
/// twice, and a folder that is met by its own name as well goes by that one.
/// Folders that cannot be read are counted in `diagnostics` and passed over.
/// Errors: kNotFound when `path` does not exist or holds no event file, kIo, kCancelled. Messages
/// begin with the path. Cost: one look at every entry of the folders, at most kMaxFolders of them.
[[nodiscard]] Result<std::vector<EventFile>> find_event_files(const std::string& path,
                                                              Diagnostics& diagnostics,
                                                              Progress& progress);

/// A link to the root of a large disk must end some day.
inline constexpr std::size_t kMaxFolders = 100'000;

}  // namespace tideline::events
