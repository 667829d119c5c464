// Problem: writing a gigabyte the ordinary way copies it into the page cache first, and the flush
//   then waits for the whole of it. A direct write moves memory to the device, but demands that
//   offsets, addresses and lengths are multiples of the device's blocks.
// Idea: tensors lie at 64 modulo 4096 or so in memory. A checkpoint may have gaps, so each large
//   tensor gets an offset that equals its address modulo 4096. Its inner blocks are written from
//   where they are; the pieces at its two ends are collected, with whatever lies next to them in
//   the file, in a buffer of whole blocks. The last block is filled with zeros and cut off
//   afterwards.
// Tested by: unit/checkpoint/file_backend_test.cc.
#include "core/checkpoint/direct_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "core/base/check.h"
#include "core/base/sync.h"
#include "core/base/temporaries.h"

namespace tideline::checkpoint {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{4} << 20U;
constexpr std::size_t kDirectWriteBytes = std::size_t{16} << 20U;

tl::unexpected<Error> cannot_write(const std::string& path) {
  return fail(Code::kIo, "{}: cannot write: {}", path, std::strerror(errno));
}

bool set_direct(int fd, bool wanted) {
  const int flags = ::fcntl(fd, F_GETFL);
  return flags >= 0 && ::fcntl(fd, F_SETFL, wanted ? flags | O_DIRECT : flags & ~O_DIRECT) == 0;
}

}  // namespace

void DirectFile::Free::operator()(char* memory) const {
  std::free(memory);  // NOLINT(cppcoreguidelines-no-malloc): of aligned_alloc
}

DirectFile::DirectFile(std::string path, std::string temporary, int fd)
    : path_(std::move(path)), temporary_(std::move(temporary)), fd_(fd) {}

DirectFile::DirectFile(DirectFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::exchange(other.fd_, -1)),
      is_direct_(other.is_direct_),
      offset_(other.offset_),
      written_(other.written_),
      blocks_(std::move(other.blocks_)) {}

DirectFile::~DirectFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  if (fd_ >= 0) ::close(fd_);
}

Result<DirectFile> DirectFile::create(const std::string& path, std::size_t bytes,
                                      const Readers& readers) {
  remove_abandoned(folder_of(path));
  std::string temporary = temporary_pattern(path);
  const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return cannot_write(path);
  DirectFile file(path, std::move(temporary), fd);
  mark_in_use(fd);
  struct stat made {};
  ::fstat(fd, &made);
  ::fchmod(fd, no_wider(new_file_mode(0666), made.st_gid, readers));
  const std::size_t whole = (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
  // Some file systems cannot reserve space; a full disk is an error now and not later.
  if (whole > 0 && ::fallocate(fd, 0, 0, static_cast<off_t>(whole)) != 0 &&
      (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) {
    return cannot_write(path);
  }
  file.is_direct_ = set_direct(fd, true);
  file.blocks_.reset(static_cast<char*>(std::aligned_alloc(kBlockBytes, kBufferBytes)));
  if (!file.blocks_) return fail(Code::kIo, "{}: out of memory", path);
  return file;
}

Status DirectFile::write_at(const char* from, std::size_t size) {
  while (size > 0) {
    const ssize_t wrote =
        ::pwrite(fd_, from, std::min(size, kDirectWriteBytes), static_cast<off_t>(written_));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0 && errno == EINVAL && is_direct_ && set_direct(fd_, false)) {
      is_direct_ = false;
      continue;
    }
    if (wrote < 0) return cannot_write(path_);
    // After a short write the rest may not be whole blocks any more.
    if (static_cast<std::size_t>(wrote) % kBlockBytes != 0 && is_direct_ &&
        set_direct(fd_, false)) {
      is_direct_ = false;
    }
    from += wrote;
    size -= static_cast<std::size_t>(wrote);
    written_ += static_cast<std::size_t>(wrote);
  }
  return {};
}

Status DirectFile::flush_blocks() {
  return write_at(blocks_.get(), offset_ - written_);
}

Status DirectFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t used = offset_ - written_;
    const std::size_t size = std::min(bytes.size(), kBufferBytes - used);
    std::memcpy(blocks_.get() + used, bytes.data(), size);
    offset_ += size;
    bytes.remove_prefix(size);
    if (offset_ - written_ == kBufferBytes) TIDELINE_RETURN_IF_ERROR(flush_blocks());
  }
  return {};
}

Status DirectFile::pad(std::size_t offset) {
  TIDELINE_CHECK(offset >= offset_);
  static constexpr std::string_view kZeros("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
  while (offset_ < offset) {
    TIDELINE_RETURN_IF_ERROR(write(kZeros.substr(0, std::min(offset - offset_, kZeros.size()))));
  }
  return {};
}

Status DirectFile::write_in_place(std::string_view bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
  TIDELINE_CHECK(address % kBlockBytes == offset_ % kBlockBytes);
  const std::size_t head =
      std::min(bytes.size(), (kBlockBytes - offset_ % kBlockBytes) % kBlockBytes);
  TIDELINE_RETURN_IF_ERROR(write(bytes.substr(0, head)));
  bytes.remove_prefix(head);
  const std::size_t whole = bytes.size() / kBlockBytes * kBlockBytes;
  if (whole > 0) {
    TIDELINE_RETURN_IF_ERROR(flush_blocks());
    TIDELINE_RETURN_IF_ERROR(write_at(bytes.data(), whole));
    offset_ += whole;
    bytes.remove_prefix(whole);
  }
  return write(bytes);
}

Status DirectFile::finish() {
  const std::size_t size = offset_;
  TIDELINE_RETURN_IF_ERROR(pad((size + kBlockBytes - 1) / kBlockBytes * kBlockBytes));
  TIDELINE_RETURN_IF_ERROR(flush_blocks());
  if (::ftruncate(fd_, static_cast<off_t>(size)) != 0 || !sync_file(fd_)) {
    return cannot_write(path_);
  }
  return {};
}

}  // namespace tideline::checkpoint
