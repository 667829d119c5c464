// Tested by unit/web/routes_test.cc.
#include "app/web/uploads.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "app/web/gate.h"
#include "core/io/digest.h"

namespace tideline::web {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::minutes kUploadLife{10};

Status write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return fail(Code::kIo, "a file in memory: {}", std::strerror(errno));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<int> new_memory_file() {
  const int fd = ::memfd_create("tideline", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return fail(Code::kIo, "a file in memory: {}", std::strerror(errno));
  return fd;
}

std::string digest_of(int fd, std::uint64_t bytes) {
  if (bytes == 0) return io::sha256_hex("");
  const auto size = static_cast<std::size_t>(bytes);
  void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (at == MAP_FAILED) return "";
  std::string digest = io::sha256_hex({static_cast<const char*>(at), size});
  ::munmap(at, size);
  return digest;
}

}  // namespace

Upload::Upload(std::string name, int fd, AllowedPaths& paths, UploadRoom& room)
    : name_(std::move(name)),
      path_(fmt::format("/proc/self/fd/{}", fd)),
      fd_(fd),
      paths_(paths),
      room_(room) {
  paths_.grant(path_);
}

Upload::~Upload() {
  paths_.revoke(path_);
  room_.used -= bytes_;
  ::close(fd_);
}

Result<std::shared_ptr<Upload>> Upload::create(std::string name, AllowedPaths& paths,
                                               UploadRoom& room) {
  TIDELINE_TRY(const int fd, new_memory_file());
  return std::shared_ptr<Upload>(new Upload(std::move(name), fd, paths, room));
}

Status Upload::append(std::string_view bytes) {
  bytes_ += bytes.size();
  room_.used += bytes.size();
  while (room_.used > room_.most) {
    if (room_.give_up_one && room_.give_up_one()) continue;
    return fail(Code::kOverBudget, "all uploads together may have {} bytes", room_.most);
  }
  return write_all(fd_, bytes);
}

Status Upload::finish() {
  if (::fcntl(fd_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) {
    return fail(Code::kIo, "a file in memory: {}", std::strerror(errno));
  }
  sha256_ = digest_of(fd_, bytes_);
  return {};
}

void Uploads::forget_old() {
  for (auto& [id, entry] : entries_) {
    if (Clock::now() - entry.since > kUploadLife) entry.waiting.reset();
  }
  std::erase_if(entries_, [](const auto& item) { return item.second.upload.expired(); });
}

// Until at most `most` wait.
void Uploads::give_up_oldest(std::size_t most) {
  forget_old();
  while (true) {
    Entry* oldest = nullptr;
    std::size_t count = 0;
    for (auto& [id, entry] : entries_) {
      if (entry.waiting == nullptr) continue;
      ++count;
      if (oldest == nullptr || entry.since < oldest->since) oldest = &entry;
    }
    if (count <= most) return;
    oldest->waiting.reset();
  }
}

std::string Uploads::add(std::shared_ptr<Upload> upload) {
  const std::scoped_lock lock(mutex_);
  give_up_oldest(kMostWaiting - 1);
  std::string id = random_id();
  entries_[id] = {upload, upload, Clock::now()};
  return id;
}

std::shared_ptr<Upload> Uploads::find(const std::string& id) {
  const std::scoped_lock lock(mutex_);
  forget_old();
  const auto found = entries_.find(id);
  return found == entries_.end() ? nullptr : found->second.upload.lock();
}

void Uploads::note_opened(const Upload& upload) {
  const std::scoped_lock lock(mutex_);
  for (auto& [id, entry] : entries_) {
    if (entry.waiting.get() == &upload) entry.waiting.reset();
  }
}

void Uploads::take_back(std::shared_ptr<Upload> upload) {
  const std::scoped_lock lock(mutex_);
  give_up_oldest(kMostWaiting - 1);
  for (auto& [id, entry] : entries_) {
    if (entry.upload.lock() != upload) continue;
    entry.waiting = std::move(upload);
    entry.since = Clock::now();
    return;
  }
}

bool Uploads::give_up_one() {
  const std::scoped_lock lock(mutex_);
  forget_old();
  std::size_t count = 0;
  for (const auto& [id, entry] : entries_) count += entry.waiting != nullptr ? 1 : 0;
  if (count > 0) give_up_oldest(count - 1);
  return count > 0;
}

std::string Downloads::add(Download download) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(entries_,
                [](const auto& item) { return Clock::now() - item.second.since > kLife; });
  if (entries_.size() >= kMost) {
    entries_.erase(std::min_element(
        entries_.begin(), entries_.end(),
        [](const auto& a, const auto& b) { return a.second.since < b.second.since; }));
  }
  std::string ticket = random_id() + random_id();
  entries_[ticket] = {std::move(download), Clock::now()};
  return ticket;
}

std::optional<Download> Downloads::take(const std::string& ticket) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(entries_,
                [](const auto& item) { return Clock::now() - item.second.since > kLife; });
  auto found = entries_.extract(ticket);
  if (found.empty()) return std::nullopt;
  return std::move(found.mapped().download);
}

