// Steps that cannot be cut into sections as asked, each refused with the option, or the op and
// rule.
#include <catch2/catch.hpp>

#include "tests/unit/rewrite/sections_text.h"

namespace tideline {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using test::error_of;
using test::kTwoLayers;
using test::replaced;
using test::try_plan;
using test::two_scopes;
using test::with;

TEST_CASE("A loss that is an output its op does not have is refused, not looked up", "[sections]") {
  const io::Document net = test::read_graph(kTwoLayers);
  SectionsOptions options = two_scopes();
  options.loss = "b/loss:7";
  CHECK(error_of(net, options) == "{loss}: op 'b/loss' (Sum) has no output 7");
  // With sizes the memory of the runs is simulated, too.
  const auto plan = try_plan(net, options, 100);
  REQUIRE_FALSE(plan);
  CHECK(plan.error().code == Code::kNotFound);
}

TEST_CASE("Borders are not searched for among sizes that nobody knows", "[sections]") {
  std::string text = replaced(kTwoLayers, "x = Placeholder() f32[4] +dtype=f32 +shape=[4]",
                              "x = Placeholder() f32[?] +dtype=f32 +shape=[?]");
  const io::Document net = test::read_graph(text);
  SectionsOptions options = two_scopes();
  options.scopes.clear();
  const auto within = try_plan(net, options, std::nullopt, Bytes{1000});
  REQUIRE_FALSE(within);
  CHECK(within.error().code == Code::kInvalidArgument);
  CHECK_THAT(within.error().message,
             Contains("which 'x:0' (shape [?]) leaves open") && Contains("expected {batch-size}"));
  options.count = 2;
  CHECK_THAT(error_of(net, options), Contains("expected {batch-size}"));
  CHECK(try_plan(net, options, 4));
  CHECK(error_of(test::read_graph(kTwoLayers), options).empty());  // its sizes are fixed
  CHECK(error_of(net, two_scopes()).empty());                      // nothing is searched for
}

TEST_CASE("Sections that are given have to stay within the device memory, too", "[sections]") {
  const io::Document net = test::read_graph(kTwoLayers);
  SectionsOptions by_levels = two_scopes();
  by_levels.scopes.clear();
  by_levels.levels = {"4"};
  SectionsOptions by_count = two_scopes();
  by_count.scopes.clear();
  by_count.count = 2;
  for (const SectionsOptions& options : {two_scopes(), by_levels, by_count}) {
    const auto plan = try_plan(net, options, std::nullopt, Bytes{20});
    REQUIRE_FALSE(plan);
    CHECK(plan.error().code == Code::kOverBudget);
    CHECK_THAT(plan.error().message,
               StartsWith("the largest peak of a run is ") && Contains("at most 20 B may be used"));
    CHECK(try_plan(net, options, std::nullopt, Bytes{100000}));
  }
}

TEST_CASE("Borders outside of the forward pass are refused, not taken for empty sections",
          "[sections]") {
  const io::Document net = test::read_graph(kTwoLayers);
  SectionsOptions options = two_scopes();
  options.scopes.clear();
  options.levels = {"100000"};  // a/mul 2, a/out 3, b/mul 4, b/square 5, b/loss 6
  CHECK_THAT(error_of(net, options), StartsWith("{levels}: section 1 would have no op") &&
                                         Contains("at the levels 2 to 6"));
  options.levels = {"2"};
  CHECK_THAT(error_of(net, options), StartsWith("{levels}: section 0 would have no op"));
  options.levels = {"0:4", "4:5"};  // the last range goes on to the end
  CHECK(error_of(net, options).empty());
}

TEST_CASE("A scope of updates is no section, and scopes in the wrong order are noted",
          "[sections]") {
  // A shape that only the backward pass reads, and an update.
  const std::string text =
      replaced(replaced(kTwoLayers, "g/dims = Const() i32[1] +dtype=i32 +value=i32[1]{4}",
                        "opt/dims = Shape(b/mul) i32[1] +T=f32 +out_type=i32"),
               "Fill(g/dims, g/seed)", "Fill(opt/dims, g/seed)");
  const io::Document net = test::read_graph(with(text, R"(
  opt/step = VariableV2() f32[4] +dtype=f32 +shape=[4]
  opt/count = AssignAdd(opt/step, x, ^train) f32[4] +T=f32
)"));
  SectionsOptions options = two_scopes();
  options.train_op = "opt/count";
  options.scopes = {"a", "b", "opt"};
  CHECK_THAT(error_of(net, options),
             StartsWith("{scopes}: the scope 'opt' has no op of the forward"));
  options.scopes = {"a", "b"};
  CHECK(test::plan_of(net, options).report.notices.empty());
  options.scopes = {"b", "a"};
  const auto plan = try_plan(net, options);
  REQUIRE(plan);
  REQUIRE(plan->report.notices.size() == 1);
  CHECK_THAT(plan->report.notices[0], StartsWith("{scopes}: op 'b/mul' of section 0 (b) reads "
                                                 "'a/out:0' of section 1 (a)"));
}

TEST_CASE("Options that the sets of the reference do not heed are refused beside them",
          "[sections]") {
  const io::Document net = test::read_graph(kTwoLayers);
  SectionsOptions reference;
  reference.compat = true;
  reference.scopes = {"a/", "b"};  // a slash makes no difference
  reference.train_ops = {"up_v", "up_w"};
  const auto plan = try_plan(net, reference);
  REQUIRE(plan);
  CHECK(plan->report.reference.size() == 2);
  CHECK(plan->edit.added.empty());
  SectionsOptions options = reference;
  options.levels = {"4"};
  CHECK_THAT(error_of(net, options), StartsWith("{compat} takes the sections of the reference"));
  options = reference;
  options.count = 3;
  CHECK_THAT(error_of(net, options), Contains("expected neither {levels} nor {sections}"));
  const auto within = try_plan(net, reference, std::nullopt, Bytes{1000});
  REQUIRE_FALSE(within);
  CHECK_THAT(within.error().message, Contains("nor {device-memory}"));
  options = reference;
  options.scopes = {"a", "a/"};
  CHECK(error_of(net, options) == "{scopes}: 'a/' is given twice");
  options = reference;
  options.train_ops = {"up_v"};
  CHECK(validate(options).error().message ==
        "{train-ops} names 1 ops for 2 sections; expected one for each of {scopes}");
  options = reference;
  options.train_ops = {"up_v", "gone"};
  CHECK(error_of(net, options) == "{train-ops}: the graph has no op or tensor 'gone'");
  options = reference;
  options.fetches = {"gone:0"};
  CHECK(error_of(net, options) == "{fetches}: the graph has no op or tensor 'gone:0'");
  options = two_scopes();
  options.fetches = {"a/mul"};
  CHECK(validate(options).error().message ==
        "{fetches} asks what the reference does; expected {compat} beside it");
  options = reference;
  options.scopes = {"a", "gone"};
  CHECK(error_of(net, options) == "{scopes}: no op is in the scope 'gone'");
}

// What is only in a branch of a conditional.
constexpr std::string_view kFlag = R"(
  flag = Placeholder() bool[] +dtype=bool +shape=[]
  step = VariableV2() f32[4] +dtype=f32 +shape=[4]
)";

TEST_CASE("An effect in a branch that leads to no op outside is refused", "[sections]") {
  const io::Document net = test::read_graph(with(with(kTwoLayers, kFlag), R"(
  branch = Switch(x, flag) f32[4] f32[4] +T=f32
  count = AssignAdd(step, branch:1) f32[4] +T=f32
  all = NoOp(^train, ^count)
)"));
  SectionsOptions options = two_scopes();
  options.train_op = "all";
  CHECK(error_of(net, options) ==
        "op 'count' (AssignAdd) is inside a loop or branch that ends in no op of the step; "
        "expected effects that some op waits for");
}

TEST_CASE("A loss that waits for the update is refused", "[sections]") {
  const io::Document net = test::read_graph(replaced(kTwoLayers, "b/loss = Sum(b/square, b/axes)",
                                                     "b/loss = Sum(b/square, b/axes, ^up_w)"));
  CHECK_THAT(error_of(net, two_scopes()),
             StartsWith("op 'up_w' (ApplyGradientDescent) would run in the forward run"));
}

TEST_CASE("A write of the forward run is refused where a later run needs the old value",
          "[sections]") {
  std::string text = replaced(kTwoLayers, "b/loss = Sum(b/square, b/axes)",
                              "b/loss = Sum(b/square, b/axes, ^bump)");
  text = with(text, "bump = AssignAdd(v, x, ^a/mul) f32[4] +T=f32\n");
  const io::Document net = test::read_graph(text);
  CHECK_THAT(error_of(net, two_scopes()),
             StartsWith("op 'bump' (AssignAdd) writes a variable, but op 'a/mul' (Mul), which the "
                        "later run of section 0 computes, needs the old value"));
}

TEST_CASE("A value from after an update is refused where its run is before that", "[sections]") {
  const io::Document net = test::read_graph(with(with(kTwoLayers, kFlag), R"(
  v/late = Identity(v, ^up_v) f32[4] +T=f32
  b/late = Mul(b/mul, v/late) f32[4] +T=f32
  move = AssignAdd(step, b/late) f32[4] +T=f32
  all = NoOp(^train, ^move)
)"));
  SectionsOptions options = two_scopes();
  options.train_op = "all";
  CHECK_THAT(error_of(net, options),
             StartsWith("op 'b/late' (Mul) needs a variable as op 'up_v' (ApplyGradientDescent) "
                        "has written it, but the run of section 1 computes it before"));
}

TEST_CASE("A forward pass of one level has no place to cut", "[sections]") {
  const io::Document net = test::read_graph(R"(
  x = Placeholder() f32[] +dtype=f32 +shape=[]
  v = VariableV2() f32[] +dtype=f32 +shape=[]
  v/read = Identity(v) f32[] +T=f32
  loss = Mul(x, v/read) f32[] +T=f32
  g/dims = Const() i32[0] +dtype=i32 +value=i32[0]{}
  g/seed = Const() f32[] +dtype=f32 +value=f32[]{1}
  g/fill = Fill(g/dims, g/seed) f32[] +T=f32 +index_type=i32
  g/dv = Mul(g/fill, x) f32[] +T=f32
  lr = Const() f32[] +dtype=f32
  train = ApplyGradientDescent(v, lr, g/dv) f32[] +T=f32
)");
  SectionsOptions options;
  options.train_op = "train";
  options.loss = "loss";
  const auto plan = try_plan(net, options, std::nullopt, Bytes{1000});
  REQUIRE_FALSE(plan);
  CHECK(plan.error().message == "the forward pass has no place to cut; expected layers");
  options.count = 2;
  CHECK(error_of(net, options) ==
        "{sections} 2: the forward pass has 0 places to cut; expected at most 1 section");
}

}  // namespace
}  // namespace tideline
