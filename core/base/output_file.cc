#include "core/base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/base/permissions.h"

namespace tideline {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;

// "a/b/graph.pb" -> "a/b/.graph.pb.XXXXXX": the same file system, so that the rename is atomic.
std::string temporary_pattern(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  // A long name must not make the temporary name longer than the file system allows.
  return path.substr(0, name) + "." + path.substr(name, 200) + ".XXXXXX";
}

}  // namespace

Status check_output_path(const std::string& path, bool replace) {
  if (path.empty() || path.back() == '/') {
    return fail(Code::kInvalidArgument, "'{}': expected the name of a file to write", path);
  }
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    return fail(Code::kIo, "{}: cannot write there: {}", path, std::strerror(errno));
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  if (!S_ISREG(status.st_mode)) {
    return fail(Code::kInvalidArgument, "{}: exists and is not a regular file", path);
  }
  if (!replace) {
    return fail(Code::kInvalidArgument, "{}: exists; give --force to replace it", path);
  }
  return {};
}

Result<OutputFile> OutputFile::create(const std::string& path, bool replace) {
  TIDELINE_RETURN_IF_ERROR(check_output_path(path, replace));
  std::string temporary = temporary_pattern(path);
  const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return fail(Code::kIo, "{}: cannot write there: {}", path, std::strerror(errno));
  ::fchmod(fd, new_file_mode(0666));
  return OutputFile(path, std::move(temporary), fd, replace);
}

OutputFile::OutputFile(std::string path, std::string temporary, int fd, bool replace)
    : path_(std::move(path)), temporary_(std::move(temporary)), fd_(fd), replace_(replace) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      buffer_(std::move(other.buffer_)),
      fd_(std::exchange(other.fd_, -1)),
      replace_(other.replace_) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  if (this != &other) {
    discard();
    path_ = std::move(other.path_);
    temporary_ = std::exchange(other.temporary_, {});
    buffer_ = std::move(other.buffer_);
    fd_ = std::exchange(other.fd_, -1);
    replace_ = other.replace_;
  }
  return *this;
}

OutputFile::~OutputFile() {
  discard();
}

void OutputFile::discard() noexcept {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

Status OutputFile::append(std::string_view bytes) {
  if (buffer_.size() + bytes.size() <= kBufferBytes) {
    buffer_.append(bytes);
    return {};
  }
  TIDELINE_RETURN_IF_ERROR(write_through(buffer_));
  buffer_.clear();
  if (bytes.size() >= kBufferBytes) return write_through(bytes);
  buffer_.append(bytes);
  return {};
}

Status OutputFile::write_through(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(fd_, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return fail(Code::kIo, "{}: cannot write: {}", path_, std::strerror(errno));
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return {};
}

Status OutputFile::finish() {
  if (fd_ < 0) return {};
  TIDELINE_RETURN_IF_ERROR(write_through(buffer_));
  buffer_.clear();
  const bool synced = ::fsync(fd_) == 0 || errno == EINVAL;  // EINVAL: nothing to sync there
  const bool closed = ::close(std::exchange(fd_, -1)) == 0;
  if (!synced || !closed) {
    return fail(Code::kIo, "{}: cannot write: {}", path_, std::strerror(errno));
  }
  return {};
}

Status OutputFile::commit() {
  TIDELINE_RETURN_IF_ERROR(finish());
  const unsigned flags = replace_ ? 0U : static_cast<unsigned>(RENAME_NOREPLACE);
  int moved = ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), flags);
  if (moved != 0 && !replace_ && (errno == EINVAL || errno == ENOSYS)) {
    // A file system without RENAME_NOREPLACE: a hard link refuses to replace, too.
    moved = ::link(temporary_.c_str(), path_.c_str());
    if (moved == 0) ::unlink(temporary_.c_str());
  }
  if (moved != 0 && errno == EEXIST) {
    return fail(Code::kInvalidArgument, "{}: exists; give --force to replace it", path_);
  }
  if (moved != 0) return fail(Code::kIo, "{}: cannot rename: {}", path_, std::strerror(errno));
  temporary_.clear();
  return {};
}

void OutputFile::take_back() noexcept {
  if (temporary_.empty() && !replace_) ::unlink(path_.c_str());
}

Status commit_together(const std::vector<PendingOutput*>& outputs) {
  for (PendingOutput* output : outputs) TIDELINE_RETURN_IF_ERROR(output->finish());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Status placed = outputs[i]->commit();
    if (placed) continue;
    // Undo the outputs committed so far, so that none exists alone.
    while (i > 0) outputs[--i]->take_back();
    return placed;
  }
  return {};
}

Status write_file(const std::string& path, std::string_view content, bool replace) {
  TIDELINE_TRY(OutputFile file, OutputFile::create(path, replace));
  TIDELINE_RETURN_IF_ERROR(file.append(content));
  return file.commit();
}

}  // namespace tideline
