// The lock of a folder, for as long as files in it get their names.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/progress.h"

namespace tideline::checkpoint {

/// What the stages begin with by which a Progress is told that there is somebody to wait for. Such
/// a stage names the folder and who holds its lock; fronts say it once, also those that show no
/// progress.
inline constexpr std::string_view kWaiting = "waiting for the lock of ";

/// Two writers of one checkpoint at a time would take the same names for their data files. The lock
/// (flock) is of the open folder: no file is left, and it ends with the process.
class FolderLock {
 public:
  static constexpr int kMostWaits = 1200;  ///< of 50 ms: a minute

  /// Waits until nobody else holds it; from half a second on `progress` hears who does. A folder
  /// that cannot be locked is not: nothing is lost for those who save one after the other. Errors:
  /// kIo, naming folder and holder, after `most_waits`; kCancelled.
  [[nodiscard]] static Result<FolderLock> take(const std::string& folder, Progress& progress,
                                               int most_waits = kMostWaits);

  ~FolderLock();
  FolderLock(FolderLock&&) = default;
  FolderLock& operator=(FolderLock&&) = delete;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  explicit FolderLock(const std::string& folder);

  std::unique_ptr<const Descriptor> folder_;
};

}  // namespace tideline::checkpoint
