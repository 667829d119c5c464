// Files that appear whole or not at all: written under a temporary name, synced, then renamed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tideline {

/// An output written under a temporary name and renamed to its path at the end.
class PendingOutput {
 public:
  virtual ~PendingOutput() = default;
  /// Flushes to disk. Only `commit` may be called afterwards.
  [[nodiscard]] virtual Status finish() = 0;
  /// Renames the output to its path.
  [[nodiscard]] virtual Status commit() = 0;
  /// Undoes a commit: removes the output, unless it replaced something.
  virtual void take_back() noexcept = 0;
};

/// A file being written. Until `commit` only a temporary file beside `path` exists; the destructor
/// removes it. Errors: kIo (disk full, no permission), kInvalidArgument when `path` exists and
/// `replace` is false, or is not a regular file. Messages begin with the path.
class OutputFile final : public PendingOutput {
 public:
  /// Creates the temporary file beside `path`.
  [[nodiscard]] static Result<OutputFile> create(const std::string& path, bool replace);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() override;

  /// Writes `bytes` after those written before. Buffered.
  [[nodiscard]] Status append(std::string_view bytes);
  [[nodiscard]] Status finish() override;
  [[nodiscard]] Status commit() override;
  void take_back() noexcept override;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  OutputFile(std::string path, std::string temporary, int fd, bool replace);
  [[nodiscard]] Status write_through(std::string_view bytes);
  void discard() noexcept;

  std::string path_;
  std::string temporary_;
  std::string buffer_;
  int fd_ = -1;
  bool replace_ = false;
};

/// Checks, before long work begins, whether `create` would refuse `path` as things are now.
[[nodiscard]] Status check_output_path(const std::string& path, bool replace);

/// Finishes all outputs, then commits them in order. If a commit fails, the earlier ones that
/// replaced nothing are undone.
[[nodiscard]] Status commit_together(const std::vector<PendingOutput*>& outputs);

/// Writes `content` to `path` through an OutputFile.
[[nodiscard]] Status write_file(const std::string& path, std::string_view content, bool replace);

}  // namespace tideline
