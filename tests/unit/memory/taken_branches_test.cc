#include "core/memory/taken_branches.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/memory/faithful.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

Result<StepGraph> try_step(const io::Document& document, const std::string& fetch,
                           std::vector<GivenBranch> branches) {
  const auto tensors = TensorTable::build(document.graph, {.model = SizeModel::kFaithful});
  REQUIRE(tensors);
  StepOptions options;
  options.fetches = {fetch};
  options.run = {AsRun::kModelled, Executor::kGpu, std::move(branches)};
  return build_step_graph(document.graph, *tensors, document.collections, options);
}

// The ops of the branches that run, and what is said.
struct Taken {
  std::string ops;
  std::string text;
  StepGraph step;
};

Taken taken(std::string_view text, const std::string& fetch,
            std::vector<GivenBranch> branches = {}) {
  const io::Document document = test::read_graph(text);
  auto step = try_step(document, fetch, std::move(branches));
  REQUIRE(step);
  std::vector<std::string_view> names;
  for (const OpId op : simulate_step(*step).timeline.schedule) {
    if (document.graph.type(op) == "MadeUp") names.push_back(document.graph.name(op));
  }
  std::sort(names.begin(), names.end());
  std::string said = taken_text(*step);
  return {fmt::format("{}", fmt::join(names, " ")), std::move(said), *std::move(step)};
}

std::string error_of(std::string_view text, const std::string& fetch, const std::string& name) {
  const auto step = try_step(test::read_graph(text), fetch, {{name, true}});
  REQUIRE(!step);
  CHECK(step.error().code == Code::kNotFound);
  return step.error().message;
}

// False makes 1 KiB of the Switch and 1 of f; true 1 KiB and 2 of t and t2.
constexpr std::string_view kOne = R"(
  p = Placeholder() bool[] +shape=[]
  x = Placeholder() f32[256] +shape=[256]
  cond/pred_id = Identity(p) bool[]
  cond/s = Switch(x, cond/pred_id) f32[256] f32[256]
  f = MadeUp(cond/s) f32[256]
  t = MadeUp(cond/s:1) f32[256]
  t2 = MadeUp(t) f32[256]
  cond/Merge = Merge(f, t2) f32[256] i32[]
  y = Relu(cond/Merge) f32[256]
)";

// Two conditionals of one predicate, which they get in different ways: alone, each would take
// another branch.
constexpr std::string_view kAlike = R"(
  p = Placeholder() bool[] +shape=[]
  x = Placeholder() f32[256] +shape=[256]
  cond/pred_id = Identity(p) bool[]
  cond/s = Switch(x, cond/pred_id) f32[256] f32[256]
  f = MadeUp(cond/s) f32[256]
  t = MadeUp(cond/s:1) f32[256]
  t2 = MadeUp(t) f32[256]
  cond/Merge = Merge(f, t2) f32[256] i32[]
  cond_1/pred_id = Identity(p) bool[]
  cond_1/s = Switch(x, cond_1/pred_id) f32[256] f32[256]
  g = MadeUp(cond_1/s) f32[256]
  g2 = MadeUp(g) f32[256]
  g3 = MadeUp(g2) f32[256]
  u = MadeUp(cond_1/s:1) f32[256]
  cond_1/Merge = Merge(g3, u) f32[256] i32[]
  y = Add(cond/Merge, cond_1/Merge) f32[256]
)";

// False makes 10 KiB; true 9.25 with the larger branch of the conditional inside, 13.25 with both.
constexpr std::string_view kNested = R"(
  p = Placeholder() bool[] +shape=[]
  q = Placeholder() bool[] +shape=[]
  x = Placeholder() f32[256] +shape=[256]
  cond/pred_id = Identity(p) bool[]
  cond/s = Switch(x, cond/pred_id) f32[256] f32[256]
  f = MadeUp(cond/s) f32[256]
  f2 = MadeUp(f) f32[1024]
  f3 = MadeUp(f2) f32[1024]
  f4 = MadeUp(f3) f32[256]
  t = MadeUp(cond/s:1) f32[256]
  cond/q = Switch(q, cond/pred_id) bool[] bool[]
  cond/cond/pred_id = Identity(cond/q:1) bool[]
  cond/cond/s = Switch(t, cond/cond/pred_id) f32[256] f32[256]
  tf = MadeUp(cond/cond/s) f32[1024]
  tt = MadeUp(cond/cond/s:1) f32[1024]
  tt2 = MadeUp(tt) f32[256]
  cond/cond/Merge = Merge(tf, tt2) f32[256] i32[]
  cond/Merge = Merge(f4, cond/cond/Merge) f32[256] i32[]
  y = Relu(cond/Merge) f32[256]
)";

}  // namespace

TEST_CASE("of a conditional the branch that makes more is taken, or the given one", "[branch]") {
  CHECK(taken(kOne, "y").ops == "t t2");
  CHECK(taken(kOne, "y").text ==
        "of 1 conditional, cond takes true (makes 2.00 KiB, false 1.00 KiB)");
  for (const char* name : {"cond", "p"}) {
    const Taken given = taken(kOne, "y", {{name, false}});
    CHECK(given.ops == "f");
    CHECK(given.text ==
          "of 1 conditional, cond takes false (as given; makes 1.00 KiB, true 2.00 KiB)");
  }
  CHECK(taken(kOne, "y", {{"cond", true}}).ops == "t t2");
}

