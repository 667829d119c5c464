#include "core/memory/folded_step.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "core/graph/graph_edit.h"
#include "core/memory/faithful.h"
#include "core/memory/kept_facts.h"
#include "core/memory/step_edit.h"
#include "tests/support/graph_text.h"
#include "tests/support/same_step.h"

namespace tideline {
namespace {

constexpr RunModel kGpu{AsRun::kModelled, Executor::kGpu};
constexpr RunModel kCpu{AsRun::kModelled, Executor::kCpu};

StepGraph step_of(const io::Document& document, const std::string& fetch, RunModel run) {
  TensorOptions sizes;
  sizes.model = SizeModel::kFaithful;
  sizes.batch_size = 4;
  const auto tensors = TensorTable::build(document.graph, sizes);
  REQUIRE(tensors);
  StepOptions options;
  options.fetches = {fetch};
  options.run = run;
  auto step = build_step_graph(document.graph, *tensors, document.collections, options);
  REQUIRE(step);
  return *std::move(step);
}

// The ops that run, in their order.
std::string order(const Graph& graph, const StepGraph& step) {
  const FaithfulStep simulated = simulate_step(step);
  CHECK(test::unavailable(step, simulated) == "");
  std::vector<std::string_view> names;
  for (const OpId op : simulated.timeline.schedule) names.push_back(graph.name(op));
  return fmt::format("{}", fmt::join(names, " "));
}
std::string order(std::string_view text, const std::string& fetch, RunModel run = kGpu) {
  const io::Document document = test::read_graph(text);
  return order(document.graph, step_of(document, fetch, run));
}

// a is needed for its shape alone, once the sum has nothing to do.
constexpr std::string_view kShapeReader = R"(
  x = Placeholder() f32[?,16] +shape=[?,16]
  a = Exp(x) f32[?,16]
  b = MatMul(a, a) f32[?,16]
  c = MatMul(b, b) f32[?,16]
  sb = Shape(b) i32[2]
  sc = Shape(c) i32[2]
  r = Relu(b) f32[?,16]
  s = Relu(r) f32[?,16]
  g = Sub(s, s) f32[?,16]
  back = Reshape(g, sb) f32[?,16]
  y = Exp(back) f32[?,16]
)";

}  // namespace

TEST_CASE("what is folded does not run, and its readers read what it stands for") {
  CHECK(order(kShapeReader, "y", kAsInFile) == "x a b sb r s g back y");
  CHECK(order(kShapeReader, "y") == "x a b r s g y");
}

TEST_CASE("of a graph that TensorFlow has folded all ops run, in the executor's order") {
  constexpr RunModel kExact{AsRun::kExact, Executor::kGpu};
  CHECK(order(kShapeReader, "y", kExact) == "x a b r sb s g back y");
  const std::string_view waits = R"(
    x = Placeholder() f32[4] +shape=[4]
    a = Exp(x) f32[4]
    group = NoOp(^a)
    b = Identity(x, ^group) f32[4]
    y = Relu(b) f32[4]
    z = Log(x) f32[4]
    both = AddN(y, z) f32[4]
  )";
  CHECK(order(waits, "both") == "x y z both");
  CHECK(order(waits, "both", kExact) == "x a z group b y both");
}

TEST_CASE("an op that others only wait for computes nothing, unless it changes something") {
  const std::string_view text = R"(
    x = Placeholder() f32[4] +shape=[4]
    w = VariableV2() f32[4]
    a = Exp(x) f32[4]
    b = Log(a) f32[4]
    up = AssignAdd(w, x) f32[4]
    group = NoOp(^b, ^up)
    a2 = Identity(a, ^group) f32[4]
    y = Relu(a2) f32[4]
  )";
  CHECK(order(text, "y", kAsInFile) == "x w a up b group a2 y");
  CHECK(order(text, "y") == "w x a up y");
}

TEST_CASE("who waits for a group that many wait for waits for the group") {
  CHECK(order(R"(
    x = Placeholder() f32[4] +shape=[4]
    w = VariableV2() f32[4]
    v = VariableV2() f32[4]
    p = AssignAdd(w, x) f32[4]
    q = AssignAdd(v, x) f32[4]
    group = NoOp(^p, ^q)
    a = Exp(x, ^group) f32[4]
    b = Log(x, ^group) f32[4]
    c = Tanh(x, ^group) f32[4]
    y = AddN(a, b, c) f32[4]
  )",
              "y") == "w v x p q group a b c y");
}

TEST_CASE("constants of one value are one, so that what reads them is, too") {
  const std::string_view text = R"(
    x = Placeholder() i32[4] +shape=[4]
    one = Const() i32[] +dtype=i32 +value=i32[]{1}
    decay = Const() i32[] +dtype=i32 +value=i32[]{3} +_class="loc:@a"
    other = Const() i32[] +dtype=i32 +value=i32[]{3} +_class="loc:@b"
    a = Sub(one, decay) i32[]
    b = Sub(one, other) i32[]
    c = Sub(one, other, ^x) i32[]
    m = Mul(x, a) i32[4]
    n = Mul(x, b) i32[4]
    o = Mul(x, c) i32[4]
    y = MadeUp(m, n, o) i32[4]
  )";
  CHECK(order(text, "y") == "a x m c o y");
}

