// Hand-made graphs with the expected swaps written out.
#include "core/rewrite/lms2/lms2.h"

#include <catch2/catch.hpp>

#include "core/rewrite/plan/diff.h"
#include "tests/unit/rewrite/plan_text.h"

namespace tideline {

using test::edges;
using test::kNet;
using test::parameters;
using test::plan_of;
using test::swaps;
using test::Texts;

TEST_CASE("tensors are swapped for consumers further away than the threshold") {
  const io::Document net = test::read_graph(kNet);
  // Distances: f2 -> g2 is 3, f1 -> g1 is 5.
  CHECK(swaps(net, parameters(2, 1, 0)) == Texts{"f1:0 -> g1", "f2:0 -> g2"});
  CHECK(swaps(net, parameters(3, 1, 0)) == Texts{"f1:0 -> g1"});
  CHECK(swaps(net, parameters(5, 1, 0)).empty());
}

TEST_CASE("consumers near to each other share a swap-in") {
  const io::Document net = test::read_graph(R"(
    f = Relu() f32[2,4]
    p1 = Relu(f) f32[2,4]
    p2 = Relu(p1) f32[2,4]
    p3 = Relu(p2) f32[2,4]
    p4 = Relu(p3) f32[2,4]
    p5 = Relu(p4) f32[2,4]
    p6 = Relu(p5) f32[2,4]
    c3 = Add(p2, f) f32[2,4]
    c4 = Add(p3, f, f) f32[2,4]
    c7 = Add(p6, f) f32[2,4]
  )");
  CHECK(swaps(net, parameters(1, 1, 0)) == Texts{"f:0 -> c3 | c4 | c7"});
  CHECK(swaps(net, parameters(1, 1, 1)) == Texts{"f:0 -> c3 c4 | c7"});
  CHECK(swaps(net, parameters(1, 1, 3)) == Texts{"f:0 -> c3 c4 c7"});
  const LmsPlan plan = plan_of(net, parameters(1, 1, 1));
  CHECK(plan.edit.rerouted.size() == 4);  // both slots of c4
  CHECK(plan.swaps[0].why == "distance 3 > threshold 1");
  Texts names;
  for (const AddedOp& copy : plan.edit.added) names.emplace_back(copy.name);
  CHECK(names == Texts{"lms/swapout_f_0", "lms/swapin_f_0", "lms/swapin_f_0_1"});
}

TEST_CASE("tensors of rank below two, host ops, fixed types and unknown ranks stay") {
  const io::Document net = test::read_graph(R"(
    const = Const() f32[2,4]
    vector = Relu() f32[4]
    unknown = Relu() f32?
    host = Relu() @/cpu:0 f32[2,4]
    good = Relu() f32[2,4]
    two = MadeUp() f32[4] f32[2,4]
    a = Relu(good) f32[2,4]
    b = Relu(a) f32[2,4]
    c = Relu(b) f32[2,4]
    end = AddN(const, vector, unknown, host, good, two, two:1, c) f32[2,4]
    end_on_host = AddN(good, c) @/cpu:0 f32[2,4]
    end_of_fixed_type = Identity(good, ^c) f32[2,4]
  )");
  CHECK(swaps(net, parameters(2, 1, 0)) == Texts{"good:0 -> end", "two:1 -> end"});
  Lms2Options options = parameters(2, 1, 0);
  options.explain = true;
  const LmsPlan plan = plan_of(net, options);
  const auto why = [&](const std::string& tensor) {
    for (const KeptTensor& kept : plan.not_swapped) {
      if (net.graph.tensor_name(kept.tensor) == tensor) return kept.why;
    }
    return std::string("swapped");
  };
  CHECK(why("good:0") == "swapped");
  CHECK(why("const:0") == "producer: type Const is never swapped");
  CHECK(why("vector:0") == "rank 1");
  CHECK(why("unknown:0") == "unknown rank");
  CHECK(why("host:0") == "producer: on CPU");
  CHECK(why("two:0") == "rank 1");
  CHECK(why("c:0") == "distance 1 <= threshold 2");
  CHECK(why("end:0") == "no consumer");
}

TEST_CASE("an input that is a reference to a variable is never led over the host") {
  const io::Document net = test::read_graph(R"(
    v = VariableV2() f32[2,4]
    r = RefIdentity(v) f32[2,4]
    p1 = Relu(r) f32[2,4]
    p2 = Relu(p1) f32[2,4]
    p3 = Relu(p2) f32[2,4]
    update = ApplyGradientDescent(r, p3, p3) f32[2,4]
    reader = Add(r, p3) f32[2,4]
  )");
  CHECK(swaps(net, parameters(2, 1, 0)) == Texts{"r:0 -> reader"});
}

TEST_CASE("an op that reads a tensor by reference and by value gets a copy for the value alone") {
  const io::Document net = test::read_graph(R"(
    v = Custom() f32[2,4]
    p1 = Relu(v) f32[2,4]
    p2 = Relu(p1) f32[2,4]
    update = ApplyGradientDescent(v, p2, v) f32[2,4]
  )");
  const LmsPlan plan = plan_of(net, parameters(1, 1, 0));
  REQUIRE(plan.edit.rerouted.size() == 1);
  CHECK(plan.edit.rerouted[0].slot == 2);
  const auto rewritten = apply(net.graph, plan);
  REQUIRE(rewritten.has_value());
  CHECK(diff_graphs(net.graph, *rewritten).violations.empty());
}

TEST_CASE("filters include and exclude sources and consumers by name prefix and type") {
  const io::Document net = test::read_graph(kNet);
  const auto with = [](auto change) {
    Lms2Options options = parameters(2, 1, 0);
    change(options);
    return options;
  };
  CHECK(swaps(net, with([](Lms2Options& o) { o.excl_output.scopes = {"f1"}; })) ==
        Texts{"f2:0 -> g2"});
  CHECK(swaps(net, with([](Lms2Options& o) { o.excl_input.scopes = {"g1"}; })) ==
        Texts{"f2:0 -> g2"});
  CHECK(swaps(net, with([](Lms2Options& o) { o.incl_output.scopes = {"f2"}; })) ==
        Texts{"f2:0 -> g2"});
  CHECK(swaps(net, with([](Lms2Options& o) { o.incl_input.types = {"ReluGrad"}; })).size() == 2);
  CHECK(swaps(net, with([](Lms2Options& o) { o.excl_input.types = {"ReluGrad"}; })).empty());
  CHECK(swaps(net, with([](Lms2Options& o) { o.excl_output.scopes = {"f"}; })).empty());
  // Types of the fixed list may be named though no op has them.
  CHECK(swaps(net, with([](Lms2Options& o) { o.excl_output.types = {"Range"}; })).size() == 2);
}

TEST_CASE("scopes and types that match nothing are errors in the reference's words") {
  const io::Document net = test::read_graph(kNet);
  Progress silent;
  Lms2Options options = parameters(2, 1, 0);
  SECTION("a scope") {
    options.incl_input.scopes = {"f", "nope"};
    const auto plan = plan_lms2(net.graph, {}, options, silent);
    REQUIRE_FALSE(plan);
    CHECK(plan.error().message == "No operations were found with scope nope.");
  }
  SECTION("types") {
    options.excl_output.types = {"Zeta", "Relu", "Alpha"};
    const auto plan = plan_lms2(net.graph, {}, options, silent);
    REQUIRE_FALSE(plan);
    CHECK(plan.error().message == "No operations were found with types:  {'Alpha', 'Zeta'}.");
  }
}

TEST_CASE("one GPU can be chosen; then other devices are as good as the host") {
  const io::Document net = test::read_graph(R"(
    a = Relu() @/device:GPU:0 f32[2,4]
    b = Relu() @/device:GPU:1 f32[2,4]
    x1 = Relu(a) @/device:GPU:0 f32[2,4]
    x2 = Relu(x1) @/device:GPU:0 f32[2,4]
    x3 = Relu(x2) @/device:GPU:0 f32[2,4]
    on0 = AddN(x3, a, b) @/device:GPU:0 f32[2,4]
    on1 = AddN(x3, a, b) @/device:GPU:1 f32[2,4]
  )");
  Lms2Options options = parameters(2, 1, 0);
  CHECK(swaps(net, options) == Texts{"a:0 -> on0 | on1", "b:0 -> on0 | on1"});
  options.gpu_device = "/device:gpu:0";
  CHECK(swaps(net, options) == Texts{"a:0 -> on0"});
  options.gpu_device = "/device:GPU:1";
  CHECK(swaps(net, options) == Texts{"b:0 -> on1"});
}

TEST_CASE("after serialisation distances are those of the new levels") {
  const io::Document net = test::read_graph(R"(
    f = Relu() f32[2,4]
    b1 = Relu(f) f32[2,4]
    b2 = Relu(f) f32[2,4]
    b3 = Relu(f) f32[2,4]
  )");
  Lms2Options options = parameters(1, 1, 0);
  CHECK(swaps(net, options).empty());
  options.serialization = {"1"};
  CHECK(swaps(net, options) == Texts{"f:0 -> b2 | b3"});
}

TEST_CASE("inference and Keras modes decide which ops are looked at") {
  const io::Document net = test::read_graph(R"(
    phase/keras_learning_phase = PlaceholderWithDefault() bool[]
    f = Relu() f32[2,4]
    s = Switch(f, phase/keras_learning_phase) f32[2,4] f32[2,4]
    p1 = Relu(f) f32[2,4]
    p2 = Relu(p1) f32[2,4]
    p3 = Relu(p2) f32[2,4]
    eval_only = Add(s:0, f, ^p3) f32[2,4]
    train_only = Add(s:1, f, ^p3) f32[2,4]
    norm_train = FusedBatchNorm(f, p3) f32[2,4] +is_training=true
    norm_eval = FusedBatchNorm(f, p3) f32[2,4] +is_training=false
  )");
  Lms2Options options = parameters(3, 1, 0);
  options.excl_output.types = {"Switch"};
  CHECK(swaps(net, options) == Texts{"f:0 -> eval_only | train_only | norm_train"});
  options.is_keras = true;
  CHECK(swaps(net, options) == Texts{"f:0 -> train_only | norm_train"});
  options.is_training = false;
  CHECK(swaps(net, options) == Texts{"f:0 -> eval_only | norm_eval"});
  options.is_keras = false;
  CHECK(swaps(net, options) == Texts{"f:0 -> eval_only | train_only | norm_eval"});
}

TEST_CASE("a plan says why nothing could be swapped") {
  const auto notice = [](std::string_view text, Lms2Options options) {
    const LmsPlan plan = plan_of(test::read_graph(text), options);
    return plan.warnings.empty() ? std::string() : plan.warnings.front().text;
  };
  CHECK(notice(kNet, parameters(2, 1, 0)).empty());
  CHECK(notice("a = Relu()\n b = Relu(a)\n", parameters(2, 1, 0)).find("no shapes") !=
        std::string::npos);
  Lms2Options options = parameters(2, 1, 0);
  options.gpu_device = "/gpu:7";
  CHECK(notice(kNet, options).find("no op runs on the device '/gpu:7'") == 0);
}

TEST_CASE("a graph that was edited already is left as it is") {
  const io::Document net = test::read_graph(kNet);
  const LmsPlan plan = plan_of(net, parameters(2, 1, 0));
  const auto once = apply(net.graph, plan);
  REQUIRE(once);
  Progress silent;
  const auto again = plan_lms2(*once, {}, parameters(1, 1, 0), silent);
  REQUIRE(again);
  CHECK(again->already_edited);
  CHECK(again->edit.added.empty());
  // Swap ops of the other GPU do not count.
  Lms2Options other = parameters(1, 1, 0);
  other.gpu_device = "/device:GPU:1";
  CHECK_FALSE(plan_lms2(*once, {}, other, silent)->already_edited);
}

TEST_CASE("copies carry type, shape, device and the mark against Grappler; names stay unique") {
  const io::Document net = test::read_graph(R"(
    s/f = Relu() f16[?,4]
    lms/swapin_s_f_0 = Relu(s/f) f32[4]
    p2 = Relu(lms/swapin_s_f_0) f32[4]
    p3 = Relu(p2) f32[4]
    end = Add(p3, s/f) f32[4]
  )");
  Lms2Options options = parameters(2, 1, 0);
  options.cpu_device = "/job:worker/cpu:1";
  const LmsPlan plan = plan_of(net, options);
  const auto graph = apply(net.graph, plan);
  REQUIRE(graph);
  const OpId copy = test::op(*graph, "lms/swapin_s_f_0_1");
  CHECK(graph->type(copy) == "Identity");
  CHECK(graph->device(copy) == "/job:worker/cpu:1");
  CHECK((*graph->attribute(copy, "T"))->type == DataType::kHalf);
  CHECK((*graph->attribute(copy, "_grappler_do_not_remove"))->boolean);
  CHECK((*graph->attribute(copy, "_output_shapes"))->shapes ==
        std::vector<Shape>{Shape::of({kUnknownDim, 4})});
}

}  // namespace tideline