TEST_CASE("of two choices for one conditional the last counts", "[branch]") {
  CHECK(taken(kOne, "y", {{"cond", true}, {"p", false}}).ops == "f");
}

TEST_CASE("conditionals of one predicate take the same branch", "[branch]") {
  CHECK(taken(kAlike, "y").ops == "f g g2 g3");
  CHECK(taken(kAlike, "y").text ==
        "of 1 conditional, cond takes false (makes 4.00 KiB, true 3.00 KiB)");
  for (const char* name : {"cond", "cond_1", "p"}) {
    CHECK(taken(kAlike, "y", {{name, true}}).ops == "t t2 u");
  }
}

TEST_CASE("of a conditional inside another only the branch that it takes counts", "[branch]") {
  CHECK(taken(kNested, "y").ops == "f f2 f3 f4");
  CHECK(taken(kNested, "y").text ==
        "of 2 conditionals, cond takes false (makes 10.00 KiB, true 9.25 KiB), cond/cond does not "
        "run");
  const Taken outer = taken(kNested, "y", {{"cond", true}});
  CHECK(outer.ops == "t tt tt2");
  CHECK(outer.step.taken[0].bytes == std::array<Bytes, 2>{10240, 9472});
  CHECK(outer.step.taken[1].takes);
  CHECK(taken(kNested, "y", {{"cond", true}, {"cond/cond", false}}).ops == "t tf");
  CHECK(taken(kNested, "y", {{"cond", true}, {"q", false}}).ops == "t tf");
  // The choice of the inner one alone does not make the outer one take it.
  CHECK(taken(kNested, "y", {{"cond/cond", false}}).ops == "f f2 f3 f4");
}

TEST_CASE("a branch of one predicate inside the other branch of it never runs", "[branch]") {
  constexpr std::string_view kInside = R"(
    p = Placeholder() bool[] +shape=[]
    x = Placeholder() f32[256] +shape=[256]
    cond/s = Switch(x, p) f32[256] f32[256]
    cond/p = Switch(p, p) bool[] bool[]
    t = MadeUp(cond/s:1) f32[256]
    cond/cond/s = Switch(t, cond/p:1) f32[256] f32[256]
    never = MadeUp(cond/cond/s) f32[8192]
    tt = MadeUp(cond/cond/s:1) f32[256]
    cond/cond/Merge = Merge(never, tt) f32[256] i32[]
    f = MadeUp(cond/s) f32[2048]
    cond/Merge = Merge(f, cond/cond/Merge) f32[256] i32[]
    y = Relu(cond/Merge) f32[256]
  )";
  CHECK(taken(kInside, "y").ops == "f");
  CHECK(taken(kInside, "y", {{"cond", true}}).ops == "t tt");
}

TEST_CASE("copies of swaps have no say in which branch is the larger one", "[branch]") {
  CHECK(taken(R"(
    p = Placeholder() bool[] +shape=[]
    x = Placeholder() f32[256] +shape=[256]
    cond/s = Switch(x, p) f32[256] f32[256]
    f = MadeUp(cond/s) f32[256]
    lms/swapout_f_0 = Identity(f) f32[256] @/cpu:0
    lms/swapin_f_0 = Identity(lms/swapout_f_0, ^f) f32[256]
    t = MadeUp(cond/s:1) f32[256]
    t2 = MadeUp(t) f32[64]
    cond/Merge = Merge(lms/swapin_f_0, t2) f32[256] i32[]
    y = Relu(cond/Merge) f32[256]
  )",
              "y")
            .text == "of 1 conditional, cond takes true (makes 1.25 KiB, false 1.00 KiB)");
}

TEST_CASE("a name of no conditional is an error with the nearest names", "[branch]") {
  CHECK(error_of(kOne, "y", "condd") ==
        "{branch} condd: there is no such conditional; expected cond");
  CHECK(error_of(kAlike, "y", "cond_2") ==
        "{branch} cond_2: there is no such conditional; expected one like cond_1, cond");
  CHECK(error_of(kOne, "y", "zzzzzzzzz") ==
        "{branch} zzzzzzzzz: there is no such conditional; expected cond");
  CHECK(error_of("x = Placeholder() f32[4] +shape=[4]\ny = Exp(x) f32[4]", "y", "cond") ==
        "{branch} cond: there is no such conditional; the graph has no conditionals");
}

TEST_CASE("of an op that calls its branches no branch can be chosen", "[branch]") {
  constexpr std::string_view kIf = R"(
    p = Placeholder() bool[] +shape=[]
    x = Placeholder() f32[4] +shape=[4]
    cond = StatelessIf(p, x) f32[4]
    y = MadeUp(cond) f32[4]
  )";
  CHECK(error_of(kIf, "y", "cond") ==
        "{branch} cond: calls its branches as functions (StatelessIf), of which none is "
        "simulated; expected a conditional of Switch and Merge ops");
}

TEST_CASE("of an op of the other branch it is said that this is not taken", "[branch]") {
  const io::Document document = test::read_graph(kOne);
  const auto step = try_step(document, "y", {});
  REQUIRE(step);
  CHECK(skipped_text(*step, test::op(document, "f")) ==
        "it is of the branch of cond for false, which is not taken");
  CHECK(skipped_text(*step, test::op(document, "t")).empty());
  CHECK(skipped_text(*step, test::op(document, "y")).empty());
}

}  // namespace tideline
