// Permissions of the files and folders that are written.
#pragma once

#include <sys/types.h>

namespace tideline {

/// `wanted` (0666 for a file, 0777 for a folder) without the bits of the umask that the process
/// started with; later changes of the umask are ignored. Thread: any.
[[nodiscard]] mode_t new_file_mode(mode_t wanted);

}  // namespace tideline
