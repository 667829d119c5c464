#include "core/rewrite/plan/diff.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

constexpr std::string_view kOriginal = R"(
  a = Const() f32[2]
  b = Relu(a) @/gpu:0 f32[2]
  c = Add(b, a, ^a) f32[2]
)";

// The violations of `rewritten`, each cut to what matters.
std::vector<std::string> violations(std::string_view rewritten) {
  const io::Document before = test::read_graph(kOriginal);
  const io::Document after = test::read_graph(rewritten);
  return diff_graphs(before.graph, after.graph).violations;
}

}  // namespace

TEST_CASE("a rewrite over copies and control edges is sound") {
  const io::Document before = test::read_graph(kOriginal);
  const io::Document after = test::read_graph(R"(
    in = Identity(out, ^b) @/cpu:0 f32[2]
    a = Const() f32[2]
    b = Relu(a) @/gpu:0 f32[2]
    c = Add(b, in, ^a, ^b) f32[2]
    out = Identity(a) @/cpu:0 f32[2]
  )");
  const GraphDiff diff = diff_graphs(before.graph, after.graph);
  CHECK(diff.violations.empty());
  CHECK(diff.ops_compared == 3);
  REQUIRE(diff.added.size() == 2);
  CHECK(diff.added[0].source == "a:0");
  REQUIRE(diff.rerouted.size() == 1);
  CHECK(diff.rerouted[0].op == "c");
  CHECK(diff.rerouted[0].to == "in:0");
  CHECK(diff.control.size() == 2);
}

TEST_CASE("everything that could change a value is a violation") {
  using Texts = std::vector<std::string>;
  CHECK(violations("a = Const() f32[2]\n b = Relu(a) @/gpu:0 f32[2]\n") == Texts{"op 'c' is lost"});
  CHECK(
      violations("a = Const() f32[2]\n b = Relu(a) @/gpu:1 f32[2]\n c = Add(b, a, ^a) f32[2]\n") ==
      Texts{"op 'b': device '/gpu:0' became '/gpu:1'"});
  CHECK(violations("a = Const() f32[2]\n b = Elu(a) @/gpu:0 f32[2]\n c = Add(b, a, ^a) f32[2]\n") ==
        Texts{"op 'b': type Relu became Elu"});
  CHECK(
      violations("a = Const() f32[3]\n b = Relu(a) @/gpu:0 f32[2]\n c = Add(b, a, ^a) f32[2]\n") ==
      Texts{"op 'a': attribute '_output_shapes' changed"});
  CHECK(
      violations("a = Const() f32[2]\n b = Relu(a) @/gpu:0 f32[2]\n c = Add(a, a, ^a) f32[2]\n") ==
      Texts{"op 'c': input 0 was b:0 and now carries a:0"});
  CHECK(violations("a = Const() f32[2]\n b = Relu(a) @/gpu:0 f32[2]\n c = Add(b, a) f32[2]\n") ==
        Texts{"op 'c': no longer waits for 'a'"});
  CHECK(violations("a = Const() f32[2]\n b = Relu(a) @/gpu:0 f32[2]\n n = Neg(a)\n"
                   "c = Add(b, n, ^a) f32[2]\n") ==
        Texts{"added op 'n' is of type Neg; expected an Identity",
              "op 'c': input 1 was a:0 and now carries n:0"});
  CHECK(violations("a = Const() f32[2]\n b = Relu(a) @/gpu:0 f32[2]\n c = Add(b, ^a) f32[2]\n") ==
        Texts{"op 'c': 2 data inputs became 1"});
}

namespace {

constexpr std::string_view kForward = R"(
  x = Placeholder() f32[4]
  w = VariableV2() f32[4]
  read = Identity(w) f32[4]
  a = Relu(x) @/gpu:0 f32[4]
  m = Mul(a, read) @/gpu:0 f32[4]
  r = RandomUniform(x) f32[4]
  g = ReluGrad(m, a) f32[4]
)";

