#include "core/graph/cluster.h"

#include <catch2/catch.hpp>

namespace tideline {
namespace {

Cluster three_tasks() {
  return {{{"ps", 0, "a:1"},
           {"worker", 0, "b:1", {"CPU:0", "GPU:0", "GPU:1"}},
           {"worker", 1, "c:1", {"CPU:0"}}}};
}

std::string refusal(const std::string& device) {
  const Status status = check_device(three_tasks(), device, "{devices}");
  return status ? std::string() : status.error().message;
}

TEST_CASE("A device of a cluster is there, or the answer lists what is", "[cluster]") {
  CHECK(refusal("/job:worker/task:0/device:GPU:1").empty());
  CHECK(refusal("/job:worker/task:0/gpu:1").empty());
  // Nothing is known about the devices of this task.
  CHECK(refusal("/job:ps/task:0/device:GPU:3").empty());
  CHECK(refusal("/job:worker/task:1/device:GPU:0") ==
        "{devices}: '/job:worker/task:1/device:GPU:0' is not there: /job:worker/task:1 has CPU:0");
  CHECK(refusal("/job:worker/task:2/cpu:0") ==
        "{devices}: '/job:worker/task:2/cpu:0' is on no task of the cluster, which has "
        "/job:ps/task:0, /job:worker/task:0, /job:worker/task:1");
  CHECK(refusal("/job:worker/task:999999999999/cpu:0").find("expected") != std::string::npos);
  CHECK(refusal("/device:GPU:0") ==
        "{devices}: '/device:GPU:0' names no task of the cluster; expected a device of one of "
        "/job:ps/task:0, /job:worker/task:0, /job:worker/task:1");
}

TEST_CASE("Towers are on the GPUs of workers, or on their CPUs; variables on the tasks of ps",
          "[cluster]") {
  Cluster cluster = three_tasks();
  CHECK(tower_devices(cluster).value() ==
        std::vector<std::string>{"/job:worker/task:0/device:GPU:0",
                                 "/job:worker/task:0/device:GPU:1",
                                 "/job:worker/task:1/device:CPU:0"});
  CHECK(ps_devices(cluster).value() == std::vector<std::string>{"/job:ps/task:0/device:CPU:0"});
  cluster.tasks.push_back({"chief", 0, "d:1"});
  CHECK(tower_devices(cluster).value().front() == "/job:chief/task:0/device:CPU:0");
  const Cluster alone{{{"evaluator", 0, "e:1"}}};
  CHECK(tower_devices(alone).error().message ==
        "the cluster has no job chief, master or worker for the towers; its jobs are evaluator");
  CHECK(ps_devices(alone).error().message.find("no job ps") != std::string::npos);
}

TEST_CASE("A list of many tasks is cut", "[cluster]") {
  Cluster cluster;
  for (int i = 0; i < 25; ++i) cluster.tasks.push_back({"worker", i, std::to_string(i) + ":1"});
  const std::string message = check_device(cluster, "/cpu:0", "{devices}").error().message;
  CHECK(message.ends_with("/job:worker/task:19 and 5 more"));
}

}  // namespace
}  // namespace tideline
