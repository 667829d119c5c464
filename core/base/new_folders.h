// Folders created for output files, removed again if nothing was written into them.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/permissions.h"

namespace tideline {

/// Records the folders it creates; the destructor removes those that are still empty.
class NewFolders {
 public:
  NewFolders() = default;
  NewFolders(NewFolders&& other) noexcept = default;
  NewFolders& operator=(NewFolders&& other) noexcept = default;
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;
  ~NewFolders();
  /// Creates `folder` and its missing parents, open to `readers` as far as the umask allows.
  /// Errors: kIo.
  [[nodiscard]] Status make(const std::string& folder, const Readers& readers = {});

 private:
  std::vector<std::string> made_;
};

}  // namespace tideline