Result<std::shared_ptr<const OpenFile>> file_of(std::string_view bytes) {
  TIDELINE_TRY(const int fd, new_memory_file());
  auto file = std::make_shared<const OpenFile>(fd, bytes.size());
  TIDELINE_RETURN_IF_ERROR(write_all(fd, bytes));
  return file;
}

namespace {

constexpr std::string_view kFolderPrefix = "tideline-serve-";

// Whether `path` is still the folder that was opened.
bool is_there(const std::string& path, const Descriptor& folder) {
  struct stat opened {};
  struct stat now {};
  return ::fstat(folder.value(), &opened) == 0 && ::lstat(path.c_str(), &now) == 0 &&
         opened.st_dev == now.st_dev && opened.st_ino == now.st_ino;
}

// Whether it is one of ours without a lock: the lock of a process ends with it, however it ends.
// (The process number in the name says less: another process may have it by now.) On success it has
// our lock.
bool is_orphan(const Descriptor& folder) {
  struct stat status {};
  return ::fstat(folder.value(), &status) == 0 && status.st_uid == ::geteuid() &&
         (status.st_mode & 077U) == 0 && ::flock(folder.value(), LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

Result<std::unique_ptr<PrivateFolder>> PrivateFolder::make(const std::string& parent) {
  std::error_code error;
  const fs::path place = parent.empty() ? fs::temp_directory_path(error) : fs::path(parent);
  const auto no_folder = [&](const std::string& why) {
    return fail(Code::kIo, "no folder for temporary files can be made in $TMPDIR: {}", why);
  };
  if (error) return no_folder(error.message());
  // Before it has its lock another process may take it for an orphan.
  constexpr int kMostTries = 100;
  for (int i = 0; i < kMostTries; ++i) {
    std::string path = (place / kFolderPrefix).string() + "XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) return no_folder(std::strerror(errno));
    std::unique_ptr<PrivateFolder> made(new PrivateFolder(path));
    const int folder = made->descriptor();
    const bool is_taken =
        folder >= 0 && ::flock(folder, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (folder >= 0 && !is_taken && is_there(path, made->folder_)) return made;
  }
  return no_folder("others remove it at once");
}

PrivateFolder::PrivateFolder(std::string path)
    : path_(std::move(path)), folder_(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

void PrivateFolder::remove_orphans(const std::string& parent) {
  std::error_code error;
  const fs::path place = parent.empty() ? fs::temp_directory_path(error) : fs::path(parent);
  if (error) return;
  for (auto at = fs::directory_iterator(place, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    if (!at->path().filename().string().starts_with(kFolderPrefix)) continue;
    const std::string path = at->path().string();
    const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    std::error_code ignored;
    if (folder.value() >= 0 && is_orphan(folder) && is_there(path, folder)) {
      fs::remove_all(path, ignored);
    }
  }
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace tideline::web
