// A task of a cluster: what TensorFlow is told to be one, and whether one answers.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/graph/cluster.h"
#include "core/runtime/session_config.h"
#include "core/runtime/worker.h"

namespace tideline::runtime {

/// An encoded ServerDef: `task` of `cluster`, whose sessions are as `options` says unless they say
/// otherwise themselves.
[[nodiscard]] std::string server_def(const Cluster& cluster, const ClusterTask& task,
                                     const SessionOptions& options);

/// "grpc://HOST:PORT".
[[nodiscard]] std::string target_of(const ClusterTask& task);
/// The port of its address; 0 when there is none.
[[nodiscard]] std::int32_t port_of(const ClusterTask& task);

/// What a server says of itself.
struct TaskAnswer {
  bool answers = false;
  std::string why = {};                    ///< it does not, on one line
  std::vector<WorkerDevice> devices = {};  ///< of this task
};
/// Opens a session on `task` alone, with TensorFlow's `library` in a process of its own, and closes
/// it. A server that hangs does not answer; that is known after `limit_s`. Errors: kIo for a worker
/// that cannot be started, kCancelled.
[[nodiscard]] Result<TaskAnswer> ask_task(const ClusterTask& task, const std::string& library,
                                          double limit_s, Progress& progress);

/// "/job:ps/task:0 at 127.0.0.1:2222 does not answer (connection refused)" for every task that does
/// not, joined with "; "; empty when all do. Errors: as ask_task. Cost: that of ask_task for each.
[[nodiscard]] Result<std::string> silent_tasks(const Cluster& cluster, const std::string& library,
                                               Progress& progress);

}  // namespace tideline::runtime
