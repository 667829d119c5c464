// Swap-ins that leave alone what TensorFlow's graph optimizer fuses; and filters that may match
// nothing.
#include "core/rewrite/lms/fusions.h"

#include <catch2/catch.hpp>

#include "core/rewrite/lms1/lms1.h"
#include "tests/unit/rewrite/plan_text.h"

namespace tideline {

using test::edges;
using test::parameters;
using test::plan_of;
using test::swaps;
using test::Texts;

namespace {

Lms2Options keeping(Lms2Options options) {
  options.keep_fusion = true;
  return options;
}

// f is read at once and at level 7; of what lies between only the first is no op that is fused.
constexpr std::string_view kChain = R"(
  f = LRN() f32[2,4]
  a1 = Softmax(f) f32[2,4]
  a2 = Relu(a1) f32[2,4]
  a3 = Relu(a2) f32[2,4]
  a4 = Relu(a3) f32[2,4]
  a5 = Relu(a4) f32[2,4]
  a6 = Relu(a5) f32[2,4]
  c = LRNGrad(a6, f) f32[2,4]
)";

Texts texts_of(const LmsPlan& plan) {
  Texts texts;
  for (const Warning& warning : plan.warnings) texts.push_back(warning.kind + ": " + warning.text);
  return texts;
}

}  // namespace

TEST_CASE("what the graph optimizer merges, folds or regroups is told by the type") {
  for (const char* type :
       {"MatMul", "Conv2D", "BiasAdd", "AddN", "Reshape", "FusedBatchNormGradV3"})
    CHECK(is_fused_type(type));
  for (const char* type :
       {"Softmax", "ReluGrad", "Mat", "", "Conv2DBackpropInput", "PartitionedCall"})
    CHECK(!is_fused_type(type));
}

TEST_CASE("a swap-in waits for an op that is never fused, also further ahead") {
  const io::Document net = test::read_graph(kChain);
  CHECK(edges(net, parameters(6, 1, 0)) == Texts{"in_f_0 after a5"});
  CHECK(edges(net, keeping(parameters(6, 1, 0))) == Texts{"in_f_0 after a1"});
  CHECK(texts_of(plan_of(net, keeping(parameters(6, 1, 0)))).empty());
}

TEST_CASE("what lies further ahead than ten levels, but not than sixty, can wake a swap-in") {
  std::string text = "f = LRN() f32[2,4]\nw = Softmax(f) f32[2,4]\na0 = Relu(w) f32[2,4]\n";
  const auto with_length = [&](int length) {
    std::string all = text;
    for (int i = 1; i < length; ++i) all += fmt::format("a{} = Relu(a{}) f32[2,4]\n", i, i - 1);
    return test::read_graph(all + fmt::format("c = LRNGrad(a{}, f) f32[2,4]\n", length - 1));
  };
  // w is at level 1, c at length + 2; levels from length + 0 down to length - 59 are searched.
  CHECK(edges(with_length(60), keeping(parameters(50, 1, 0))) == Texts{"in_f_0 after w"});
  CHECK(swaps(with_length(61), keeping(parameters(50, 1, 0))).empty());
}

TEST_CASE("a tensor that nothing wakes stays, and that is said") {
  const io::Document net = test::read_graph(R"(
    f = LRN() f32[2,4]
    a1 = Relu(f) f32[2,4]
    a2 = Relu(a1) f32[2,4]
    a3 = Relu(a2) f32[2,4]
    c = LRNGrad(a3, f) f32[2,4]
  )");
  CHECK(swaps(net, parameters(3, 1, 0)) == Texts{"f:0 -> c"});
  Lms2Options options = keeping(parameters(3, 1, 0));
  for (const bool explain : {false, true}) {
    options.explain = explain;
    const LmsPlan plan = plan_of(net, options);
    CHECK(plan.swaps.empty());
    CHECK(plan.edit.added.empty());
    REQUIRE(!plan.not_swapped.empty());
    CHECK(net.graph.tensor_name(plan.not_swapped[0].tensor) == "f:0");
    CHECK(plan.not_swapped[0].why == kNothingWakes);
    CHECK(plan.not_swapped.size() == (explain ? 5 : 1));
    CHECK(texts_of(plan) == Texts{"fusion: {keep-fusion}: 1 tensor is not swapped, because " +
                                  std::string(kNothingWakes)});
  }
  options.swap_tensors = {"f:0"};  // the user insists
  CHECK(swaps(net, options) == Texts{"f:0 -> c"});
}

TEST_CASE("readers before one that nothing wakes read the tensor itself") {
  const io::Document net = test::read_graph(R"(
    f = LRN() f32[2,4]
    b1 = Relu(f) f32[2,4]
    b2 = Relu(b1) f32[2,4]
    b3 = LRNGrad(b2, f) f32[2,4]
    b4 = Softmax(b3) f32[2,4]
    b5 = Relu(b4) f32[2,4]
    b6 = Relu(b5) f32[2,4]
    b7 = LRNGrad(b6, f) f32[2,4]
  )");
  CHECK(swaps(net, parameters(2, 1, 0)) == Texts{"f:0 -> b3 | b7"});
  CHECK(swaps(net, keeping(parameters(2, 1, 0))) == Texts{"f:0 -> b7"});
  CHECK(edges(net, keeping(parameters(2, 1, 0))) == Texts{"in_f_0 after b4"});
}

