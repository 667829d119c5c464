#include "core/memory/executor_order.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>

#include "core/graph/graph_edit.h"
#include "core/memory/faithful.h"
#include "core/memory/step_edit.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

using Places = std::map<std::string, std::int32_t>;

StepGraph traced_step(const io::Document& document, const Places& places, bool is_of_gpu) {
  TensorOptions sizes;
  sizes.model = SizeModel::kFaithful;
  const auto tensors = TensorTable::build(document.graph, sizes);
  REQUIRE(tensors);
  MeasuredSizes measured;
  measured.is_of_gpu = is_of_gpu;
  measured.places.assign(document.graph.op_count(), -1);
  for (const auto& [name, place] : places) {
    measured.places[test::op(document.graph, name).index()] = place;
  }
  StepOptions options;
  options.fetches = {"y"};
  options.measured = &measured;
  options.run = {AsRun::kModelled, Executor::kGpu};
  auto step = build_step_graph(document.graph, *tensors, document.collections, options);
  REQUIRE(step);
  return *std::move(step);
}

template <typename NameOf>
std::string order_of(const StepGraph& step, const NameOf& name_of) {
  std::vector<std::string> names;
  for (const OpId op : simulate_step(step).timeline.schedule) names.emplace_back(name_of(op));
  return fmt::format("{}", fmt::join(names, " "));
}

std::string traced_order(std::string_view text, const Places& places, bool is_of_gpu = true) {
  const io::Document document = test::read_graph(text);
  const StepGraph step = traced_step(document, places, is_of_gpu);
  CHECK(step.run.is_in_traced_order == is_of_gpu);
  return order_of(step, [&](OpId op) { return document.graph.name(op); });
}

constexpr std::string_view kTwoChains = R"(
  x = Placeholder() f32[4,16] +shape=[4,16]
  a = Exp(x) f32[4,16]
  b = Log(x) f32[4,16]
  a2 = Tanh(a) f32[4,16]
  b2 = Sin(b) f32[4,16]
  y = AddN(a2, b2) f32[4,16]
)";

}  // namespace

TEST_CASE("a traced step runs in the order of its trace") {
  CHECK(traced_order(kTwoChains, {{"x", 0}, {"b", 1}, {"b2", 2}, {"a", 3}, {"a2", 4}, {"y", 5}}) ==
        "x b b2 a a2 y");
  // However the trace has them, an op waits for its inputs.
  CHECK(traced_order(kTwoChains, {{"x", 5}, {"b", 4}, {"b2", 3}, {"a", 2}, {"a2", 1}, {"y", 0}}) ==
        "x a a2 b b2 y");
}

TEST_CASE("an op that a trace lacks runs just before its first reader there") {
  CHECK(traced_order(kTwoChains, {{"x", 0}, {"b", 1}, {"b2", 2}, {"a2", 3}, {"y", 4}}) ==
        "x b b2 a a2 y");
  CHECK(traced_order(kTwoChains, {{"x", 0}, {"a2", 1}, {"b2", 2}, {"y", 3}}) == "x a a2 b b2 y");
}

TEST_CASE("the trace of a CPU says nothing about the order of a GPU") {
  CHECK(traced_order(kTwoChains, {{"x", 0}, {"b", 1}, {"b2", 2}, {"a", 3}, {"a2", 4}, {"y", 5}},
                     false) == "x a b a2 b2 y");
}

TEST_CASE("what a plan adds to a traced step starts when it is ready") {
  const io::Document document = test::read_graph(kTwoChains);
  const Graph& graph = document.graph;
  const StepGraph step =
      traced_step(document, {{"x", 0}, {"b", 1}, {"b2", 2}, {"a", 3}, {"a2", 4}, {"y", 5}}, true);
  GraphPlan plan;
  const TensorId swapped{test::op(graph, "b"), 0};
  NewOp copy{.name = "out", .type = "Identity", .device = "/cpu:0", .inputs = {swapped}};
  copy.attributes.emplace_back("T", AttrValue::of_type(DataType::kFloat));
  const OpId out = plan.add_op(graph, copy);
  plan.rerouted.push_back({test::op(graph, "y"), 1, {test::op(graph, "b2"), 0}, {out, 0}});
  const StepGraph changed = edited(step, graph, plan, std::nullopt);
  CHECK(order_of(changed, [&](OpId op) { return plan.name(graph, op); }) == "x b out a a2 y");
}

}  // namespace tideline
