#include "core/analysis/activity.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

// Names of the inactive ops.
std::vector<std::string> inactive(std::string_view text, const LearningMode& mode) {
  const io::Document document = test::read_graph(text);
  const auto marks = inactive_ops(document.graph, Consumers(document.graph), mode);
  REQUIRE(marks);
  std::vector<std::string> names;
  for (const OpId op : document.graph.ops()) {
    if ((*marks)[op.index()]) names.emplace_back(document.graph.name(op));
  }
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("batch normalisations of the other mode are inactive, and what only they start") {
  constexpr std::string_view kGraph = R"(
    x = Const()
    w = Placeholder()
    train = FusedBatchNorm(x) +is_training=true
    eval = FusedBatchNorm(x) +is_training=false
    default = FusedBatchNormGrad(x)
    v3 = FusedBatchNormV3(x) +is_training=false
    relu = Relu(eval)
    scaled = Mul(relu, x)
    mixed = Add(relu, w)
    Variable_1/read = Add(relu, w)
  )";
  CHECK(inactive(kGraph, {true, false}) == Names{"eval", "relu", "scaled", "Variable_1/read"});
  CHECK(inactive(kGraph, {false, false}) == Names{"train", "default"});
}

TEST_CASE(
    "ops in while loops are inactive but for Enter and Exit; Merge and Switch never by inputs") {
  CHECK(inactive(R"(
    w/while/Enter = Enter()
    w/while/Merge = Merge(w/while/Enter)
    w/while/Exit = Exit(w/while/Enter)
    w/while/Body = Relu(w/while/Merge)
    after = Relu(w/while/Body)
    merge = Merge(w/while/Body)
    waits = NoOp(^w/while/Body)
    waits_for_more = NoOp(^w/while/Body, ^w/while/Exit)
  )",
                 {}) == Names{"w/while/Merge", "w/while/Body", "after", "waits"});
}

TEST_CASE("in Keras graphs the branch that the learning phase does not take is inactive") {
  constexpr std::string_view kGraph = R"(
    x = Placeholder()
    phase/keras_learning_phase = PlaceholderWithDefault()
    id = Identity(phase/keras_learning_phase)
    id2 = Identity(id)
    s1 = Switch(x, phase/keras_learning_phase)
    s2 = Switch(x, id2)
    other = Switch(x, x)
    on_false = Relu(s1:0)
    on_true = Relu(s1:1)
    on_false_2 = Relu(s2)
    on_true_2 = Relu(s2:1)
    unrelated = Relu(other:0)
    merged = Merge(on_false, on_true)
  )";
  CHECK(inactive(kGraph, {true, true}) == Names{"on_false", "on_false_2"});
  CHECK(inactive(kGraph, {false, true}) == Names{"on_true", "on_true_2"});
  CHECK(inactive(kGraph, {true, false}).empty());
}

}  // namespace tideline
