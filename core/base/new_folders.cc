#include "core/base/new_folders.h"

#include <unistd.h>

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

Status NewFolders::make(const std::string& folder) {
  fs::path path;
  for (const fs::path& part : fs::path(folder)) {
    path /= part;
    std::error_code error;
    if (fs::is_directory(path, error)) continue;
    if (!fs::create_directory(path, error) && error) {
      return fail(Code::kIo, "{}: cannot create this folder: {}", path.native(), error.message());
    }
    made_.push_back(path.native());
    // A file in it is on disk only if its folder is. What goes wrong here shows with the file.
    static_cast<void>(sync_folder(folder_of(path.native())));
  }
  return {};
}

}  // namespace tideline