// The violations when `added` stands behind the forward ops and g reads `reads` instead of a.
std::vector<std::string> recomputing(std::string_view added, const std::string& reads) {
  std::string after(kForward);
  after.replace(after.find("(m, a)"), 6, "(" + reads + ")");
  const io::Document original = test::read_graph(kForward);
  const io::Document rewritten = test::read_graph(after + std::string(added));
  return diff_graphs(original.graph, rewritten.graph).violations;
}

}  // namespace

TEST_CASE("a copy that computes the same from the same values carries the original's value") {
  CHECK(recomputing("a2 = Relu(x) @/gpu:0 f32[4]\n", "m, a2").empty());
  // Over a copy on the host, and through another recomputed op.
  CHECK(recomputing("i = Identity(x) @/cpu:0 f32[4]\n a2 = Relu(i) @/gpu:0 f32[4]\n"
                    "m2 = Mul(a2, read) @/gpu:0 f32[4]\n",
                    "m2, a2")
            .empty());
  // Listed before what it reads, held back by a control edge, colocated.
  CHECK(recomputing("m2 = Mul(a2, read, ^r) @/gpu:0 f32[4]\n"
                    "a2 = Relu(x) @/gpu:0 f32[4] +_class='x'\n group = NoOp(^m2)\n",
                    "m2, a2")
            .empty());
  const io::Document before = test::read_graph(kForward);
  const io::Document after =
      test::read_graph(std::string(kForward) + "a2 = Relu(x) @/gpu:0 f32[4]\n n = NoOp(^a2)\n");
  const GraphDiff diff = diff_graphs(before.graph, after.graph);
  REQUIRE(diff.added.size() == 2);
  CHECK(diff.added[0].source == "a:0");
  CHECK(diff.added[1].source.empty());
  CHECK_FALSE(diff.is_equal());
  CHECK(diff.differences() == std::vector<std::string>{"op 'a2' of type Relu is added",
                                                       "op 'n' of type NoOp is added",
                                                       "op 'n' waits for 'a2'"});
}

TEST_CASE("a copy that may compute something else is found out") {
  using Texts = std::vector<std::string>;
  const auto refused = [](const std::string& type, const std::string& carried) {
    return Texts{"added op 'a2' is of type " + type + "; expected an Identity",
                 "op 'g': input 1 was a:0 and now carries " + carried};
  };
  // Other input, type, attribute, device; a tensor that only looks alike.
  CHECK(recomputing("a2 = Relu(read) @/gpu:0 f32[4]\n", "m, a2") == refused("Relu", "a2:0"));
  CHECK(recomputing("a2 = Elu(x) @/gpu:0 f32[4]\n", "m, a2") == refused("Elu", "a2:0"));
  CHECK(recomputing("a2 = Relu(x) @/gpu:0 f32[5]\n", "m, a2") == refused("Relu", "a2:0"));
  CHECK(recomputing("a2 = Relu(x) @/gpu:1 f32[4]\n", "m, a2") == refused("Relu", "a2:0"));
  CHECK(recomputing("a2 = Mul(a, read) @/gpu:0 f32[4]\n", "m, a2") ==
        Texts{"op 'g': input 1 was a:0 and now carries m:0"});
  // Random numbers are others the second time, a placeholder may be fed something else, and a
  // variable may have changed.
  CHECK(recomputing("a2 = RandomUniform(x) f32[4]\n", "m, a2") == refused("RandomUniform", "a2:0"));
  CHECK(recomputing("a2 = Placeholder() f32[4]\n", "m, a2") == refused("Placeholder", "a2:0"));
  CHECK(recomputing("a2 = VariableV2() f32[4]\n", "m, a2") == refused("VariableV2", "a2:0"));
}

TEST_CASE("a control edge between the frames of loops is a violation") {
  const std::string loop(test::kLoop);
  const io::Document original = test::read_graph(loop + "y = Neg(x) f32[4]\n");
  const io::Document into = test::read_graph(loop + "y = Neg(x, ^body) f32[4]\n");
  CHECK(diff_graphs(original.graph, into.graph).violations ==
        std::vector<std::string>{
            "op 'y': waits for 'body', which is in another loop, or outside of it"});
  const io::Document copy =
      test::read_graph(loop + "y = Neg(x) f32[4]\n i = Identity(body, ^x) f32[4]\n");
  CHECK(diff_graphs(original.graph, copy.graph).violations ==
        std::vector<std::string>{
            "op 'i': waits for 'x', which is in another loop, or outside of it"});
  const io::Document same =
      test::read_graph(loop + "y = Neg(x, ^exit) f32[4]\n i = Identity(body, ^switch) f32[4]\n");
  CHECK(diff_graphs(original.graph, same.graph).violations.empty());
}

