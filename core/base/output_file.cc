// Tested by tests/unit/base/output_file_test.cc and tests/golden/files/outputs_test.py.
#include "core/base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/base/sync.h"
#include "core/base/temporaries.h"

namespace tideline {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;

int rename_with(const std::string& from, const std::string& to, unsigned flags) {
  return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags);
}

}  // namespace

Status PendingOutput::commit() {
  TIDELINE_RETURN_IF_ERROR(finish());
  TIDELINE_RETURN_IF_ERROR(place(Undo::kNo));
  return settle();
}

Status check_output_path(const std::string& path, bool replace) {
  if (path.empty() || path.back() == '/') {
    return fail(Code::kInvalidArgument, "'{}': expected the name of a file to write", path);
  }
  if (::access(folder_of(path).c_str(), W_OK | X_OK) != 0) {
    return fail(Code::kIo, "{}: cannot write there: {}", path, std::strerror(errno));
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  if (!S_ISREG(status.st_mode)) {
    return fail(Code::kInvalidArgument, "{}: exists and is not a regular file", path);
  }
  if (!replace) {
    return fail(Code::kInvalidArgument, "{}: exists; give {{force}} to replace it", path);
  }
  return {};
}

Result<OutputFile> OutputFile::create(const std::string& path, bool replace,
                                      const Readers& readers) {
  TIDELINE_RETURN_IF_ERROR(check_output_path(path, replace));
  remove_abandoned(folder_of(path));
  TIDELINE_TRY(OutputFile file, open(path, path, replace ? path : std::string(), readers));
  file.replace_ = replace;
  return file;
}

Result<OutputFile> OutputFile::open(std::string path, std::string shown, const std::string& like,
                                    const Readers& readers) {
  std::string temporary = temporary_pattern(path);
  const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return fail(Code::kIo, "{}: cannot write there: {}", shown, std::strerror(errno));
  OutputFile file(std::move(path), std::move(shown), std::move(temporary), fd);
  mark_in_use(fd);
  struct stat old {};
  if (!like.empty() && ::stat(like.c_str(), &old) == 0 && S_ISREG(old.st_mode)) {
    keep_permissions(fd, old);
    return file;
  }
  struct stat made {};
  ::fstat(fd, &made);
  ::fchmod(fd, no_wider(new_file_mode(0666), made.st_gid, readers));
  return file;
}

OutputFile::OutputFile(std::string path, std::string shown, std::string temporary, int fd)
    : path_(std::move(path)), shown_(std::move(shown)), temporary_(std::move(temporary)), fd_(fd) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      shown_(std::move(other.shown_)),
      temporary_(std::exchange(other.temporary_, {})),
      buffer_(std::move(other.buffer_)),
      fd_(std::exchange(other.fd_, -1)),
      replace_(other.replace_),
      syncs_folder_(other.syncs_folder_),
      syncs_(other.syncs_),
      state_(other.state_) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  if (this != &other) {
    discard();
    path_ = std::move(other.path_);
    shown_ = std::move(other.shown_);
    temporary_ = std::exchange(other.temporary_, {});
    buffer_ = std::move(other.buffer_);
    fd_ = std::exchange(other.fd_, -1);
    replace_ = other.replace_;
    syncs_folder_ = other.syncs_folder_;
    syncs_ = other.syncs_;
    state_ = other.state_;
  }
  return *this;
}

OutputFile::~OutputFile() {
  discard();
}

void OutputFile::discard() noexcept {
  if (state_ == State::kWriting && !temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
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
    if (wrote < 0) return fail(Code::kIo, "{}: cannot write: {}", shown_, std::strerror(errno));
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return {};
}

Status OutputFile::finish() {
  TIDELINE_RETURN_IF_ERROR(write_through(buffer_));
  buffer_.clear();
  if (syncs_ && !sync_file(fd_)) {
    return fail(Code::kIo, "{}: cannot write: {}", shown_, std::strerror(errno));
  }
  return {};
}

Status OutputFile::place(Undo undo) {
  if (!replace_) return place_new();
  if (undo == Undo::kYes) return place_exchanged();
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    return fail(Code::kIo, "{}: cannot rename: {}", shown_, std::strerror(errno));
  }
  state_ = State::kReplaced;
  return {};
}

