// Saves the values that were fed as .npy files, so that other programs can train on the same data.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/output_folder.h"
#include "core/base/permissions.h"
#include "core/base/progress.h"
#include "core/runtime/feeds.h"

namespace tideline::cli {

/// A new folder with one file for each feed, with a first axis of steps. It appears as a whole when
/// the caller commits it, or not at all.
class SavedFeeds {
 public:
  using Entry = std::pair<std::string, std::string>;  ///< name of the feed, path of its file

  /// Checks whether `write` would refuse the folder as it is now.
  [[nodiscard]] static Status check(const std::string& folder);

  /// Writes the values of all steps, generated or read once more. Called at the end of a run, so
  /// that there are no partial files before. Only `readers` may read the files. Errors:
  /// kInvalidArgument when the folder exists and is not empty; kUnsupported for element types that
  /// NumPy lacks; kIo; kCancelled.
  [[nodiscard]] static Result<SavedFeeds> write(const std::string& folder,
                                                const std::vector<runtime::Feed>& feeds,
                                                std::int64_t steps, const Readers& readers,
                                                Progress& progress);

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] OutputFolder& folder() { return folder_; }

 private:
  explicit SavedFeeds(OutputFolder folder) : folder_(std::move(folder)) {}
  [[nodiscard]] Status write_file(const runtime::Feed& feed, const std::string& name,
                                  std::int64_t steps, const Readers& readers, Progress& progress);

  OutputFolder folder_;
  std::vector<Entry> entries_;
};

}  // namespace tideline::cli
