#include "app/engine/read_cluster.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

#include "tests/support/temporary_folder.h"

namespace tideline::app {
namespace {

class ClusterFile {
 public:
  explicit ClusterFile(const std::string& text) { std::ofstream(path()) << text; }
  [[nodiscard]] std::string path() const { return folder_.file("cluster.json"); }

 private:
  test::TemporaryFolder folder_;
};

Cluster cluster_of(const std::string& text) {
  const ClusterFile file(text);
  auto cluster = read_cluster(file.path());
  if (!cluster) FAIL(cluster.error().message);
  return *cluster;
}

// What is wrong, without the path.
std::string said_of(const std::string& text) {
  const ClusterFile file(text);
  const auto cluster = read_cluster(file.path());
  REQUIRE_FALSE(cluster);
  REQUIRE(cluster.error().message.starts_with(file.path() + ": "));
  return cluster.error().message.substr(file.path().size() + 2);
}

TEST_CASE("A cluster is a list of addresses or an object of indices for each job", "[cluster]") {
  const Cluster cluster = cluster_of(R"({"worker": ["b:2", "c:3"], "ps": {"3": "a:1"}})");
  CHECK(cluster.tasks ==
        std::vector<ClusterTask>{{"ps", 3, "a:1"}, {"worker", 0, "b:2"}, {"worker", 1, "c:3"}});
}

TEST_CASE("TF_CONFIG has the cluster in a member, and may have devices beside it", "[cluster]") {
  const std::string text = R"({"cluster": {"worker": ["b:2", "c:3"]},
    "task": {"type": "worker", "index": 0}, "devices": {"worker:1": ["GPU:0"], "worker": ["cpu:0"]}})";
  const std::vector<ClusterTask> tasks = {{"worker", 0, "b:2", {"CPU:0"}},
                                          {"worker", 1, "c:3", {"GPU:0"}}};
  CHECK(cluster_of(text).tasks == tasks);
  ::setenv("TF_CONFIG", text.c_str(), 1);
  CHECK(read_cluster("TF_CONFIG").value().tasks == tasks);
  ::unsetenv("TF_CONFIG");
  CHECK(read_cluster("TF_CONFIG").error().code == Code::kNotFound);
}

TEST_CASE("What is no cluster is refused with the key and what was expected", "[cluster]") {
  CHECK(said_of("[]") == "no JSON object");
  CHECK(said_of("{}").starts_with("no tasks; expected"));
  CHECK(said_of(R"({"worker": []})").starts_with("no tasks; expected"));
  CHECK(said_of(R"({"worker": "a:1"})") ==
        R"('worker' is "a:1"; expected a list of addresses, or an object of indices)");
  for (const char* address : {R"("a")", R"(":1")", R"("a:0")", R"("a:65536")", "7"}) {
    INFO(address);
    CHECK(said_of(std::string(R"({"worker": [)") + address + "]}")
              .find("expected an address such as") != std::string::npos);
  }
  CHECK(said_of(R"({"worker": ["a:1", "a:1"]})").find("as that of /job:worker/task:0") !=
        std::string::npos);
  CHECK(said_of(R"({"worker": {"x": "a:1"}})").find("expected the index of a task") !=
        std::string::npos);
  CHECK(said_of(R"({"a/b": ["a:1"]})").find("no name of a job") != std::string::npos);
  CHECK(said_of(R"({"cluster": 1})") == "'cluster' is 1; expected an object of jobs");
  const auto with_devices = [](const std::string& devices) {
    return said_of(R"({"cluster": {"worker": ["a:1"]}, "devices": )" + devices + "}");
  };
  CHECK(with_devices("[]").find("expected an object of jobs and tasks") != std::string::npos);
  CHECK(with_devices(R"({"ps": ["CPU:0"]})").find("neither a job nor a task") != std::string::npos);
  CHECK(with_devices(R"({"worker": ["GPU"]})").find("expected devices such as") !=
        std::string::npos);
  CHECK(with_devices(R"({"worker": []})").find("expected a list such as") != std::string::npos);
}

}  // namespace
}  // namespace tideline::app
