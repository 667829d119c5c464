// Section-wise training, rule by rule, on graphs small enough to be read.
#include "core/rewrite/sections/sections.h"

#include <catch2/catch.hpp>

#include "core/graph/graph_edit.h"
#include "core/graph/verify.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

using Texts = std::vector<std::string>;

// Two layers of one variable each, squared, and gradient descent written out. The gradient of the
// second layer's input is the only value that crosses the border backwards.
constexpr std::string_view kTwoLayers = R"(
  x = Placeholder() f32[4] +dtype=f32 +shape=[4]
  v = VariableV2() f32[4] +dtype=f32 +shape=[4]
  w = VariableV2() f32[4] +dtype=f32 +shape=[4]
  v/read = Identity(v) f32[4] +T=f32
  w/read = Identity(w) f32[4] +T=f32
  a/mul = Mul(x, v/read) f32[4] +T=f32
  a/out = Tanh(a/mul) f32[4] +T=f32
  b/mul = Mul(a/out, w/read) f32[4] +T=f32
  b/square = Square(b/mul) f32[4] +T=f32
  b/axes = Const() i32[1] +dtype=i32 +value=i32[1]{0}
  b/loss = Sum(b/square, b/axes) f32[] +T=f32 +Tidx=i32
  g/seed = Const() f32[] +dtype=f32 +value=f32[]{1}
  g/dims = Const() i32[1] +dtype=i32 +value=i32[1]{4}
  g/fill = Fill(g/dims, g/seed) f32[4] +T=f32 +index_type=i32
  g/two = Const() f32[] +dtype=f32
  g/twice = Mul(g/two, b/mul) f32[4] +T=f32
  g/db = Mul(g/fill, g/twice) f32[4] +T=f32
  g/da = Mul(g/db, w/read) f32[4] +T=f32
  g/dw = Mul(g/db, a/out) f32[4] +T=f32
  g/dmul = TanhGrad(a/out, g/da) f32[4] +T=f32
  g/dv = Mul(g/dmul, x) f32[4] +T=f32
  lr = Const() f32[] +dtype=f32
  up_v = ApplyGradientDescent(v, lr, g/dv) f32[4] +T=f32
  up_w = ApplyGradientDescent(w, lr, g/dw) f32[4] +T=f32
  train = NoOp(^up_v, ^up_w)
)";

SectionsOptions two_scopes() {
  SectionsOptions options;
  options.scopes = {"a", "b"};
  options.train_op = "train";
  options.loss = "b/loss";
  return options;
}

Result<SectionsPlan> try_plan(const io::Document& net, const SectionsOptions& options) {
  Progress silent;
  return plan_sections(net.graph, net.collections, {}, options, std::nullopt, silent);
}

SectionsPlan plan_of(const io::Document& net, const SectionsOptions& options) {
  auto plan = try_plan(net, options);
  INFO((plan ? "" : plan.error().message));
  REQUIRE(plan);
  const auto changed = apply(net.graph, plan->edit);
  INFO((changed ? "" : changed.error().message));
  REQUIRE(changed);
  REQUIRE(verify_acyclic(*changed));
  return *std::move(plan);
}

std::string error_of(const io::Document& net, const SectionsOptions& options) {
  const auto plan = try_plan(net, options);
  return plan ? "" : plan.error().message;
}

Texts fed(const io::Document& net, const SectionPhase& phase) {
  Texts names;
  for (const auto& [placeholder, tensor] : phase.feeds) {
    names.push_back(net.graph.tensor_name(tensor));
  }
  return names;
}
Texts kept(const io::Document& net, const SectionPhase& phase) {
  Texts names;
  for (const auto& [fetched, tensor] : phase.cache) names.push_back(net.graph.tensor_name(tensor));
  return names;
}
Texts targets(const io::Document& net, const SectionPhase& phase) {
  Texts names;
  for (const OpId op : phase.targets) names.emplace_back(net.graph.name(op));
  return names;
}
Texts cached(const io::Document& net, const SectionsPlan& plan) {
  Texts names;
  for (const TensorId tensor : plan.report.forward_cache) {
    names.push_back(net.graph.tensor_name(tensor));
  }
  return names;
}
// The control inputs of an added op, by name.
Texts waits(const io::Document& net, const SectionsPlan& plan, std::string_view name) {
  Texts names;
  for (const AddedOp& op : plan.edit.added) {
    if (op.name != name) continue;
    for (const OpId after : plan.edit.control_inputs(op)) {
      names.emplace_back(plan.edit.name(net.graph, after));
    }
  }
  return names;
}
bool adds(const SectionsPlan& plan, std::string_view name) {
  return std::any_of(plan.edit.added.begin(), plan.edit.added.end(),
                     [&](const AddedOp& op) { return op.name == name; });
}

std::string with(std::string_view base, std::string_view more) {
  return std::string(base) + std::string(more);
}

TEST_CASE("A value crosses a border once, and every update runs in one run", "[sections]") {
  const io::Document net = test::read_graph(kTwoLayers);
  const SectionsPlan plan = plan_of(net, two_scopes());
  CHECK(cached(net, plan) == Texts{"a/out:0"});
  REQUIRE(plan.report.phases.size() == 2);
  const SectionPhase& last = plan.report.phases[0];
  CHECK(last.section == 1);
  CHECK(last.label == "b");
  CHECK(fed(net, last) == Texts{"a/out:0"});
  CHECK(targets(net, last) == Texts{"up_w"});
  const SectionPhase& first = plan.report.phases[1];
  CHECK(first.section == 0);
  CHECK(targets(net, first) == Texts{"up_v"});
  CHECK(fed(net, first) == kept(net, last));
  CHECK(kept(net, last) == Texts{"g/da:0"});
  CHECK(kept(net, first).empty());
}

