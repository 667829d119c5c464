// A lock is a Unix socket that listens under an abstract name, made of the user and the address of
// the task: the kernel removes it with the process, and tells who connects which process it is.
// Tested by unit/runtime/cluster_servers_test.cc.
#include "core/runtime/task_lock.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace tideline::runtime {
namespace {

struct LockName {
  sockaddr_un address{};
  socklen_t size = 0;
};

LockName name_of(const ClusterTask& task) {
  LockName name;
  name.address.sun_family = AF_UNIX;
  std::string text = fmt::format("tideline.task.{}.{}", ::getuid(), task.address);
  // The first byte stays 0, which makes the name an abstract one.
  text.resize(std::min(text.size(), sizeof name.address.sun_path - 1));
  std::memcpy(name.address.sun_path + 1, text.data(), text.size());
  name.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  return name;
}

const sockaddr* generic(const LockName& name) {
  return reinterpret_cast<const sockaddr*>(&name.address);
}

}  // namespace

TaskLock::TaskLock(TaskLock&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}

TaskLock::~TaskLock() {
  if (socket_ >= 0) ::close(socket_);
}

Result<TaskLock> TaskLock::take(const ClusterTask& task) {
  TaskLock lock(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const LockName name = name_of(task);
  constexpr int kWaiting = 64;
  if (lock.socket_ >= 0 && ::bind(lock.socket_, generic(name), name.size) == 0 &&
      ::listen(lock.socket_, kWaiting) == 0) {
    return lock;
  }
  const int error = errno;
  if (const auto process = holder(task)) {
    return fail(Code::kInvalidArgument, "{} at {} is served already, by process {}",
                task_text(task), task.address, *process);
  }
  return fail(Code::kIo, "{} at {}: {}", task_text(task), task.address, std::strerror(error));
}

std::optional<pid_t> TaskLock::holder(const ClusterTask& task) {
  const TaskLock asked(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const LockName name = name_of(task);
  if (asked.socket_ < 0 || ::connect(asked.socket_, generic(name), name.size) != 0) {
    return std::nullopt;
  }
  ucred who{};
  socklen_t size = sizeof who;
  if (::getsockopt(asked.socket_, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0 ||
      who.uid != ::getuid()) {
    return std::nullopt;
  }
  return who.pid;
}

}  // namespace tideline::runtime
