// Tested by unit/checkpoint/folder_lock_test.cc and golden/files/writers_test.py.
#include "core/checkpoint/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <ctime>
#include <fstream>

#include "core/base/text.h"

namespace tideline::checkpoint {
namespace {

constexpr long kWaitNs = 50'000'000;
constexpr int kSilentWaits = 10;
constexpr int kWaitsPerLook = 20;

bool try_lock(int folder) {
  while (::flock(folder, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EINTR) return errno != EWOULDBLOCK;  // where there are no locks, nobody holds one
  }
  return true;
}

void wait_a_moment() {
  const timespec moment = {0, kWaitNs};
  ::nanosleep(&moment, nullptr);
}

// "process 12 (python3)"; the kernel lists "1: FLOCK  ADVISORY  WRITE 12 fe:00:131 0 EOF".
std::string holder_of(int folder) {
  struct stat status {};
  if (::fstat(folder, &status) != 0) return "another process";
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    int process = 0;
    unsigned major = 0;
    unsigned minor = 0;
    std::uintmax_t inode = 0;
    if (std::sscanf(line.c_str(), "%*s FLOCK %*s %*s %d %x:%x:%" SCNuMAX, &process, &major, &minor,
                    &inode) != 4) {
      continue;
    }
    if (process <= 0 || inode != status.st_ino || major != gnu_dev_major(status.st_dev) ||
        minor != gnu_dev_minor(status.st_dev)) {
      continue;
    }
    std::ifstream command(fmt::format("/proc/{}/comm", process));
    std::string name;
    std::getline(command, name);
    return name.empty() ? fmt::format("process {}", process)
                        : fmt::format("process {} ({})", process, printable(name));
  }
  return "another process";
}

}  // namespace

FolderLock::FolderLock(const std::string& folder)
    : folder_(std::make_unique<const Descriptor>(
          ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))) {}

FolderLock::~FolderLock() {
  // A process that was forked meanwhile has the descriptor, too: closing alone would not do.
  if (folder_ && folder_->value() >= 0) ::flock(folder_->value(), LOCK_UN);
}

Result<FolderLock> FolderLock::take(const std::string& folder, Progress& progress, int most_waits) {
  FolderLock lock(folder);
  std::string holder = "another process";
  for (int waits = 0; lock.folder_->value() >= 0 && !try_lock(lock.folder_->value()); ++waits) {
    if (waits % kWaitsPerLook == kSilentWaits || waits == most_waits) {
      holder = holder_of(lock.folder_->value());
    }
    if (waits == most_waits) {
      return fail(Code::kIo,
                  "{}: {} holds the lock of this folder, and kept it for {} s; expected "
                  "a folder into which others write for a moment at a time",
                  folder, holder, static_cast<double>(most_waits) * kWaitNs / 1e9);
    }
    const std::string stage = waits < kSilentWaits
                                  ? "writing"
                                  : fmt::format("{}{}, which {} holds", kWaiting, folder, holder);
    if (!progress.report(stage, waits, most_waits)) return cancelled();
    wait_a_moment();
  }
  return lock;
}

}  // namespace tideline::checkpoint
