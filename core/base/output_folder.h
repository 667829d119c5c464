// Folders that appear whole or not at all: filled under a temporary name, then renamed.
#pragma once

#include <functional>
#include <string>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/progress.h"

namespace tideline {

/// Whether an existing folder may be replaced as a whole.
using MayReplace = std::function<bool(const std::string& folder)>;

/// A folder being written. Until `commit` only a temporary folder beside `path` exists; the
/// destructor removes it. Errors: kIo (disk full, no permission), kInvalidArgument when `path`
/// exists, is not empty, and may not be replaced. Messages begin with the path.
class OutputFolder final : public PendingOutput {
 public:
  /// Creates the temporary folder beside `path`. With `replace`, an existing folder is replaced by
  /// commit if `may_replace` allows it.
  [[nodiscard]] static Result<OutputFolder> create(const std::string& path, bool replace,
                                                   const MayReplace& may_replace);

  OutputFolder(OutputFolder&& other) noexcept;
  OutputFolder& operator=(OutputFolder&&) = delete;
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder() override;

  /// Opens a file in the folder, which the caller commits. Folders named in `name` are created.
  [[nodiscard]] Result<OutputFile> file(const std::string& name);
  /// Copies the file `from` to `name`. Errors: kIo, kCancelled.
  [[nodiscard]] Status copy(const std::string& from, const std::string& name, Progress& progress);

  [[nodiscard]] Status finish() override;
  [[nodiscard]] Status commit() override;
  void take_back() noexcept override;

 private:
  OutputFolder(std::string path, std::string temporary, bool replaces);

  std::string path_;
  std::string temporary_;
  bool replaces_ = false;
};

/// Checks, before long work begins, whether `create` would refuse `path` as things are now.
[[nodiscard]] Status check_output_folder(const std::string& path, bool replace,
                                         const MayReplace& may_replace);

}  // namespace tideline
