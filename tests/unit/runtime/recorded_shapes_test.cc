#include "core/runtime/recorded_shapes.h"

#include <catch2/catch.hpp>

#include "core/runtime/trainer.h"
#include "tests/support/graph_text.h"

namespace tideline::runtime {
namespace {

const std::string kRefused = R"(
w = VariableV2() +dtype=f32 +shape=[] f32[]
loss = Const() f32[]
train = NoOp(^refused)
refused = RefusedShapes(w) f32[8]
second = RefusedShapes(w) f32[8]
)";

}  // namespace

TEST_CASE("the op whose recorded shapes TensorFlow refuses is found in its message") {
  CHECK(op_with_refused_shapes("Node 'a/b' has an _output_shapes attribute inconsistent with the "
                               "GraphDef for output #3: Dimension 0 ...") == "a/b");
  CHECK(!op_with_refused_shapes("Node 'a/b' has no input"));
  CHECK(!op_with_refused_shapes(""));
}

TEST_CASE("recorded shapes of a type are dropped, and all else stays") {
  std::string graph = test::encode_graph(kRefused);
  const DroppedShapes dropped = drop_shapes(graph, "second");
  CHECK(dropped == DroppedShapes{"RefusedShapes", 2});
  const auto records = [&graph](const char* from) {
    return graph.find("_output_shapes", graph.find(from)) != std::string::npos;
  };
  CHECK(records("loss"));
  CHECK(!records("refused"));
  CHECK(graph.find("second") != std::string::npos);
  const std::string before = graph;
  CHECK(drop_shapes(graph, "second").ops == 0);
  CHECK(drop_shapes(graph, "nobody").ops == 0);
  CHECK(graph == before);
}

TEST_CASE("a graph whose recorded shapes TensorFlow refuses trains without them") {
  Progress progress;
  const io::Document document = test::read_graph(kRefused);
  TrainingRequest request;
  request.train = "train";
  request.loss = "loss";
  auto training = prepare_training(document, request, progress);
  REQUIRE(training);
  auto started = Trainer::start("a.pb", *std::move(training),
                                std::string(TIDELINE_FAKE_TENSORFLOW) + "/libtensorflow_cc.so.2",
                                {}, progress);
  if (!started) FAIL(started.error().message);
  REQUIRE(started->dropped_shapes().size() == 1);
  CHECK(started->dropped_shapes()[0] == DroppedShapes{"RefusedShapes", 2});
}

}  // namespace tideline::runtime
