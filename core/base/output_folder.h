// Folders that appear whole or not at all: filled beside their place, then renamed.
#pragma once

#include <functional>
#include <string>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/progress.h"

namespace tideline {

/// Whether an existing folder may be replaced as a whole.
using MayReplace = std::function<bool(const std::string& folder)>;

/// A folder under construction. Until `commit` only a temporary neighbour exists; the destructor
/// removes it. Errors: kIo (disk full, no permission), kInvalidArgument when `path` exists, is not
/// empty, and may not be replaced. Messages begin with the path.
class OutputFolder final : public PendingOutput {
 public:
  [[nodiscard]] static Result<OutputFolder> create(const std::string& path, bool replace,
                                                   const MayReplace& may_replace);

  OutputFolder(OutputFolder&& other) noexcept;
  OutputFolder& operator=(OutputFolder&&) = delete;
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder() override;

  /// A file in it, committed by the caller; `name` may have folders in it, which are made.
  [[nodiscard]] Result<OutputFile> file(const std::string& name);
  /// A copy of the file `from` under `name`. Errors: kIo, kCancelled.
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

/// Whether `create` would refuse `path` for what is there now; asked before long work begins.
[[nodiscard]] Status check_output_folder(const std::string& path, bool replace,
                                         const MayReplace& may_replace);

}  // namespace tideline