TEST_CASE("an op that reads a variable where it lies is not computed again") {
  const std::string text = "w = VariableV2() f32[4]\n n = Neg(w) f32[4]\n c = Relu(n) f32[4]\n";
  std::string after = text;
  after.replace(after.find("Relu(n)"), 7, "Relu(n2)");
  const io::Document original = test::read_graph(text);
  const io::Document rewritten = test::read_graph(after + "n2 = Neg(w) f32[4]\n");
  CHECK(diff_graphs(original.graph, rewritten.graph).violations.size() == 2);
}

TEST_CASE("equal graphs have no differences; every other difference is one") {
  const io::Document before = test::read_graph(kOriginal);
  CHECK(diff_graphs(before.graph, before.graph).is_equal());
  CHECK(diff_graphs(before.graph, before.graph).differences().empty());
  const io::Document after = test::read_graph(
      "a = Const() f32[2]\n b = Relu(i, ^a) @/gpu:0 f32[2]\n"
      "i = Identity(a) f32[2]\n");
  CHECK(diff_graphs(before.graph, after.graph).differences() ==
        std::vector<std::string>{"op 'i' of type Identity is added",
                                 "op 'b': input 0 was a:0 and is i:0", "op 'b' waits for 'a'",
                                 "op 'c' is lost"});
}

TEST_CASE("an op that waits for one of a branch hangs on that branch") {
  const std::string text = R"(
    x = Const() f32[4]
    p = Placeholder() +dtype=bool
    switch = Switch(x, p) f32[4] f32[4]
    yes = Relu(switch:1) f32[4]
    other = Relu(x) f32[4]
    last = Neg(other) f32[4]
  )";
  const io::Document before = test::read_graph(text);
  CHECK(diff_graphs(before.graph, before.graph).more_branches.empty());
  std::string changed = text;
  changed.replace(changed.find("other = Relu(x)"), 15, "other = Relu(x, ^yes)");
  const io::Document after = test::read_graph(changed);
  const GraphDiff diff = diff_graphs(before.graph, after.graph);
  CHECK(diff.violations.empty());
  REQUIRE(diff.more_branches.size() == 2);
  CHECK(diff.more_branches[0].op == "other");
  CHECK(diff.more_branches[0].branches == std::vector<std::string>{"p:0 is true"});
  CHECK(diff.more_branches[1].op == "last");
}

TEST_CASE("a reference must not be led over a copy, and a copy needs its type") {
  const io::Document before = test::read_graph("v = VariableV2() f32[2]\n a = AssignAdd(v, v)\n");
  const io::Document after =
      test::read_graph("v = VariableV2() f32[2]\n a = AssignAdd(c, c)\n c = Identity(v)\n");
  CHECK(diff_graphs(before.graph, after.graph).violations ==
        std::vector<std::string>{
            "added op 'c' has no type attribute T",
            "op 'a': input 0 is a reference to a variable; a copy of it is none"});
}

TEST_CASE("a change in a field of an op that nobody reads is a violation, too") {
  const std::string op = test::encode_graph("a = Const() f32[2]\n");
  const std::string unknown = std::string("\xf8\x06\x01", 3);  // field 111
  std::string changed = op + unknown;
  changed[1] = static_cast<char>(changed[1] + 3);  // the op's length
  Progress silent;
  const auto before = io::read_document("a", own_bytes(op), silent);
  const auto after = io::read_document("b", own_bytes(changed), silent);
  REQUIRE(before);
  REQUIRE(after);
  CHECK(diff_graphs(before->graph, after->graph).violations ==
        std::vector<std::string>{
            "op 'a': a field other than type, device, inputs and attributes changed"});
}

}  // namespace tideline
