// Flushing files and folders to disk.
#pragma once

#include <string>

namespace tideline {

/// Flushes what was written to `fd`. A signal does not count as a failure, nor does a file system
/// that has nothing to flush. Returns false and sets errno if data may be lost. Thread: any.
[[nodiscard]] bool sync_file(int fd);

/// Flushes the names in the folder `path`, so that a rename in it survives a power failure. A
/// folder that may not be read cannot be flushed, which is not an error.
[[nodiscard]] bool sync_folder(const std::string& path);

/// The folder of `path`: "." if it names none.
[[nodiscard]] std::string folder_of(const std::string& path);

}  // namespace tideline
