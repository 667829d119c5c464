// Who runs the server of a task on this machine: one program at a time, which can be told to end.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/graph/cluster.h"

namespace tideline::runtime {

/// Held by the program that has started the server of a task, until it ends for whatever reason: it
/// leaves no file behind. Of users, each has locks of their own.
class TaskLock {
 public:
  /// Errors: kInvalidArgument naming the process that holds it; kIo.
  [[nodiscard]] static Result<TaskLock> take(const ClusterTask& task);
  /// The process that holds the lock of `task`; nullopt when there is none.
  [[nodiscard]] static std::optional<pid_t> holder(const ClusterTask& task);

  TaskLock(TaskLock&& other) noexcept;
  TaskLock& operator=(TaskLock&&) = delete;
  TaskLock(const TaskLock&) = delete;
  TaskLock& operator=(const TaskLock&) = delete;
  ~TaskLock();

 private:
  explicit TaskLock(int socket) : socket_(socket) {}
  int socket_;
};

}  // namespace tideline::runtime
