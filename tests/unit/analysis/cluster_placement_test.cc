#include "core/analysis/cluster_placement.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

const Cluster kThreeTasks{{{"chief", 0, "a:1", {"CPU:0"}},
                           {"ps", 0, "b:1"},
                           {"worker", 1, "c:1", {"CPU:0", "GPU:0", "GPU:1"}}}};

// By op: its device, without "/job:".
std::string placed(const std::string& text, const std::string& op, const Cluster& cluster) {
  const io::Document document = test::read_graph(text);
  const auto tensors = TensorTable::build(document.graph, {});
  REQUIRE(tensors);
  const auto placement =
      place_on_cluster(GraphFacts(document.graph), *tensors, cluster, main_task(cluster));
  if (!placement) return placement.error().message;
  return placement->of(test::op(document.graph, op)).name.substr(5);
}

constexpr const char* kPlaced = R"(
    x = Placeholder() @/job:ps/task:0 f32[4] +dtype=f32
    w = VarHandleOp() @/job:ps/task:0 res[] +dtype=f32 +shape=[4]
    read = ReadVariableOp(w) f32[4] +dtype=f32
    on_gpu = Add(x, read) @/job:worker/task:1/device:GPU:1 f32[4] +T=f32
    on_worker = Relu(on_gpu) @/job:worker/task:1 f32[4] +T=f32
    on_any_gpu = Relu(on_worker) @/device:GPU:0 f32[4] +T=f32
    on_cpu = Relu(on_gpu) @/cpu:0 f32[4] +T=f32
    one = Const() f32[4] +dtype=f32
    two = Const() f32[4] +dtype=f32
    sum = Add(on_worker, one) @/job:worker/task:1/device:CPU:0 f32[4] +T=f32
    other = Add(sum, two) @/job:worker/task:1/device:CPU:0 f32[4] +T=f32
    more = Add(on_gpu, two) @/job:ps/task:0 f32[4] +T=f32
    shape = Shape(more) i32[1] +T=f32 +out_type=i32
    beside = Relu(shape) f32[4] +T=f32 +_class=('loc:@more')
    train = NoOp(^more)
)";

TEST_CASE("Ops are placed on a cluster as TensorFlow's placer does", "[cluster]") {
  const auto at = [](const std::string& op) { return placed(kPlaced, op, kThreeTasks); };
  CHECK(at("x") == "chief/task:0/device:CPU:0");  // what is fed comes from the client's task
  CHECK(at("w") == "ps/task:0/device:CPU:0");
  CHECK(at("read") == "ps/task:0/device:CPU:0");
  CHECK(at("on_gpu") == "worker/task:1/device:GPU:1");
  CHECK(at("on_worker") == "worker/task:1/device:GPU:0");
  CHECK(at("on_any_gpu") == "worker/task:1/device:GPU:0");
  CHECK(at("on_cpu") == "chief/task:0/device:CPU:0");
  CHECK(at("one") == "worker/task:1/device:CPU:0");  // its only reader's
  CHECK(at("two") == "worker/task:1/device:GPU:0");  // of two readers; the best device
  CHECK(at("shape") == "ps/task:0/device:CPU:0");
  CHECK(at("beside") == "ps/task:0/device:CPU:0");
  CHECK(at("train") == "chief/task:0/device:CPU:0");
}

TEST_CASE(
    "A device that the task lacks becomes its CPU; one that nobody knows of is taken to be there",
    "[cluster]") {
  const std::string text =
      "a = Const() @/job:chief/task:0/device:GPU:0 f32[4] +dtype=f32\n"
      "b = Const() @/job:ps/task:0/device:GPU:3 f32[4] +dtype=f32\n";
  CHECK(placed(text, "a", kThreeTasks) == "chief/task:0/device:CPU:0");
  CHECK(placed(text, "b", kThreeTasks) == "ps/task:0/device:GPU:3");
}

TEST_CASE("A device on a task that is not there is an error", "[cluster]") {
  CHECK(placed("a = Const() @/job:worker/task:7/cpu:0 f32[4] +dtype=f32\n", "a", kThreeTasks)
            .find("is on no task of the cluster") != std::string::npos);
}

}  // namespace
}  // namespace tideline
