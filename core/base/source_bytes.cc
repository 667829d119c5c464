// Tested by tests/unit/base/source_bytes_test.cc and tests/golden/files/inputs_test.py.
#include "core/base/source_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/input_file.h"
#include "core/base/units.h"

namespace tideline {
namespace {

// Anonymous pages, which unlike a string need not be zeroed first.
class Pages final : public SourceBytes {
 public:
  Pages(char* address, std::size_t size) : address_(address), size_(size) {}
  ~Pages() override { ::munmap(address_, size_); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  void fill(const InputFile& file) {
    bytes_ = {address_, size_};
    readers_ = file.readers();
  }

 private:
  char* address_;
  std::size_t size_;
};

class OwnedBytes final : public SourceBytes {
 public:
  OwnedBytes(std::string content, const Readers& readers) : content_(std::move(content)) {
    bytes_ = content_;
    readers_ = readers;
  }

 private:
  std::string content_;
};

Result<SharedBytes> read_file(const std::string& path) {
  TIDELINE_TRY(InputFile file, InputFile::open(path));
  if (file.size() == 0) return own_bytes({}, file.readers());
  void* address =
      ::mmap(nullptr, file.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) {
    return fail(Code::kIo, "{}: cannot be held in memory: {}: {}", path,
                format_bytes(Bytes{static_cast<std::int64_t>(file.size())}), std::strerror(errno));
  }
  auto pages = std::make_shared<Pages>(static_cast<char*>(address), file.size());
  TIDELINE_TRY(const std::size_t got, file.read(static_cast<char*>(address), file.size()));
  if (got < file.size()) return changed_while_read(path);
  pages->fill(file);
  TIDELINE_RETURN_IF_ERROR(file.check_unchanged());
  return pages;
}

Result<SharedBytes> read_to_end(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (file.value() < 0) {
    if (errno == EINTR) return fail(Code::kCancelled, "interrupted");
    return fail(Code::kIo, "{}: cannot open: {}", path, std::strerror(errno));
  }
  std::string content;
  std::array<char, 1 << 16> buffer{};
  while (true) {
    const ssize_t got = ::read(file.value(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) return fail(Code::kCancelled, "interrupted");
    if (got < 0) return fail(Code::kIo, "{}: cannot read: {}", path, std::strerror(errno));
    if (got == 0) return own_bytes(std::move(content));
    content.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

// A pipe or a terminal; other devices may have no end.
bool ends_some_day(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return false;
  if (S_ISFIFO(status.st_mode)) return true;
  if (!S_ISCHR(status.st_mode)) return false;
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  return file.value() >= 0 && ::isatty(file.value()) == 1;
}

}  // namespace

SharedBytes own_bytes(std::string content, const Readers& readers) {
  return std::make_shared<OwnedBytes>(std::move(content), readers);
}

Result<SharedBytes> open_bytes(const std::string& path, Pipes pipes) {
  if (pipes == Pipes::kRead && ends_some_day(path)) return read_to_end(path);
  return read_file(path);
}

}  // namespace tideline
