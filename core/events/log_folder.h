// Finds the event files of a log.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/progress.h"

namespace tideline::events {

/// An event file and its run: as in TensorBoard, the folder of the file relative to the log folder,
/// with '/' between names; "." for the log folder itself.
struct EventFile {
  std::string run;
  std::string path;
  std::uint32_t log = 0;  ///< of several that are read together
};

/// `path` itself when it is a file (run "."); else all regular files below the folder `path` whose
/// names contain "tfevents", unless they are temporary files of ours, sorted by run, then by name.
/// Links to folders are followed within `path`; those that lead out of it, perhaps to a large tree,
/// are skipped, and so are folders that cannot be read: both are counted in `diagnostics`. No
/// folder is visited twice, and its real name is preferred to a link. Errors: kNotFound when `path`
/// does not exist or has no event file, kIo, kCancelled. Messages begin with the path. Cost:
/// O(entries) of at most kMaxFolders folders.
[[nodiscard]] Result<std::vector<EventFile>> find_event_files(const std::string& path,
                                                              Diagnostics& diagnostics,
                                                              Progress& progress);

/// Bounds the search in a very large tree.
inline constexpr std::size_t kMaxFolders = 100'000;

}  // namespace tideline::events
