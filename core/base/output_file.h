// Files that appear whole or not at all: written beside their place, synced, then renamed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tideline {

/// Something that is written beside its place and put there at the end.
class PendingOutput {
 public:
  virtual ~PendingOutput() = default;
  /// Flushes to the disk; after it only `commit` may follow.
  [[nodiscard]] virtual Status finish() = 0;
  /// Puts it in its place.
  [[nodiscard]] virtual Status commit() = 0;
  /// After a commit: removes it again, when it replaced nothing.
  virtual void take_back() noexcept = 0;
};

/// A file under construction. Until `commit` only a temporary neighbour exists; the destructor
/// removes it. Errors: kIo (disk full, no permission), kInvalidArgument when `path` exists and
/// `replace` is false, or is something else than a regular file. Messages begin with the path.
class OutputFile final : public PendingOutput {
 public:
  [[nodiscard]] static Result<OutputFile> create(const std::string& path, bool replace);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() override;

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

/// Whether `create` would refuse `path` for what is there now; asked before long work begins.
[[nodiscard]] Status check_output_path(const std::string& path, bool replace);

/// Puts all outputs in their places once all are safely on the disk; when one cannot be put there,
/// those before it that replaced nothing are taken back.
[[nodiscard]] Status commit_together(const std::vector<PendingOutput*>& outputs);

/// Writes `content` to `path` by the rules above.
[[nodiscard]] Status write_file(const std::string& path, std::string_view content, bool replace);

}  // namespace tideline