TEST_CASE("Placeholders, variables and what the forward run draws are shared", "[sections]") {
  const io::Document net = test::read_graph(kTwoLayers);
  const SectionsPlan plan = plan_of(net, two_scopes());
  CHECK(adds(plan, "phase_0/a/mul"));
  CHECK_FALSE(adds(plan, "phase_0/x"));
  CHECK_FALSE(adds(plan, "phase_0/v"));
  CHECK_FALSE(adds(plan, "phase_1/a/mul"));
  CHECK(waits(net, plan, "phase_0/train") == Texts{"phase_0/up_v"});
}

TEST_CASE("An update waits for all runs that read its variable", "[sections]") {
  // Section 0 reads w as well, so w is updated in the last run, after all of its readers.
  std::string text(kTwoLayers);
  text.replace(text.find("a/mul = Mul(x, v/read)"), 22,
               "a/both = Add(v/read, w/read) f32[4] +T=f32\n"
               "  a/mul = Mul(x, a/both)");
  const io::Document net = test::read_graph(text);
  const SectionsPlan plan = plan_of(net, two_scopes());
  CHECK(targets(net, plan.report.phases[0]).empty());
  CHECK(targets(net, plan.report.phases[1]) == Texts{"up_v", "up_w"});
}

TEST_CASE("An update without a gradient runs once, in the last run", "[sections]") {
  const io::Document net = test::read_graph(with(kTwoLayers, R"(
  step = VariableV2() i64[] +dtype=i64 +shape=[]
  one = Const() i64[] +dtype=i64
  count = AssignAdd(step, one, ^train) i64[] +T=i64
)"));
  SectionsOptions options = two_scopes();
  options.train_op = "count";
  const SectionsPlan plan = plan_of(net, options);
  CHECK(targets(net, plan.report.phases[0]) == Texts{"up_w"});
  CHECK(targets(net, plan.report.phases[1]) == Texts{"count", "up_v"});
  // Of the control edges only those to ops of the same run are left.
  CHECK(waits(net, plan, "phase_0/count") == Texts{"phase_0/train"});
  CHECK(waits(net, plan, "phase_0/train") == Texts{"phase_0/up_v"});
}

TEST_CASE("Random numbers are drawn once and cut", "[sections]") {
  std::string text(kTwoLayers);
  text.replace(text.find("a/out = Tanh(a/mul)"), 19,
               "a/shape = Const() i32[1] +dtype=i32 +value=i32[1]{4}\n"
               "  a/draw = RandomUniform(a/shape) f32[4] +T=i32 +dtype=f32\n"
               "  a/noisy = Mul(a/mul, a/draw) f32[4] +T=f32\n"
               "  a/out = Tanh(a/noisy)");
  const io::Document net = test::read_graph(text);
  const SectionsPlan plan = plan_of(net, two_scopes());
  CHECK_FALSE(adds(plan, "phase_0/a/draw"));
  CHECK(cached(net, plan) == Texts{"a/draw:0", "a/out:0"});
}

TEST_CASE("What cannot be found or cut is refused with the name of the option", "[sections]") {
  const io::Document net = test::read_graph(kTwoLayers);
  SectionsOptions options = two_scopes();
  options.scopes = {"a", "nowhere"};
  CHECK(error_of(net, options).find("--scopes: the scope 'nowhere'") == 0);
  options = two_scopes();
  options.scopes = {"a", "a/"};
  CHECK(error_of(net, options) == "--scopes: 'a/' is given twice");
  options = two_scopes();
  options.loss = "nothing";
  CHECK(error_of(net, options) == "--loss: 'nothing' names no tensor of the graph");
  options = two_scopes();
  options.train_op = "nothing";
  CHECK(error_of(net, options) == "--train-op: 'nothing' names no op of the graph");
  options = two_scopes();
  options.levels = {"3"};
  CHECK(error_of(net, options).find("expected one of these") != std::string::npos);
  options = two_scopes();
  options.train_op = "b/loss";
  CHECK(error_of(net, options).find("computes a gradient of the loss") != std::string::npos);
}

TEST_CASE("Levels are ranges that adjoin, or borders", "[sections]") {
  const auto borders = [](const Texts& levels) {
    SectionsOptions options;
    options.levels = levels;
    options.loss = "l";
    const Status status = validate(options);
    return status ? std::string("fine") : status.error().message;
  };
  CHECK(borders({"0:3", "3:9"}) == "fine");
  CHECK(borders({"3", "9"}) == "fine");
  CHECK(borders({"0:3", "4:9"}) == "--levels: '4:9': expected ranges that adjoin");
  CHECK(borders({"9", "3"}) == "--levels: '3': expected borders that ascend");
  CHECK(borders({"0:3", "5"}) == "--levels: '5': expected ranges or borders, not both");
  CHECK(borders({"x"}).find("expected ranges of levels") != std::string::npos);
}

TEST_CASE("Sections by level do not depend on names", "[sections]") {
  const io::Document net = test::read_graph(kTwoLayers);
  SectionsOptions options = two_scopes();
  options.scopes.clear();
  options.levels = {"4"};  // x 0, v/read 1, a/mul 2, a/out 3, b/mul 4
  const SectionsPlan plan = plan_of(net, options);
  CHECK(cached(net, plan) == Texts{"a/out:0"});
  CHECK(plan.report.phases[0].label == "levels from 4");
  CHECK(plan.report.borders == std::vector<std::int32_t>{4});
}

}  // namespace
}  // namespace tideline
