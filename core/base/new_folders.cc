#include "core/base/new_folders.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/base/sync.h"

namespace tideline {

namespace fs = std::filesystem;

NewFolders::~NewFolders() {
  while (!made_.empty()) {
    ::rmdir(made_.back().c_str());  // fails, as it should, for one that holds something
    made_.pop_back();
  }
}

Status NewFolders::make(const std::string& folder, const Readers& readers) {
  fs::path path;
  for (const fs::path& part : fs::path(folder)) {
    path /= part;
    std::error_code error;
    if (fs::is_directory(path, error)) continue;
    // Closed to others until it is known whose group it has.
    if (::mkdir(path.c_str(), 0700) != 0) {
      if (errno == EEXIST && fs::is_directory(path, error)) continue;
      return fail(Code::kIo, "{}: cannot create this folder: {}", path.native(),
                  std::strerror(errno));
    }
    struct stat made {};
    if (::stat(path.c_str(), &made) == 0) {
      const mode_t mode = no_wider(new_file_mode(0777), made.st_gid, readers);
      ::chmod(path.c_str(), mode | (made.st_mode & S_ISGID));
    }
    made_.push_back(path.native());
    // A file in it is on disk only if its folder is. What goes wrong here shows with the file.
    static_cast<void>(sync_folder(folder_of(path.native())));
  }
  return {};
}

}  // namespace tideline
