// Small training graphs as text, replicated; what came out is written in a short form.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/graph/graph_edit.h"
#include "core/rewrite/replicate/replicate.h"
#include "tests/support/graph_text.h"

namespace tideline::test {

/// A dense layer with a mean loss and plain gradient descent, as TensorFlow builds it.
inline const std::string kDense = R"(
    x = Placeholder() f32[?,4] +dtype=f32 +shape=[?,4]
    y = Placeholder() f32[?,2] +dtype=f32 +shape=[?,2]
    w = VariableV2() +dtype=f32 +shape=[4,2]
    w/init = Const() f32[4,2] +dtype=f32
    w/Assign = Assign(w, w/init) +T=f32 +_class=('loc:@w')
    w/read = Identity(w) f32[4,2] +T=f32 +_class=('loc:@w')
    h = MatMul(x, w/read) f32[?,2] +T=f32
    d = Sub(h, y) f32[?,2] +T=f32
    sq = Square(d) f32[?,2] +T=f32
    axes = Const() i32[2] +dtype=i32
    loss_mean = Mean(sq, axes) f32[] +T=f32 +Tidx=i32
    g/shape = Const() i32[0] +dtype=i32
    g/one = Const() f32[] +dtype=f32
    g/seed = Fill(g/shape, g/one) f32[] +T=f32 +index_type=i32
    g/sizes = Shape(sq) i32[2] +T=f32 +out_type=i32
    g/tile = BroadcastTo(g/seed, g/sizes) f32[?,2] +T=f32 +Tidx=i32
    g/count = Size(sq) i32[] +T=f32 +out_type=i32
    g/divisor = Cast(g/count) f32[] +SrcT=i32 +DstT=f32
    g/mean = RealDiv(g/tile, g/divisor) f32[?,2] +T=f32
    g/two = Const() f32[] +dtype=f32
    g/twice = Mul(d, g/two) f32[?,2] +T=f32
    g/square = Mul(g/mean, g/twice) f32[?,2] +T=f32
    g/w = MatMul(x, g/square) f32[4,2] +T=f32 +transpose_a=true
    rate = Const() f32[] +dtype=f32
    apply = ApplyGradientDescent(w, rate, g/w) +T=f32 +_class=('loc:@w')
    steps = VariableV2() +dtype=i64 +shape=[]
    steps/one = Const(^apply) i64[] +dtype=i64
    train = AssignAdd(steps, steps/one) +T=i64
)";

inline ReplicateOptions dense_options(int towers = 2) {
  ReplicateOptions options;
  for (int i = 0; i < towers; ++i) options.devices.push_back("/device:GPU:" + std::to_string(i));
  options.split = {"x:0", "y:0"};
  options.loss = "loss_mean:0";
  options.train_op = "train";
  return options;
}

inline Result<ReplicatePlan> replicated(const io::Document& document,
                                        const ReplicateOptions& options,
                                        const FunctionLibrary* functions = nullptr) {
  Progress silent;
  return plan_replicate(GraphFacts(document.graph, functions), document.collections, options,
                        silent);
}

/// The plan and the graph that it gives; a plan that cannot be applied fails the test.
struct Replicated {
  io::Document original;
  ReplicatePlan plan;
  Graph graph;

  [[nodiscard]] std::vector<std::string> inputs(const std::string& name) const {
    std::vector<std::string> texts;
    const OpId at = test::op(graph, name);
    for (const TensorId input : graph.inputs(at)) texts.push_back(graph.tensor_name(input));
    for (const OpId input : graph.control_inputs(at)) {
      texts.push_back("^" + std::string(graph.name(input)));
    }
    return texts;
  }
  [[nodiscard]] std::string device(const std::string& name) const {
    return std::string(graph.device(test::op(graph, name)));
  }
  [[nodiscard]] std::string type(const std::string& name) const {
    return std::string(graph.type(test::op(graph, name)));
  }
  [[nodiscard]] bool has(const std::string& name) const { return graph.find(name).valid(); }
  /// The names of the ops that were added, without those that begin with `prefix`.
  [[nodiscard]] std::vector<std::string> added_outside(const std::string& prefix) const {
    std::vector<std::string> names;
    for (const AddedOp& op : plan.edit.added) {
      if (!op.name.starts_with(prefix)) names.emplace_back(op.name);
    }
    return names;
  }
};

inline Replicated replicate_text(const std::string& text, const ReplicateOptions& options) {
  io::Document original = read_graph(text);
  auto plan = replicated(original, options);
  if (!plan) FAIL(plan.error().message);
  auto graph = apply(original.graph, plan->edit);
  if (!graph) FAIL(graph.error().message);
  return {std::move(original), *std::move(plan), *std::move(graph)};
}

inline std::string refusal(const std::string& text, const ReplicateOptions& options,
                           const FunctionLibrary* functions = nullptr) {
  const io::Document original = read_graph(text);
  const auto plan = replicated(original, options, functions);
  REQUIRE_FALSE(plan);
  return plan.error().message;
}

/// `text` with `from`, which must be in it, replaced by `to`.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace tideline::test
