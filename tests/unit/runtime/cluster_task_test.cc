#include "core/runtime/cluster_task.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/unit/runtime/worker_fixture.h"

namespace tideline::runtime {
namespace {

TEST_CASE("A ServerDef has the cluster by job, and which task it is", "[cluster]") {
  const Cluster cluster{{{"ps", 0, "a:1"}, {"worker", 0, "b:2"}, {"worker", 2, "c:3"}}};
  const std::string config = session_config({.threads = 3});
  const std::string expected = std::string("\x0a\x2b", 2) +  // cluster
                               std::string(
                                   "\x0a\x0d\x0a\x02ps\x12\x07\x08\x00\x12\x03"  // job ps
                                   "a:1",
                                   15) +
                               std::string(
                                   "\x0a\x1a\x0a\x06worker\x12\x07\x08\x00\x12\x03"  // job worker
                                   "b:2\x12\x07\x08\x02\x12\x03"
                                   "c:3",
                                   28) +
                               std::string("\x12\x06worker\x18\x02\x22", 11) +
                               static_cast<char>(config.size()) + config +
                               std::string("\x2a\x04grpc", 6);
  CHECK(server_def(cluster, cluster.tasks[2], {.threads = 3}) == expected);
}

TEST_CASE("A session of a cluster is opened on the chief, or on the first worker", "[cluster]") {
  Cluster cluster{{{"ps", 0, "a:1"}, {"worker", 0, "b:2"}}};
  CHECK(target_of(main_task(cluster)) == "grpc://b:2");
  CHECK(port_of(main_task(cluster)) == 2);
  cluster.tasks.push_back({"chief", 0, "c:3"});
  CHECK(main_task(cluster).job == "chief");
  CHECK(main_task({{{"ps", 0, "a:1"}}}).job == "ps");
}

// Where somebody listens, though it is no server.
class Listener {
 public:
  Listener() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) == 0);
    REQUIRE(::listen(socket_, 1) == 0);
    REQUIRE(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    task.address = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }
  ~Listener() { close(); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }

  ClusterTask task{"worker", 0, ""};

 private:
  int socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
};

TEST_CASE("A task that answers names its devices", "[cluster]") {
  const Listener listener;
  Progress progress;
  const auto answer = ask_task(listener.task, worker_fixture::kLibrary, 5, progress);
  REQUIRE(answer);
  CHECK(answer->answers);
  REQUIRE(answer->devices.size() == 1);
  CHECK(answer->devices.front().name == "/job:worker/replica:0/task:0/device:CPU:0");
  CHECK(answer->devices.front().memory == 1 << 20);
}

TEST_CASE("Where nobody listens no task answers, and where TensorFlow cannot be loaded",
          "[cluster]") {
  Listener listener;
  Progress progress;
  const auto answer = ask_task(listener.task, "/missing.so", 5, progress);
  REQUIRE(answer);
  CHECK_FALSE(answer->answers);
  CHECK(answer->why.find("cannot be loaded") != std::string::npos);
  listener.close();
  CHECK(silent_tasks({{listener.task}}, "/missing.so", progress).value() ==
        "/job:worker/task:0 at " + listener.task.address + " does not answer (Connection refused)");
}

}  // namespace
}  // namespace tideline::runtime
