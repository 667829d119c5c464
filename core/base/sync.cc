// Tested by tests/golden/files/outputs_test.py.
#include "core/base/sync.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "core/base/descriptor.h"

namespace tideline {

bool sync_file(int fd) {
  while (::fsync(fd) != 0) {
    if (errno == EINTR) continue;
    return errno == EINVAL || errno == ENOTSUP || errno == EROFS;
  }
  return true;
}

bool sync_folder(const std::string& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.value() < 0) return errno == EACCES;
  return sync_file(folder.value());
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace tideline
