// Tested by tests/unit/base/source_bytes_test.cc.
#include "core/base/input_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tideline {
namespace {

bool same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

tl::unexpected<Error> no_file(const std::string& path, const char* what) {
  return fail(Code::kInvalidArgument, "{}: is a {}; expected a file", path, what);
}

}  // namespace

Result<InputFile> InputFile::open(const std::string& path) {
  // A pipe is not even opened: closing it again would take the reader from a program that writes to
  // it, and the next reader would wait for ever.
  struct stat named {};
  if (::stat(path.c_str(), &named) == 0 && S_ISFIFO(named.st_mode)) return no_file(path, "pipe");
  // O_NONBLOCK: otherwise opening a pipe would wait for somebody who writes to it.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) {
    return fail(errno == ENOENT ? Code::kNotFound : Code::kIo, "{}: cannot open: {}", path,
                std::strerror(errno));
  }
  InputFile file(path, fd, {});
  if (::fstat(fd, &file.opened_) != 0) {
    return fail(Code::kIo, "{}: cannot stat: {}", path, std::strerror(errno));
  }
  if (S_ISREG(file.opened_.st_mode)) return file;
  const char* what = S_ISDIR(file.opened_.st_mode)    ? "folder"
                     : S_ISFIFO(file.opened_.st_mode) ? "pipe"
                                                      : "device";
  return no_file(path, what);
}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)), opened_(other.opened_) {}

InputFile::~InputFile() {
  if (fd_ >= 0) ::close(fd_);
}

Result<std::size_t> InputFile::read(char* to, std::size_t most) {
  std::size_t used = 0;
  while (used < most) {
    const ssize_t got = ::read(fd_, to + used, most - used);
    if (got == 0) break;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(Code::kIo, "{}: cannot read: {}", path_, std::strerror(errno));
    used += static_cast<std::size_t>(got);
  }
  return used;
}

Result<std::size_t> InputFile::read_at(std::size_t offset, char* to, std::size_t most) const {
  std::size_t used = 0;
  while (used < most) {
    const ssize_t got = ::pread(fd_, to + used, most - used, static_cast<off_t>(offset + used));
    if (got == 0) break;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(Code::kIo, "{}: cannot read: {}", path_, std::strerror(errno));
    used += static_cast<std::size_t>(got);
  }
  return used;
}

Result<std::uint64_t> InputFile::size_now() const {
  struct stat now {};
  if (::fstat(fd_, &now) != 0) {
    return fail(Code::kIo, "{}: cannot stat: {}", path_, std::strerror(errno));
  }
  return static_cast<std::uint64_t>(now.st_size);
}

bool InputFile::has_changed() const {
  struct stat now {};
  return ::fstat(fd_, &now) != 0 || now.st_size != opened_.st_size ||
         !same_time(now.st_mtim, opened_.st_mtim);
}

Status InputFile::check_unchanged() const {
  if (has_changed()) return changed_while_read(path_);
  return {};
}

tl::unexpected<Error> changed_while_read(const std::string& path) {
  return fail(Code::kIo, "{}: changed while it was read; expected a file that nobody writes to",
              path);
}

}  // namespace tideline