TEST_CASE("a Reshape of a Reshape reads what the first one reads") {
  const std::string text = R"(
    x = Placeholder() f32[?,16] +shape=[?,16]
    rows = Const() i32[2] +dtype=i32 +value=i32[2]{-1,8}
    cubes = Const() i32[3] +dtype=i32 +value=i32[3]{-1,2,2}
    a = Exp(x) f32[?,16]
    r = Reshape(a, rows) f32[?,8]
    s = Reshape(r, cubes) f32[?,2,2]
    y = MadeUp(s) f32[?]
    z = MadeUp(s, r) f32[?]
  )";
  CHECK(order(text, "y") == "x cubes a s y");
  CHECK(order(text, "z") == "cubes x rows a s r z");
}

TEST_CASE("summaries that nobody fetches do not run") {
  const std::string_view text = R"(
    x = Placeholder() f32[4] +shape=[4]
    tag = Const() str[] +dtype=str +value=str[]{}
    h = HistogramSummary(tag, x) str[]
    all = MergeSummary(h) str[]
    y = Relu(x) f32[4]
    train = NoOp(^y, ^all)
    step = MadeUp(y, ^train) f32[4]
  )";
  CHECK(order(text, "step") == "x y step");
  CHECK(order(text, "all") == "tag x h all");
}

TEST_CASE("a fetched op runs as it stands") {
  CHECK(order(R"(
    x = Placeholder() f32[4] +shape=[4]
    a = Exp(x) f32[4]
    y = Identity(a) f32[4]
  )",
              "y") == "x a y");
}

TEST_CASE("of a conditional the branch that makes more runs") {
  const std::string_view text = R"(
    p = Placeholder() bool[] +shape=[]
    x = Placeholder() f32[4,64] +shape=[4,64]
    s = Switch(x, p) f32[4,64] f32[4,64]
    small = Tanh(s) f32[4,64]
    large = MatMul(s:1, s:1) f32[4,64]
    larger = Exp(large) f32[4,64]
    m = Merge(small, larger) f32[4,64] i32[]
    y = Relu(m) f32[4,64]
  )";
  CHECK(order(text, "y", kAsInFile) == "p x s small large larger m y");
  CHECK(order(text, "y") == "x p s large larger m y");
}

TEST_CASE("a fed value stays until the step is over, unless it is swapped out") {
  const std::string_view text = R"(
    x = Placeholder() f32[4,16] +shape=[4,16]
    a = MatMul(x, x) f32[4,16]
    b = MatMul(a, a) f32[4,16]
  )";
  const io::Document document = test::read_graph(text);
  CHECK(simulate_step(step_of(document, "b", kAsInFile)).timeline.device ==
        std::vector<Bytes>{256, 512, 512});
  CHECK(simulate_step(step_of(document, "b", kGpu)).timeline.device ==
        std::vector<Bytes>{256, 512, 768});
}

TEST_CASE("a CPU with one thread goes into the depth, a GPU takes what came first") {
  const std::string_view text = R"(
    x = Placeholder() f32[4,16] +shape=[4,16]
    a = Exp(x) f32[4,16]
    b = Log(x) f32[4,16]
    a2 = Tanh(a) f32[4,16]
    b2 = Sin(b) f32[4,16]
    y = MatMul(a2, b2) f32[4,16]
  )";
  CHECK(order(text, "y", kGpu) == "x a b a2 b2 y");
  CHECK(order(text, "y", kCpu) == "x b b2 a a2 y");
}

TEST_CASE("the first of several equal ops that a step needs stands for the others") {
  CHECK(order(R"(
    x = Placeholder() f32[4,16] +shape=[4,16]
    elsewhere = Exp(x) f32[4,16]
    a = Exp(x) f32[4,16]
    b = Exp(x) f32[4,16]
    y = MatMul(a, b) f32[4,16]
  )",
              "y") == "x a y");
}

TEST_CASE("what reads a result of a loop runs after the loop") {
  const std::string text = std::string(test::kLoop) + R"(
    y = Exp(exit) f32[4]
  )";
  CHECK(order(text, "y") == "x enter merge flag cond switch body next exit y");
}

TEST_CASE("a plan gives a merged op inputs of its own, so that it runs") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder() f32[4,16] +shape=[4,16]
    a = Exp(x) f32[4,16]
    b = Tanh(a) f32[4,16]
    c = Tanh(a) f32[4,16]
    y = MatMul(b, c) f32[4,16]
  )");
  const Graph& graph = document.graph;
  const StepGraph step = step_of(document, "y", kGpu);
  CHECK(order(graph, step) == "x a b y");
  GraphPlan plan;
  NewOp out;
  out.name = "out";
  out.type = "Identity";
  out.device = "/cpu:0";
  out.inputs = {{test::op(graph, "a"), 0}};
  out.attributes.emplace_back("T", AttrValue::of_type(DataType::kFloat));
  const OpId copy = plan.add_op(graph, out);
  plan.rerouted.push_back({test::op(graph, "c"), 0, {test::op(graph, "a"), 0}, {copy, 0}});
  const StepGraph changed = edited(step, graph, plan, std::nullopt);
  const FaithfulStep simulated = simulate_step(changed);
  CHECK(test::unavailable(changed, simulated) == "");
  CHECK(simulated.timeline.schedule.size() == 6);
}

