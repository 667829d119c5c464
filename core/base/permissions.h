// Who may access the files and folders that are written.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <optional>
#include <string>

namespace tideline {

/// Who may read a file: its permission bits, and the group that the group's bits are for (none: any
/// group). The default is everybody.
struct Readers {
  mode_t mode = 0777;
  std::optional<gid_t> group = {};
};

[[nodiscard]] Readers readers_of(const struct stat& status);
/// The readers of the file or folder `path`; its owner alone if it cannot be looked at.
[[nodiscard]] Readers readers_of(const std::string& path);

/// `wanted` (0666 for a file, 0777 for a folder) without the bits of the umask that the process
/// started with; later changes of the umask are ignored. Thread: any.
[[nodiscard]] mode_t new_file_mode(mode_t wanted);

/// `wanted` for a new file of the group `group`, without the bits by which others than `readers`
/// could read it. The owner's bits stay.
[[nodiscard]] mode_t no_wider(mode_t wanted, gid_t group, const Readers& readers);

/// Gives the open file or folder `fd` the owner, group and permission bits of `old`, which it
/// replaces, as far as the process may. A group that cannot be kept takes the group's bits with it.
void keep_permissions(int fd, const struct stat& old);

}  // namespace tideline
