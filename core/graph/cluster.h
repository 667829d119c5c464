// The tasks of a cluster of TensorFlow, and their devices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tideline {

/// A process of a cluster.
struct ClusterTask {
  std::string job;                     ///< "worker"
  std::int32_t index = 0;              ///< in its job
  std::string address;                 ///< "10.0.0.7:2222"
  std::vector<std::string> devices{};  ///< "CPU:0", "GPU:0"; empty: not known

  friend bool operator==(const ClusterTask&, const ClusterTask&) = default;
};

/// Invariant of what read_cluster gives: sorted by job, then index; no job and index twice.
struct Cluster {
  std::vector<ClusterTask> tasks;

  /// Null when there is no such task.
  [[nodiscard]] const ClusterTask* find(std::string_view job, std::int32_t index) const;
  /// In the order of their indices.
  [[nodiscard]] std::vector<const ClusterTask*> of_job(std::string_view job) const;
};

/// "/job:worker/task:0".
[[nodiscard]] std::string task_text(const ClusterTask& task);
/// "/job:worker/task:0/device:GPU:1", of "GPU:1".
[[nodiscard]] std::string device_of_task(const ClusterTask& task, std::string_view device);

/// Whether `device`, the value of `option`, is one of `cluster`. It must name a job and a task; any
/// device counts as there on a task whose devices are not known. Errors: kNotFound, naming those
/// that are there; kInvalidArgument for a text without a job or a task.
[[nodiscard]] Status check_device(const Cluster& cluster, const std::string& device,
                                  std::string_view option);

/// The task whose server a session on `cluster` is opened on: the first of the jobs chief, master
/// and worker, in this order, else the first of all. Precondition: there are tasks.
[[nodiscard]] const ClusterTask& main_task(const Cluster& cluster);

/// A device for each tower, where the user names none: of the tasks of the jobs `chief`, `master`
/// and `worker`, in this order, every GPU, or the first CPU where no GPU is known. Errors:
/// kNotFound when there is no such job, naming the jobs.
[[nodiscard]] Result<std::vector<std::string>> tower_devices(const Cluster& cluster);

/// The first CPU of every task of the job `ps`, on which variables are spread. Errors: as above.
[[nodiscard]] Result<std::vector<std::string>> ps_devices(const Cluster& cluster);

}  // namespace tideline
