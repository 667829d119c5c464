#include "core/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "core/base/descriptor.h"

namespace tideline {
namespace {

class Mapping final : public SourceBytes {
 public:
  // `used` of the `size` bytes that are mapped are the content.
  Mapping(void* address, std::size_t size, std::size_t used) : address_(address), size_(size) {
    bytes_ = {static_cast<const char*>(address), used};
  }
  ~Mapping() override { ::munmap(address_, size_); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

 private:
  void* address_;
  std::size_t size_;
};

class OwnedBytes final : public SourceBytes {
 public:
  explicit OwnedBytes(std::string content) : content_(std::move(content)) { bytes_ = content_; }

 private:
  std::string content_;
};

class Slice final : public SourceBytes {
 public:
  Slice(SharedBytes whole, std::string_view part) : whole_(std::move(whole)) { bytes_ = part; }

 private:
  SharedBytes whole_;
};

Result<SharedBytes> read_whole(const std::string& path, int fd) {
  std::string content;
  std::array<char, 1 << 16> buffer{};
  while (true) {
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) return fail(Code::kCancelled, "interrupted");
    if (got < 0) return fail(Code::kIo, "{}: cannot read: {}", path, std::strerror(errno));
    if (got == 0) return own_bytes(std::move(content));
    content.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

// A copy of the file in anonymous pages, which unlike a string need not be zeroed first.
Result<SharedBytes> copy_whole(const std::string& path, int fd, std::size_t size) {
  void* address = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) return read_whole(path, fd);
  std::size_t used = 0;
  while (used < size) {
    const ssize_t got = ::read(fd, static_cast<char*>(address) + used, size - used);
    if (got == 0) break;  // it was truncated after fstat
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const int reason = errno;
      ::munmap(address, size);
      return fail(Code::kIo, "{}: cannot read: {}", path, std::strerror(reason));
    }
    used += static_cast<std::size_t>(got);
  }
  return std::make_shared<Mapping>(address, size, used);
}

}  // namespace

SharedBytes own_bytes(std::string content) {
  return std::make_shared<OwnedBytes>(std::move(content));
}

SharedBytes slice_bytes(SharedBytes whole, std::string_view part) {
  return std::make_shared<Slice>(std::move(whole), part);
}

Result<SharedBytes> open_bytes(const std::string& path, Hold hold) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.value() < 0) {
    if (errno == EINTR) return fail(Code::kCancelled, "interrupted");
    return fail(errno == ENOENT ? Code::kNotFound : Code::kIo, "{}: cannot open: {}", path,
                std::strerror(errno));
  }
  struct stat status {};
  if (::fstat(file.value(), &status) != 0) {
    return fail(Code::kIo, "{}: cannot stat: {}", path, std::strerror(errno));
  }
  if (S_ISDIR(status.st_mode)) {
    return fail(Code::kInvalidArgument, "{}: is a folder; expected a graph file", path);
  }
  if (!S_ISREG(status.st_mode)) return read_whole(path, file.value());
  if (status.st_size == 0) return own_bytes({});
  const auto size = static_cast<std::size_t>(status.st_size);
  if (hold == Hold::kCopy && size <= kMostCopied) return copy_whole(path, file.value(), size);
  // Populating at once costs one walk of the page tables instead of a fault for every 16 pages.
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file.value(), 0);
  if (address == MAP_FAILED) return read_whole(path, file.value());
  return std::make_shared<Mapping>(address, size, size);
}

}  // namespace tideline
