#include "core/runtime/cluster_servers.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "core/runtime/listen_address.h"
#include "core/runtime/messages.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/runtime/worker_fixture.h"

namespace tideline::runtime {
namespace {

// A port that nobody uses, for one test.
std::int32_t free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t size = sizeof address;
  REQUIRE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), size) == 0);
  REQUIRE(::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  ::close(socket);
  return ntohs(address.sin_port);
}

// Whether somebody listens at the port of that address of this machine.
bool is_reached(std::uint32_t host, std::int32_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(host);
  const bool reached =
      ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(socket);
  return reached;
}

constexpr std::uint32_t kLoopback = 0x7f000001, kOtherLoopback = 0x7f000002;

class Started {
 public:
  Started() {
    ::setenv("FAKE_TENSORFLOW_PORT", std::to_string(port).c_str(), 1);
    cluster.tasks = {{"worker", 0, "127.0.0.1:" + std::to_string(port)}};
    options.library = worker_fixture::kLibrary;
  }
  Status start() { return servers.start(cluster, cluster.tasks.front(), options, progress); }

  std::int32_t port = free_port();
  Cluster cluster;
  ServerOptions options;
  ClusterServers servers;
  Progress progress;
};

TEST_CASE("A server listens on the loopback alone, though the library asks for all addresses",
          "[cluster]") {
  Started started;
  REQUIRE(started.start());
  CHECK(started.servers.running().front().version == "0.0.0-fake");
  CHECK(is_reached(kLoopback, started.port));
  CHECK_FALSE(is_reached(kOtherLoopback, started.port));
}

TEST_CASE("A server listens where it is told to", "[cluster]") {
  Started started;
  started.options.bind = "0.0.0.0";
  REQUIRE(started.start());
  CHECK(is_reached(kOtherLoopback, started.port));
}

TEST_CASE("A task has one server on a machine", "[cluster]") {
  Started started;
  REQUIRE(started.start());
  const Status again = started.start();
  REQUIRE_FALSE(again);
  CHECK(again.error().message == "/job:worker/task:0 at " + started.cluster.tasks.front().address +
                                     " is served already, by process " +
                                     std::to_string(::getpid()));
  CHECK(TaskLock::holder(started.cluster.tasks.front()) == ::getpid());
}

TEST_CASE("A lock goes with who holds it", "[cluster]") {
  const ClusterTask task{"worker", 0, "nowhere:1"};
  {
    const auto lock = TaskLock::take(task);
    REQUIRE(lock);
    CHECK(TaskLock::holder(task) == ::getpid());
  }
  CHECK_FALSE(TaskLock::holder(task));
}

TEST_CASE("A server that has ended is named, with its last output", "[cluster]") {
  Started started;
  REQUIRE(started.start());
  CHECK(started.servers.ended().empty());
  const pid_t process = started.servers.running().front().worker.process();
  ::kill(process, SIGKILL);
  std::vector<EndedTask> ended;
  for (int i = 0; i < 1000 && ended.empty(); ++i) {
    ::usleep(1000);
    ended = started.servers.ended();
  }
  REQUIRE(ended.size() == 1);
  CHECK(ended.front().task.job == "worker");
  CHECK(started.servers.running().empty());
  // And can be started again.
  CHECK(started.start());
}

TEST_CASE("TensorFlow's reason not to serve is told, with the task", "[cluster]") {
  Started started;
  started.cluster.tasks = {{"no", 0, "127.0.0.1:1"}};
  const Status status = started.start();
  REQUIRE_FALSE(status);
  CHECK(status.error().message.starts_with("/job:no/task:0 at 127.0.0.1:1: no server"));
}

// A socket of this process that listens.
class Listening {
 public:
  Listening(std::uint32_t host, std::int32_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(host);
    REQUIRE(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(::listen(socket_, 1) == 0);
  }
  ~Listening() { ::close(socket_); }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

 private:
  int socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
};

TEST_CASE("A socket that listens elsewhere is found, and one for all addresses is moved",
          "[cluster]") {
  const std::int32_t port = free_port();
  REQUIRE(listen_on("127.0.0.1"));
  CHECK(listens_elsewhere(port, "127.0.0.1") ==
        "no socket listens on port " + std::to_string(port));
  {
    const Listening elsewhere(kOtherLoopback, port);
    CHECK(listens_elsewhere(port, "127.0.0.1") ==
          "TensorFlow's server listens on 127.0.0.2, not on 127.0.0.1 alone");
  }
  {
    const Listening anywhere(INADDR_ANY, port);
    CHECK(listens_elsewhere(port, "127.0.0.1").empty());
    CHECK_FALSE(is_reached(kOtherLoopback, port));
  }
  REQUIRE(listen_on("0.0.0.0"));  // as it was, for the other tests of this process
  const std::int32_t other = free_port();
  const Listening anywhere(INADDR_ANY, other);
  CHECK(listens_elsewhere(other, "0.0.0.0").empty());
  CHECK(is_reached(kOtherLoopback, other));
}

TEST_CASE("A session on a server is closed when its worker ends", "[cluster]") {
  const tideline::test::TemporaryFolder folder;
  const std::string mark = folder.file("closed");
  ::setenv("FAKE_TENSORFLOW_CLOSES", mark.c_str(), 1);
  for (const char* target : {"", "grpc://127.0.0.1:1"}) {
    Progress progress;
    auto worker = Worker::start({});
    REQUIRE(worker);
    LoadRequest request;
    request.library = worker_fixture::kLibrary;
    request.target = target;
    REQUIRE(worker->load(request, progress));
    CHECK_FALSE(std::filesystem::exists(mark));
  }
  ::unsetenv("FAKE_TENSORFLOW_CLOSES");
  CHECK(std::filesystem::exists(mark));
}

TEST_CASE("Libraries find the function that numbers TensorFlow's requests, whose numbers differ",
          "[cluster]") {
  using Number = std::uint64_t (*)();
  const auto number =
      reinterpret_cast<Number>(::dlsym(RTLD_DEFAULT, "_ZN3tsl6random16ThreadLocalNew64Ev"));
  REQUIRE(number != nullptr);
  std::set<std::uint64_t> seen;
  constexpr std::size_t kMany = 200000;
  for (std::size_t i = 0; i < kMany; ++i) seen.insert(number());
  CHECK(seen.size() == kMany);
}

TEST_CASE("A server is not started on what is no address", "[cluster]") {
  Started started;
  started.options.bind = "999.0.0.1";
  const Status status = started.start();
  REQUIRE_FALSE(status);
  CHECK(status.error().message.find("no address to listen on") != std::string::npos);
}

TEST_CASE("Addresses of this machine alone are known", "[cluster]") {
  CHECK(is_ipv4("10.0.0.7"));
  CHECK_FALSE(is_ipv4("999.0.0.1"));
  CHECK_FALSE(is_ipv4("localhost"));
  CHECK(is_loopback("localhost"));
  CHECK(is_loopback("127.0.0.1"));
  CHECK(is_loopback("127.1.2.3"));
  CHECK_FALSE(is_loopback("10.0.0.7"));
  CHECK_FALSE(is_loopback("0.0.0.0"));
  CHECK_FALSE(is_loopback("worker-0.example"));
}

}  // namespace
}  // namespace tideline::runtime
