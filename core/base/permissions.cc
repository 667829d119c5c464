// Tested by tests/unit/base/permissions_test.cc.
#include "core/base/permissions.h"

#include <unistd.h>

namespace tideline {
namespace {

constexpr mode_t kBits = 0777;
constexpr mode_t kOwner = 0700, kGroup = 0070, kOthers = 0007;

mode_t read_umask() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

// The umask belongs to the whole process and can only be read by setting it. Read while other
// threads run, it would leave the files that these create open to everybody; before main there are
// no other threads.
const mode_t kUmask = read_umask();

// The permissions of others, as bits of the group.
mode_t others_as_group(mode_t mode) {
  return (mode & kOthers) << 3U;
}

}  // namespace

Readers readers_of(const struct stat& status) {
  return {status.st_mode & kBits, status.st_gid};
}

Readers readers_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {kOwner, {}};
  return readers_of(status);
}

mode_t new_file_mode(mode_t wanted) {
  return wanted & ~kUmask;
}

mode_t no_wider(mode_t wanted, gid_t group, const Readers& readers) {
  const bool same_group = !readers.group || *readers.group == group;
  // Members of another group are for the input among the others.
  const mode_t of_group = same_group ? readers.mode & kGroup : others_as_group(readers.mode);
  return wanted & (kOwner | of_group | (readers.mode & kOthers));
}

void keep_permissions(int fd, const struct stat& old) {
  struct stat now {};
  if (::fstat(fd, &now) != 0) return;
  bool has_group = now.st_gid == old.st_gid;
  if (now.st_uid != old.st_uid || !has_group) {
    if (::fchown(fd, old.st_uid, old.st_gid) == 0) {
      has_group = true;
    } else if (!has_group) {
      has_group = ::fchown(fd, static_cast<uid_t>(-1), old.st_gid) == 0;
    }
  }
  mode_t mode = old.st_mode & (kBits | (S_ISDIR(old.st_mode) ? S_ISGID : 0U));
  if (!has_group) mode &= ~kGroup | others_as_group(old.st_mode);
  ::fchmod(fd, mode);
}

}  // namespace tideline
