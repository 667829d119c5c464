// Tested by unit/engine/read_cluster_test.cc.
#include "app/engine/read_cluster.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/engine/json_object.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/graph/device_name.h"

namespace tideline::app {
namespace {

using ClusterJson = nlohmann::json;

constexpr std::int32_t kMostTasks = 100000;
constexpr std::size_t kShownKey = 100;

tl::unexpected<Error> wrong_entry(const std::string& key, const std::string& found,
                                  std::string_view expected) {
  return fail(Code::kCorrupt, "'{}' is {}; expected {}", printable(key, kShownKey), found,
              expected);
}

// TensorFlow's rule for the names of jobs.
bool is_job(const std::string& name) {
  const auto parsed = parse_device("/job:" + name);
  return parsed && parsed->job == name;
}

Status add_task(const std::string& job, std::int32_t index, const ClusterJson& address,
                Cluster& cluster) {
  const std::string key = fmt::format("{}.{}", job, index);
  const std::string expected = "an address such as \"10.0.0.7:2222\"";
  if (!address.is_string()) return wrong_entry(key, shown_json(address), expected);
  const auto text = address.get<std::string>();
  const std::size_t colon = text.rfind(':');
  const auto port =
      colon == std::string::npos ? std::nullopt : parse_as<std::int64_t>(text.substr(colon + 1));
  constexpr std::int64_t kMostPort = 65535;
  if (!port || colon == 0 || *port < 1 || *port > kMostPort) {
    return wrong_entry(key, shown_json(address), expected);
  }
  for (const ClusterTask& other : cluster.tasks) {
    if (other.address != text) continue;
    return wrong_entry(key, fmt::format("{}, as that of {}", shown_json(address), task_text(other)),
                       "an address of its own for each task");
  }
  cluster.tasks.push_back({job, index, text});
  return {};
}

Status add_job(const std::string& job, const ClusterJson& tasks, Cluster& cluster) {
  if (!is_job(job)) {
    return wrong_entry(job, "no name of a job", "letters, digits and underscores");
  }
  if (tasks.is_array()) {
    std::int32_t index = 0;
    for (const ClusterJson& address : tasks) {
      TIDELINE_RETURN_IF_ERROR(add_task(job, index++, address, cluster));
    }
    return {};
  }
  if (!tasks.is_object()) {
    return wrong_entry(job, shown_json(tasks), "a list of addresses, or an object of indices");
  }
  for (const auto& entry : tasks.items()) {
    const auto index = parse_as<std::int32_t>(entry.key());
    if (!index || *index < 0 || *index > kMostTasks) {
      return wrong_entry(job, fmt::format("given for '{}'", printable(entry.key(), kShownKey)),
                         "the index of a task");
    }
    TIDELINE_RETURN_IF_ERROR(add_task(job, *index, entry.value(), cluster));
  }
  return {};
}

Result<std::vector<std::string>> read_devices(const std::string& key, const ClusterJson& list) {
  const std::string whole = "devices." + key;
  if (!list.is_array() || list.empty()) {
    return wrong_entry(whole, shown_json(list), "a list such as [\"CPU:0\", \"GPU:0\"]");
  }
  std::vector<std::string> devices;
  for (const ClusterJson& entry : list) {
    const std::string text = entry.is_string() ? entry.get<std::string>() : std::string();
    const auto name = parse_device("/device:" + text);
    if (!name || name->index.empty() || name->index == "*") {
      return wrong_entry(whole, fmt::format("a list with {}", shown_json(entry)),
                         "devices such as \"CPU:0\" and \"GPU:0\"");
    }
    devices.push_back(fmt::format("{}:{}", name->type, name->index));
  }
  return devices;
}

// "worker" for all of its tasks, or "worker:1" for one.
Status add_devices(const std::string& key, const ClusterJson& list, Cluster& cluster) {
  TIDELINE_TRY(const std::vector<std::string> devices, read_devices(key, list));
  const std::size_t colon = key.find(':');
  const auto index =
      colon == std::string::npos ? std::nullopt : parse_as<std::int32_t>(key.substr(colon + 1));
  bool is_there = false;
  for (ClusterTask& task : cluster.tasks) {
    if (task.job != key.substr(0, colon)) continue;
    if (colon != std::string::npos && task.index != index) continue;
    task.devices = devices;
    is_there = true;
  }
  if (is_there) return {};
  return wrong_entry("devices." + key, "neither a job nor a task of the cluster",
                     "a job such as \"worker\", or one of its tasks, \"worker:0\"");
}

Result<Cluster> parse_cluster(std::string_view text) {
  TIDELINE_TRY(const ClusterJson json, parse_json_object(text, "cluster"));
  const auto inner = json.find("cluster");
  const ClusterJson& jobs = inner == json.end() ? json : *inner;
  if (!jobs.is_object()) return wrong_entry("cluster", shown_json(jobs), "an object of jobs");
  Cluster cluster;
  for (const auto& entry : jobs.items()) {
    TIDELINE_RETURN_IF_ERROR(add_job(entry.key(), entry.value(), cluster));
  }
  if (cluster.tasks.empty()) {
    return fail(Code::kCorrupt, "no tasks; expected jobs such as {}",
                R"({"worker": ["10.0.0.7:2222"]})");
  }
  std::sort(cluster.tasks.begin(), cluster.tasks.end(),
            [](const ClusterTask& one, const ClusterTask& other) {
              return std::tie(one.job, one.index) < std::tie(other.job, other.index);
            });
  const auto devices = json.find("devices");
  if (inner == json.end() || devices == json.end()) return cluster;
  if (!devices->is_object()) {
    return wrong_entry("devices", shown_json(*devices), "an object of jobs and tasks");
  }
  // Those of a job first: what a single task has is said of it alone.
  for (const bool of_task : {false, true}) {
    for (const auto& entry : devices->items()) {
      if ((entry.key().find(':') != std::string::npos) != of_task) continue;
      TIDELINE_RETURN_IF_ERROR(add_devices(entry.key(), entry.value(), cluster));
    }
  }
  return cluster;
}

}  // namespace

Result<Cluster> read_cluster(const std::string& path, Pipes pipes) {
  if (path == kFromEnvironment) {
    const char* text = std::getenv("TF_CONFIG");
    if (text == nullptr || *text == '\0') {
      return fail(Code::kNotFound,
                  "--cluster: the environment has no TF_CONFIG; expected it to "
                  "be set, or a file");
    }
    auto cluster = parse_cluster(text);
    if (!cluster) return tl::unexpected(with_context(std::move(cluster).error(), "TF_CONFIG"));
    return cluster;
  }
  TIDELINE_TRY(const auto bytes, open_bytes(path, pipes));
  auto cluster = parse_cluster(bytes->bytes());
  if (!cluster) return tl::unexpected(with_context(std::move(cluster).error(), path));
  return cluster;
}

}  // namespace tideline::app
