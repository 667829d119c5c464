// Folders that appear whole or not at all: filled under a temporary name, then renamed.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/permissions.h"
#include "core/base/progress.h"

namespace tideline {

/// The relative paths of all files of `folder`, if it may be replaced as a whole; else an error
/// that calls it `shown` and names a file that would be lost. They are removed in this order: the
/// rule must still hold if a process is killed between two of them.
using MayReplace = std::function<Result<std::vector<std::string>>(const std::string& folder,
                                                                  const std::string& shown)>;

/// For outputs that replace nothing but an empty folder.
[[nodiscard]] MayReplace never_replace();

/// A folder being written. Until it is placed only a temporary folder beside `path` exists; the
/// destructor removes it. Folders and files that are replaced leave their permissions and their
/// owner to the new ones of the same name. Errors: kIo (disk full, no permission), kInvalidArgument
/// when `path` exists, is not empty, and may not be replaced. Messages begin with the path.
class OutputFolder final : public PendingOutput {
 public:
  /// Creates the temporary folder beside `path`. With `replace`, `place` exchanges it with an
  /// existing folder, and `settle` removes that one's files, if `may_replace` still allows it: it
  /// is asked again about what was exchanged, and nothing but the files that it lists is removed.
  /// A new folder is open to `readers`, as far as the umask allows.
  [[nodiscard]] static Result<OutputFolder> create(const std::string& path, bool replace,
                                                   MayReplace may_replace,
                                                   const Readers& readers = {});

  OutputFolder(OutputFolder&& other) noexcept;
  OutputFolder& operator=(OutputFolder&&) = delete;
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder() override;

  /// Opens a file in the folder, which the caller commits. Folders named in `name` are created.
  /// Errors: kInvalidArgument for a name that is absolute or has "..".
  [[nodiscard]] Result<OutputFile> file(const std::string& name, const Readers& readers = {});
  /// For folders of many files: those opened from now on are flushed to disk together, by `finish`.
  /// One by one that takes milliseconds a file, and so does removing them.
  void sync_at_end() { syncs_at_end_ = true; }
  /// Creates the folder `name` in the folder, and those around it, unless they exist.
  [[nodiscard]] Status make_folder(const std::string& name, const Readers& readers = {});
  /// Copies the file `from` to `name`, for the same readers. Errors: those of InputFile, also for a
  /// file that changes meanwhile; kCancelled.
  [[nodiscard]] Status copy(const std::string& from, const std::string& name, Progress& progress);

  [[nodiscard]] Status finish() override;
  [[nodiscard]] Status place(Undo undo) override;
  [[nodiscard]] Status settle() override;
  [[nodiscard]] bool take_back() noexcept override;
  [[nodiscard]] const std::string& path() const override { return path_; }

 private:
  enum class State : std::uint8_t { kWriting, kPlacedNew, kExchanged, kSettled };

  OutputFolder(std::string path, std::string temporary, bool replaces, MayReplace may_replace,
               const Readers& readers);
  [[nodiscard]] Status place_exchanged();

  std::string path_;
  std::string temporary_;
  int fd_ = -1;
  bool replaces_ = false;
  MayReplace may_replace_;
  std::map<std::string, Readers> folders_;  ///< by relative name, "" for the folder itself
  std::vector<std::string> old_files_;
  State state_ = State::kWriting;
  bool syncs_at_end_ = false;
};

/// Checks, before long work begins, whether `create` would refuse `path` as things are now.
[[nodiscard]] Status check_output_folder(const std::string& path, bool replace,
                                         const MayReplace& may_replace);

}  // namespace tideline
