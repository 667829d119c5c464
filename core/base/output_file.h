// Files that appear whole or not at all: written beside their place, synced, then renamed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tideline {

/// A file under construction. Until `commit` only a temporary neighbour exists; the destructor
/// removes it. Errors: kIo (disk full, no permission), kInvalidArgument when `path` exists and
/// `replace` is false, or is something else than a regular file. Messages begin with the path.
class OutputFile {
 public:
  [[nodiscard]] static Result<OutputFile> create(const std::string& path, bool replace);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  [[nodiscard]] Status append(std::string_view bytes);
  /// Flushes to the disk; after it only `commit` may follow. Called by `commit` when it was not.
  [[nodiscard]] Status finish();
  /// Puts the file in its place.
  [[nodiscard]] Status commit();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool replaces() const { return replace_; }

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

/// Puts all files in their places once all are safely on the disk; when one cannot be put there,
/// earlier ones that replaced nothing are taken back.
[[nodiscard]] Status commit_together(const std::vector<OutputFile*>& files);
[[nodiscard]] Status commit_together(OutputFile& first, OutputFile& second);

/// Writes `content` to `path` by the rules above.
[[nodiscard]] Status write_file(const std::string& path, std::string_view content, bool replace);

}  // namespace tideline