Status OutputFile::place_new() {
  int moved = rename_with(temporary_, path_, RENAME_NOREPLACE);
  if (moved != 0 && (errno == EINVAL || errno == ENOSYS)) {
    // A file system without RENAME_NOREPLACE: a hard link refuses to replace, too.
    moved = ::link(temporary_.c_str(), path_.c_str());
    if (moved == 0) ::unlink(temporary_.c_str());
  }
  if (moved != 0 && errno == EEXIST) {
    return fail(Code::kInvalidArgument, "{}: exists; give {{force}} to replace it", shown_);
  }
  if (moved != 0) return fail(Code::kIo, "{}: cannot rename: {}", shown_, std::strerror(errno));
  state_ = State::kPlacedNew;
  return {};
}

Status OutputFile::place_exchanged() {
  if (rename_with(temporary_, path_, RENAME_EXCHANGE) != 0) {
    if (errno == ENOENT) return place_new();
    // A file system that cannot exchange: what is replaced is lost at once.
    return errno == EINVAL || errno == ENOSYS
               ? place(Undo::kNo)
               : Status(fail(Code::kIo, "{}: cannot rename: {}", shown_, std::strerror(errno)));
  }
  struct stat old {};
  if (::lstat(temporary_.c_str(), &old) == 0 && S_ISDIR(old.st_mode)) {
    // A folder came in the meantime. Exchanging again puts it back.
    static_cast<void>(rename_with(temporary_, path_, RENAME_EXCHANGE));
    return fail(Code::kInvalidArgument, "{}: exists and is not a regular file", shown_);
  }
  state_ = State::kExchanged;
  return {};
}

Status OutputFile::settle() {
  if (state_ == State::kExchanged) ::unlink(temporary_.c_str());
  state_ = State::kSettled;
  discard();
  if (syncs_folder_ && !sync_folder(folder_of(path_))) {
    return fail(Code::kIo, "{}: was written, but its folder cannot be flushed to disk: {}", shown_,
                std::strerror(errno));
  }
  return {};
}

bool OutputFile::take_back() noexcept {
  if (state_ == State::kPlacedNew) return ::unlink(path_.c_str()) == 0;
  if (state_ != State::kExchanged) return false;
  if (rename_with(temporary_, path_, RENAME_EXCHANGE) != 0) return false;
  state_ = State::kWriting;
  return true;
}

Status commit_together(const std::vector<PendingOutput*>& outputs) {
  for (PendingOutput* output : outputs) TIDELINE_RETURN_IF_ERROR(output->finish());
  const auto undo = outputs.size() > 1 ? PendingOutput::Undo::kYes : PendingOutput::Undo::kNo;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Status placed = outputs[i]->place(undo);
    if (placed) continue;
    std::string standing;
    while (i > 0) {
      PendingOutput& earlier = *outputs[--i];
      if (!earlier.take_back()) standing += (standing.empty() ? "" : ", ") + earlier.path();
    }
    if (!standing.empty()) {
      placed.error().message += "; already written: " + standing;
    } else if (outputs.size() > 1) {
      placed.error().message += "; the other outputs are as they were";
    }
    return placed;
  }
  Status settled;
  for (PendingOutput* output : outputs) {
    Status status = output->settle();
    if (settled) settled = std::move(status);
  }
  return settled;
}

Status write_file(const std::string& path, std::string_view content, bool replace,
                  const Readers& readers) {
  TIDELINE_TRY(OutputFile file, OutputFile::create(path, replace, readers));
  TIDELINE_RETURN_IF_ERROR(file.append(content));
  return file.commit();
}

}  // namespace tideline
