// Servers of TensorFlow for tasks of a cluster, each in a process of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/graph/cluster.h"
#include "core/runtime/task_lock.h"
#include "core/runtime/worker.h"

namespace tideline::runtime {

struct ServerOptions {
  std::string library;                     ///< of TensorFlow
  std::string bind = "127.0.0.1";          ///< IPv4 address (is_ipv4); "0.0.0.0": all
  std::int32_t threads = 1;                ///< of each session; 0: as many as TensorFlow likes
  std::int32_t cpu_devices = 1;            ///< of each task
  std::optional<Bytes> memory_limit = {};  ///< address space of each
};

/// A server that has ended.
struct EndedTask {
  ClusterTask task;
  std::string last_words;  ///< on one line; may be empty
};

/// The servers end with this object, or with the process that made it, however that ends. Thread:
/// only the one that starts them.
class ClusterServers {
 public:
  /// Starts one more. Errors: those of TaskLock::take and Worker; kInvalidArgument with
  /// TensorFlow's message, naming the task.
  [[nodiscard]] Status start(const Cluster& cluster, const ClusterTask& task,
                             const ServerOptions& options, Progress& progress);

  struct Server {
    ClusterTask task;
    TaskLock lock;
    Worker worker;
    std::string version;  ///< of TensorFlow
  };
  [[nodiscard]] const std::vector<Server>& running() const { return servers_; }
  /// Those that have ended since the last call; they are not running any more.
  [[nodiscard]] std::vector<EndedTask> ended();

 private:
  std::vector<Server> servers_;
};

/// Whether `text` is an IPv4 address, "10.0.0.7".
[[nodiscard]] bool is_ipv4(std::string_view text);
/// Whether `host`, a part of an address, is this machine for itself alone: "localhost" or
/// 127.0.0.0/8.
[[nodiscard]] bool is_loopback(std::string_view host);

}  // namespace tideline::runtime
