// Section-wise training, rule by rule, on graphs small enough to be read.
#include <catch2/catch.hpp>

#include "tests/unit/rewrite/sections_text.h"

namespace tideline {
namespace {

using test::adds;
using test::cached;
using test::error_of;
using test::fed;
using test::kept;
using test::kTwoLayers;
using test::plan_of;
using test::targets;
using test::two_scopes;
using test::waits;
using test::with;
using Texts = std::vector<std::string>;

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

TEST_CASE("A gradient that is read through several views is kept once", "[sections]") {
  // As the two inputs of an addition in a residual block have it.
  std::string text(kTwoLayers);
  const std::string reader = "g/dmul = TanhGrad(a/out, g/da)";
  text.replace(text.find(reader), reader.size(),
               "g/left = Identity(g/da) f32[4] +T=f32\n"
               "  g/right = Identity(g/da, ^g/left) f32[4] +T=f32\n"
               "  g/again = Identity(g/right) f32[4] +T=f32\n"
               "  g/other = TanhGrad(a/out, g/again) f32[4] +T=f32\n"
               "  g/dmul = TanhGrad(a/out, g/left)");
  const std::string product = "g/dv = Mul(g/dmul, x)";
  text.replace(text.find(product), product.size(), "g/dv = Mul(g/dmul, g/other)");
  const io::Document net = test::read_graph(text);
  const SectionsPlan plan = plan_of(net, two_scopes());
  CHECK(kept(net, plan.report.phases[0]) == Texts{"g/da:0"});
  CHECK(fed(net, plan.report.phases[1]) == Texts{"g/da:0"});
  CHECK(adds(plan, "phase_0/g/again"));
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
  CHECK(error_of(net, options).find("{scopes}: the scope 'nowhere'") == 0);
  options = two_scopes();
  options.scopes = {"a", "a/"};
  CHECK(error_of(net, options) == "{scopes}: 'a/' is given twice");
  options = two_scopes();
  options.loss = "nothing";
  CHECK(error_of(net, options) == "{loss}: the graph has no op or tensor 'nothing'");
  options = two_scopes();
  options.train_op = "nothing";
  CHECK(error_of(net, options) == "{train-op}: the graph has no op or tensor 'nothing'");
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
  CHECK(borders({"0:3", "4:9"}) == "{levels}: '4:9': expected ranges that adjoin");
  CHECK(borders({"9", "3"}) == "{levels}: '3': expected borders that ascend");
  CHECK(borders({"0:3", "5"}) == "{levels}: '5': expected ranges or borders, not both");
  CHECK(borders({"5:9", "9:12"}) == "{levels}: '5:9': expected a first range that begins at 0");
  CHECK(borders({"0:5"}).find("one range is one section") != std::string::npos);
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
