// Tested by unit/graph/cluster_test.cc.
#include "core/graph/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/graph/device_name.h"

namespace tideline {
namespace {

constexpr std::size_t kMostListed = 20;

std::string listed(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), kMostListed);
  std::string text = fmt::format("{}", fmt::join(std::span(names).first(shown), ", "));
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string tasks_listed(const Cluster& cluster) {
  std::vector<std::string> names;
  for (const ClusterTask& task : cluster.tasks) names.push_back(task_text(task));
  return listed(names);
}

std::string jobs_listed(const Cluster& cluster) {
  std::vector<std::string> names;
  for (const ClusterTask& task : cluster.tasks) {
    if (names.empty() || names.back() != task.job) names.push_back(task.job);
  }
  return listed(names);
}

}  // namespace

const ClusterTask* Cluster::find(std::string_view job, std::int32_t index) const {
  const auto found = std::find_if(tasks.begin(), tasks.end(), [&](const ClusterTask& task) {
    return task.job == job && task.index == index;
  });
  return found == tasks.end() ? nullptr : &*found;
}

std::vector<const ClusterTask*> Cluster::of_job(std::string_view job) const {
  std::vector<const ClusterTask*> found;
  for (const ClusterTask& task : tasks) {
    if (task.job == job) found.push_back(&task);
  }
  return found;
}

std::string task_text(const ClusterTask& task) {
  return fmt::format("/job:{}/task:{}", task.job, task.index);
}

std::string device_of_task(const ClusterTask& task, std::string_view device) {
  return fmt::format("{}/device:{}", task_text(task), device);
}

Status check_device(const Cluster& cluster, const std::string& device, std::string_view option) {
  const auto name = parse_device(device);
  if (!name || name->job.empty() || name->task.empty()) {
    return fail(Code::kInvalidArgument,
                "{}: '{}' names no task of the cluster; expected a device of one of {}", option,
                printable(device), tasks_listed(cluster));
  }
  const auto index = parse_as<std::int32_t>(name->task);
  const ClusterTask* task = index ? cluster.find(name->job, *index) : nullptr;
  if (task == nullptr) {
    return fail(Code::kNotFound, "{}: '{}' is on no task of the cluster, which has {}", option,
                printable(device), tasks_listed(cluster));
  }
  const std::string local = fmt::format("{}:{}", name->type, name->index);
  const auto& devices = task->devices;
  if (devices.empty() || std::find(devices.begin(), devices.end(), local) != devices.end()) {
    return {};
  }
  return fail(Code::kNotFound, "{}: '{}' is not there: {} has {}", option, printable(device),
              task_text(*task), listed(devices));
}

const ClusterTask& main_task(const Cluster& cluster) {
  for (const char* job : {"chief", "master", "worker"}) {
    const auto tasks = cluster.of_job(job);
    if (!tasks.empty()) return *tasks.front();
  }
  return cluster.tasks.front();
}

Result<std::vector<std::string>> tower_devices(const Cluster& cluster) {
  std::vector<std::string> devices;
  for (const char* job : {"chief", "master", "worker"}) {
    for (const ClusterTask* task : cluster.of_job(job)) {
      const std::size_t before = devices.size();
      for (const std::string& device : task->devices) {
        if (device.starts_with("GPU:")) devices.push_back(device_of_task(*task, device));
      }
      if (devices.size() == before) devices.push_back(device_of_task(*task, "CPU:0"));
    }
  }
  if (!devices.empty()) return devices;
  return fail(Code::kNotFound,
              "the cluster has no job chief, master or worker for the towers; its jobs are {}",
              jobs_listed(cluster));
}

Result<std::vector<std::string>> ps_devices(const Cluster& cluster) {
  std::vector<std::string> devices;
  for (const ClusterTask* task : cluster.of_job("ps")) {
    devices.push_back(device_of_task(*task, "CPU:0"));
  }
  if (!devices.empty()) return devices;
  return fail(Code::kNotFound,
              "the cluster has no job ps on which variables could be spread; its jobs are {}",
              jobs_listed(cluster));
}

}  // namespace tideline
