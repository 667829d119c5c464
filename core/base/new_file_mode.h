// The permissions of what we write.
#pragma once

#include <sys/types.h>

namespace tideline {

/// `wanted` (0666 for a file, 0777 for a folder) less what the process's umask took away when the
/// program began; a umask that is set later is not seen. Thread: any.
[[nodiscard]] mode_t new_file_mode(mode_t wanted);

}  // namespace tideline
