#include "core/analysis/structure/training_roles.h"

#include <catch2/catch.hpp>

#include "app/engine/read_graph.h"
#include "tests/support/graph_text.h"
#include "tests/support/test_data.h"

namespace tideline {
namespace {

struct Found {
  std::string loss, train_op, scopes;
  std::vector<std::string> inputs;
};

Found found_in(const Graph& graph, const GraphFacts& facts) {
  const auto tensors = TensorTable::build(graph, {.model = SizeModel::kFaithful});
  REQUIRE(tensors);
  const TrainingRoles roles = find_training_roles(facts, *tensors);
  Found found;
  if (roles.loss) found.loss = graph.tensor_name(*roles.loss);
  if (roles.train_op.valid()) found.train_op = graph.name(roles.train_op);
  for (const TensorId input : roles.inputs) found.inputs.push_back(graph.tensor_name(input));
  for (const std::string& scope : roles.gradient_scopes) found.scopes += scope + " ";
  return found;
}

Found found_in_file(const std::string& name) {
  Progress silent;
  const auto read = app::read_graph({.path = test::graph_file(name).string()}, silent);
  REQUIRE(read);
  return found_in((*read)->document.graph, (*read)->facts);
}

Found found_in_text(const std::string& text) {
  const io::Document document = test::read_graph(text);
  return found_in(document.graph, GraphFacts(document.graph));
}

// loss = sum(x w); the gradient of w is x^T times ones like the loss, and one step is counted.
const std::string kStep = R"(
  x = Placeholder() f32[?,4]
  w = VariableV2() f32[4,1]
  read = Identity(w) f32[4,1]
  y = MatMul(x, read) f32[?,1]
  axes = Const() i32[2]
  loss = Sum(y, axes) f32[]
  one = Const() f32[]
  ones = OnesLike(loss) f32[]
  d_y = Tile(ones, axes) f32[?,1]
  d_w = MatMul(x, d_y) f32[4,1]
  rate = Const() f32[]
  update = ApplyGradientDescent(w, rate, d_w) f32[4,1]
)";

}  // namespace

TEST_CASE("a training graph tells its loss, its train op and its inputs") {
  const Found resnet = found_in_file("resnet50.meta");
  CHECK(resnet.loss == "loss/add:0");
  CHECK(resnet.train_op == "momentum_optimizer/Momentum");
  CHECK(resnet.inputs == std::vector<std::string>{"images:0", "labels:0"});
  CHECK(resnet.scopes == "momentum_optimizer/gradients ");
  const Found mlp = found_in_file("mlp.meta");
  CHECK(mlp.loss == "loss/Mean:0");
  CHECK(mlp.train_op == "adam_optimizer/Adam");
  CHECK(mlp.inputs == std::vector<std::string>{"x:0", "y:0"});
}

TEST_CASE("the train op comes after all updates, and after what counts the steps") {
  const Found plain = found_in_text(kStep);
  CHECK(plain.loss == "loss:0");
  CHECK(plain.train_op == "update");
  CHECK(plain.inputs == std::vector<std::string>{"x:0"});
  CHECK(found_in_text(kStep + R"(
    grouped = NoOp(^update)
    steps = VariableV2() i64[]
    count = AssignAdd(steps, big, ^grouped) i64[]
    big = Const() i64[]
    report = MergeSummary(text, ^count)
    text = Const()
  )")
            .train_op == "count");
}

TEST_CASE("a loss is found by the names that a tape gives, where no shape is asked for") {
  std::string text = kStep;
  text.replace(text.find("OnesLike(loss)"), 14, "Const()");
  text.replace(text.find("d_y = Tile"), 10, "gradient_tape/loss/Tile = Tile");
  text.replace(text.find("MatMul(x, d_y)"), 14, "MatMul(x, gradient_tape/loss/Tile)");
  CHECK(found_in_text(text).loss == "loss:0");
}

TEST_CASE("a graph that does not train has no roles") {
  const Found found = found_in_text("x = Placeholder() f32[?,4]\ny = Relu(x) f32[?,4]\n");
  CHECK(found.loss.empty());
  CHECK(found.train_op.empty());
  CHECK(found.scopes.empty());
}

TEST_CASE("inputs of a fixed batch count if they agree in it") {
  std::string text = kStep;
  text.replace(text.find("x = Placeholder() f32[?,4]"), 26, "x = Placeholder() f32[8,4]");
  CHECK(found_in_text(text).inputs == std::vector<std::string>{"x:0"});
  CHECK(found_in_text("a = Placeholder() f32[8,4]\nb = Placeholder() f32[4,8]\n"
                      "c = MatMul(a, b) f32[8,8]\n")
            .inputs.empty());
}

}  // namespace tideline