namespace {

// A plan that swaps the only output of `tensor` for all inputs of `reader`.
GraphPlan swap_for(const Graph& graph, const std::string& tensor, const std::string& reader) {
  GraphPlan plan;
  const auto copy = [&](const std::string& name, TensorId from) {
    NewOp op{.name = name, .type = "Identity", .device = "/cpu:0", .inputs = {from}};
    op.attributes.emplace_back("T", AttrValue::of_type(DataType::kFloat));
    op.attributes.emplace_back(kKeptFromGrappler, AttrValue::of_bool(true));
    return plan.add_op(graph, op);
  };
  const TensorId swapped{test::op(graph, tensor), 0};
  const OpId out = copy("lms/swapout_" + tensor + "_0", swapped);
  const OpId in = copy("lms/swapin_" + tensor + "_0", {out, 0});
  const OpId op = test::op(graph, reader);
  const auto inputs = graph.inputs(op);
  for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
    if (inputs[slot] == swapped) plan.rerouted.push_back({op, slot, swapped, {in, 0}});
  }
  return plan;
}

// The ops that run after the plan, as predicted and of the graph that the plan gives.
std::string order_after(std::string_view text, const std::string& tensor,
                        const std::string& reader) {
  const io::Document document = test::read_graph(text);
  const Graph& graph = document.graph;
  const StepGraph step = step_of(document, "y", kGpu);
  const GraphPlan plan = swap_for(graph, tensor, reader);
  REQUIRE(keeps_facts(step, graph, plan, std::nullopt));
  const StepGraph predicted = edited(step, graph, plan, std::nullopt);
  auto changed = apply(graph, plan);
  REQUIRE(changed);
  io::Document built = test::read_graph(text);
  built.graph = *std::move(changed);
  CHECK(test::difference(simulate_step(predicted).timeline,
                         simulate_step(step_of(built, "y", kGpu)).timeline) == "");
  return order(built.graph, predicted);
}

}  // namespace

// The graph of the plan need not be built for it.
TEST_CASE("a plan that swaps for an op that computes nothing keeps the facts") {
  constexpr std::string_view kText = R"(
    x = Placeholder() f32[4,16] +shape=[4,16]
    a = Exp(x) f32[4,16]
    q = Mul(a, a) f32[4,16]
    b = Tanh(x) f32[4,16]
    group = NoOp(^q)
    y = Relu(b, ^group) f32[4,16]
  )";
  const io::Document document = test::read_graph(kText);
  const StepGraph step = step_of(document, "y", kGpu);
  CHECK(step.ops[test::op(document.graph, "a").index()].tensor_count == 0);
  CHECK(order_after(kText, "a", "q") == "x b a lms/swapout_a_0 lms/swapin_a_0 y");
}

// Grappler looks past ops of one device only.
TEST_CASE("an op that does nothing runs behind a copy") {
  constexpr std::string_view kText = R"(
    x = Placeholder() f32[4,16] +shape=[4,16]
    a = Exp(x) f32[4,16]
    r = StopGradient(a) f32[4,16]
    y = Relu(r) f32[4,16]
  )";
  CHECK(order(kText, "y") == "x a y");
  CHECK(order_after(kText, "a", "r") == "x a lms/swapout_a_0 lms/swapin_a_0 r y");
}

// Grappler makes a NoOp of what others only wait for, but keeps what is marked, and what that
// reads.
TEST_CASE("a marked copy runs though only a folded op reads it, an unmarked one does not") {
  const std::string text = R"(
    x = Placeholder() f32[4,16]
    a = Exp(x) f32[4,16]
    lms/swapout_a_0 = Identity(a) @/cpu:0 f32[4,16] +T=f32 MARK
    lms/swapin_a_0 = Identity(lms/swapout_a_0) @/cpu:0 f32[4,16] +T=f32 MARK
    q = Mul(lms/swapin_a_0, lms/swapin_a_0) f32[4,16]
    b = Exp(x) f32[4,16]
    group = NoOp(^q)
    y = Relu(b, ^group) f32[4,16]
  )";
  const auto with = [&](const std::string& mark) {
    std::string marked = text;
    for (std::size_t at = 0; (at = marked.find("MARK", at)) != std::string::npos;) {
      marked.replace(at, 4, mark);
    }
    return order(marked, "y");
  };
  CHECK(with("+_grappler_do_not_remove=true") == "x a lms/swapout_a_0 lms/swapin_a_0 y");
  CHECK(with("+_grappler_do_not_remove=false") == "x a y");
}

}  // namespace tideline