TEST_CASE("fusions that a plan for a function of TensorFlow 2 undoes are counted") {
  const io::Document net = test::read_graph(R"(
    f = LRN() f32[2,4]
    a1 = Softmax(f) f32[2,4]
    a2 = Relu(a1) f32[2,4]
    gradient_tape/a3 = Relu(a2) f32[2,4]
    gradient_tape/a4 = Relu(gradient_tape/a3) f32[2,4]
    c = LRNGrad(gradient_tape/a4, f) f32[2,4]
  )");
  const LmsPlan plan = plan_of(net, parameters(4, 1, 0));
  REQUIRE(plan.warnings.size() == 1);
  CHECK(plan.warnings[0].kind == "fusion");
  CHECK(plan.warnings[0].remedy == "keep-fusion");
  CHECK(plan.warnings[0].places == Texts{"gradient_tape/a3"});
  CHECK(plan_of(net, keeping(parameters(4, 1, 0))).warnings.empty());
  // Graphs of TensorFlow 1 are planned as the reference does, which nobody has to be told.
  CHECK(plan_of(test::read_graph(kChain), parameters(6, 1, 0)).warnings.empty());
}

TEST_CASE("no copy is put between ops that the graph optimizer merges") {
  const io::Document net = test::read_graph(R"(
    k = Const() f32[2,4]
    f = LRN() f32[2,4]
    m = Mul(f, k) f32[2,4]
    a1 = Softmax(m) f32[2,4]
    a2 = Softmax(a1) f32[2,4]
    a3 = Softmax(a2) f32[2,4]
    sum = AddN(a3, f) f32[2,4]
    products = AddV2(a3, m) f32[2,4]
    scaled = Mul(a3, m, k) f32[2,4]
    other = LRNGrad(a3, m) f32[2,4]
    plain = AddV2(a3, f) f32[2,4]
  )");
  CHECK(swaps(net, parameters(3, 1, 5)) ==
        Texts{"f:0 -> sum plain", "m:0 -> products scaled other"});
  CHECK(swaps(net, keeping(parameters(3, 1, 5))) == Texts{"f:0 -> plain", "m:0 -> other"});
  Lms2Options options = keeping(parameters(3, 1, 5));
  options.incl_output.scopes = {"m"};
  options.excl_input.types = {"LRNGrad"};
  options.explain = true;
  const LmsPlan plan = plan_of(net, options);
  CHECK(plan.swaps.empty());
  CHECK(plan.not_swapped.at(2).why ==
        "consumer products: TensorFlow's graph optimizer merges it with what it reads");
}

TEST_CASE("version 1 keeps fusions, too") {
  const io::Document net = test::read_graph(R"(
    x = Placeholder() f32[2,4]
    f1 = Relu(x) f32[2,4]
    f2 = Relu(f1) f32[2,4]
    f3 = Relu(f2) f32[2,4]
    g3 = LRNGrad(f3, f3) f32[2,4]
    g2 = Mul(g3, f2) f32[2,4]
    g1 = LRNGrad(g2, f1) f32[2,4]
    go = LRNGrad(g1) f32[2,4]
  )");
  const auto said = [&](bool keep_fusion) {
    Lms1Options options;
    options.optimizer_scopes = {"g"};
    options.keep_fusion = keep_fusion;
    Progress silent;
    const auto plan = plan_lms1(net.graph, net.collections, options, silent);
    REQUIRE(plan);
    Texts lines;
    for (const PlannedSwap& swap : plan->swaps) {
      const OpId trigger = swap.swap_ins.at(0).trigger;
      lines.push_back(net.graph.tensor_name(swap.tensor) + " after " +
                      (trigger.valid() ? std::string(net.graph.name(trigger)) : "nothing"));
    }
    for (const KeptTensor& kept : plan->not_swapped) {
      CHECK(kept.why == kNothingWakes);
      lines.push_back("kept " + net.graph.tensor_name(kept.tensor));
    }
    return lines;
  };
  CHECK(said(false) == Texts{"f1:0 after g2", "f2:0 after g3", "f3:0 after nothing"});
  CHECK(said(true) == Texts{"f1:0 after g3", "f2:0 after g3", "kept f3:0"});
}

TEST_CASE("filters with a question mark may match nothing") {
  const io::Document net = test::read_graph(kChain);
  Lms2Options options = parameters(6, 1, 0);
  options.excl_input.types = {"AddN?"};
  options.excl_output.scopes = {"optimizer?"};
  CHECK(swaps(net, options) == Texts{"f:0 -> c"});
  options.excl_input.types = {"LRNGrad?"};
  CHECK(swaps(net, options).empty());
  options.excl_input.types = {};
  options.excl_output.scopes = {"f?"};
  options.explain = true;
  CHECK(plan_of(net, options).not_swapped.at(0).why == "producer: excluded by scope f");
  Progress silent;
  options.excl_output.scopes = {"optimizer"};
  CHECK(!plan_lms2(net.graph, net.collections, options, silent));
}

}  // namespace tideline
