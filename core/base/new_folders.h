// Folders that are made for files which may not come.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"

namespace tideline {

/// Remembers the folders that it made; the destructor removes those that are still empty.
class NewFolders {
 public:
  NewFolders() = default;
  NewFolders(NewFolders&& other) noexcept = default;
  NewFolders& operator=(NewFolders&& other) noexcept = default;
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;
  ~NewFolders();
  /// Makes `folder` and those above it, as far as they are missing. Errors: kIo.
  [[nodiscard]] Status make(const std::string& folder);

 private:
  std::vector<std::string> made_;
};

}  // namespace tideline
