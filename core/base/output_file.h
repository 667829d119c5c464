// Files that appear whole or not at all: written under a temporary name, synced, then renamed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/permissions.h"

namespace tideline {

/// An output written under a temporary name and renamed to its path at the end.
class PendingOutput {
 public:
  /// Whether what an output replaces is kept until `settle`, so that it can be put back.
  enum class Undo : bool { kNo, kYes };

  virtual ~PendingOutput() = default;
  /// Flushes to disk. Nothing may be written afterwards.
  [[nodiscard]] virtual Status finish() = 0;
  /// Renames the finished output to its path.
  [[nodiscard]] virtual Status place(Undo undo) = 0;
  /// After `place`: flushes the rename and removes what was replaced. An error does not mean that
  /// the output is missing.
  [[nodiscard]] virtual Status settle() = 0;
  /// After `place`: puts back what was at the path before. False if it is not known any more.
  [[nodiscard]] virtual bool take_back() noexcept = 0;
  /// For messages.
  [[nodiscard]] virtual const std::string& path() const = 0;

  /// All three steps.
  [[nodiscard]] Status commit();
};

/// A file being written. Until it is placed only a temporary file beside `path` exists; the
/// destructor removes it. A file that is replaced leaves its permissions and its owner to the new
/// one. Errors: kIo (disk full, no permission), kInvalidArgument when `path` exists and `replace`
/// is false, or is not a regular file. Messages begin with the path.
class OutputFile final : public PendingOutput {
 public:
  /// Creates the temporary file beside `path`, after removing temporary files that killed processes
  /// left there. `readers` may read a new file, as far as the umask allows.
  [[nodiscard]] static Result<OutputFile> create(const std::string& path, bool replace,
                                                 const Readers& readers = {});

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() override;

  /// Writes `bytes` after those written before. Buffered.
  [[nodiscard]] Status append(std::string_view bytes);
  [[nodiscard]] Status finish() override;
  [[nodiscard]] Status place(Undo undo) override;
  [[nodiscard]] Status settle() override;
  [[nodiscard]] bool take_back() noexcept override;
  [[nodiscard]] const std::string& path() const override { return shown_; }
  /// Where the bytes lie before `place`. Whoever renames that file after `finish` places it in a
  /// way of their own.
  [[nodiscard]] const std::string& temporary() const { return temporary_; }

 private:
  friend class OutputFolder;
  enum class State : std::uint8_t { kWriting, kPlacedNew, kExchanged, kReplaced, kSettled };

  // A file of a folder is written at `path`, shown as `shown`, and gets the permissions of the file
  // `like`, if there is one.
  [[nodiscard]] static Result<OutputFile> open(std::string path, std::string shown,
                                               const std::string& like, const Readers& readers);

  OutputFile(std::string path, std::string shown, std::string temporary, int fd);
  [[nodiscard]] Status write_through(std::string_view bytes);
  [[nodiscard]] Status place_new();
  [[nodiscard]] Status place_exchanged();
  void discard() noexcept;

  std::string path_;
  std::string shown_;
  std::string temporary_;
  std::string buffer_;
  int fd_ = -1;
  bool replace_ = false;
  bool syncs_folder_ = true;
  bool syncs_ = true;
  State state_ = State::kWriting;
};

/// Checks, before long work begins, whether `create` would refuse `path` as things are now.
[[nodiscard]] Status check_output_path(const std::string& path, bool replace);

/// Finishes all outputs, then places them in order. If one cannot be placed, the earlier ones are
/// taken back; the message names those that could not be.
[[nodiscard]] Status commit_together(const std::vector<PendingOutput*>& outputs);

/// Writes `content` to `path` through an OutputFile.
[[nodiscard]] Status write_file(const std::string& path, std::string_view content, bool replace,
                                const Readers& readers = {});

}  // namespace tideline
