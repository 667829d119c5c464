#include "core/rewrite/diff.h"

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
