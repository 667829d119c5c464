// A regular file that is read, once from beginning to end or at places, and must not change
// meanwhile; or to which somebody still appends, when it is read at places.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/base/permissions.h"

namespace tideline {

/// An open regular file. Opening never waits: a pipe or a device is refused.
/// Messages begin with the path. Thread: not shared.
class InputFile {
 public:
  /// Errors: kNotFound, kIo; kInvalidArgument for anything but a regular file.
  [[nodiscard]] static Result<InputFile> open(const std::string& path);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  /// Reads up to `most` bytes; fewer only at the end of the file. Errors: kIo.
  [[nodiscard]] Result<std::size_t> read(char* to, std::size_t most);
  /// The same from byte `offset` on; where `read` goes on is not moved.
  [[nodiscard]] Result<std::size_t> read_at(std::size_t offset, char* to, std::size_t most) const;
  /// In bytes, now. Errors: kIo.
  [[nodiscard]] Result<std::uint64_t> size_now() const;
  /// Device and number: another file that takes the path has another.
  [[nodiscard]] std::pair<dev_t, ino_t> identity() const {
    return {opened_.st_dev, opened_.st_ino};
  }
  /// Whether somebody wrote to the file since it was opened. Two changes within one tick of the
  /// file system's clock (some milliseconds) look like one.
  [[nodiscard]] bool has_changed() const;
  /// The same as an error (kIo).
  [[nodiscard]] Status check_unchanged() const;
  [[nodiscard]] const std::string& path() const { return path_; }
  /// In bytes, when it was opened.
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(opened_.st_size); }
  [[nodiscard]] Readers readers() const { return readers_of(opened_); }

 private:
  InputFile(std::string path, int fd, const struct stat& opened)
      : path_(std::move(path)), fd_(fd), opened_(opened) {}

  std::string path_;
  int fd_ = -1;
  struct stat opened_ {};
};

/// The error for a file that somebody wrote to while it was read.
[[nodiscard]] tl::unexpected<Error> changed_while_read(const std::string& path);

}  // namespace tideline
