// Hand-made graphs with the expected swaps and edges written out.
#include "core/rewrite/lms2/lms2.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/rewrite/diff.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

using Texts = std::vector<std::string>;

Lms2Options parameters(int threshold, int ahead, int groupby, int sync_mode = 0) {
  Lms2Options options;
  options.swapout_threshold = threshold;
  options.swapin_ahead = ahead;
  options.swapin_groupby = groupby;
  options.sync_mode = sync_mode;
  return options;
}

LmsPlan plan_of(const io::Document& document, const Lms2Options& options) {
  Progress silent;
  const auto plan = plan_lms2(document.graph, document.collections, options, silent);
  INFO((plan ? "" : plan.error().message));
  REQUIRE(plan);
  const auto rewritten = apply(document.graph, *plan);
  REQUIRE(rewritten);
  CHECK(diff_graphs(document.graph, *rewritten).violations.empty());
  return *plan;
}

// "tensor -> consumer consumer | consumer": one line a swapped tensor, '|' between groups.
Texts swaps(const io::Document& document, const Lms2Options& options) {
  const LmsPlan plan = plan_of(document, options);
  Texts lines;
  for (const PlannedSwap& swap : plan.swaps) {
    std::string line = document.graph.tensor_name(swap.tensor) + " ->";
    for (std::size_t i = 0; i < swap.swap_ins.size(); ++i) {
      if (i > 0) line += " |";
      for (const OpId op : swap.swap_ins[i].consumers) {
        line += " " + std::string(document.graph.name(op));
      }
    }
    lines.push_back(line);
  }
  return lines;
}

// "op after op" for every control edge, sorted; "out_" and "in_" stand for "lms/swapout_",
// "lms/swapin_".
Texts edges(const io::Document& document, const Lms2Options& options) {
  const LmsPlan plan = plan_of(document, options);
  const auto shortened = [&](OpId op) {
    const std::string name = op_name(document.graph, plan, op);
    return name.rfind("lms/swap", 0) == 0 ? name.substr(8) : name;
  };
  Texts lines;
  for (const ControlEdge& edge : plan.control) {
    lines.push_back(shortened(edge.op) + " after " + shortened(edge.after));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

// Three forward ops, three backward ones; f1 and f2 are read again in the backward phase.
constexpr std::string_view kNet = R"(
  x = Placeholder() f32[?,4]
  f1 = Relu(x) f32[?,4]
  f2 = Relu(f1) f32[?,4]
  f3 = Relu(f2) f32[?,4]
  g3 = Relu(f3) f32[?,4]
  g2 = ReluGrad(g3, f2) f32[?,4]
  g1 = ReluGrad(g2, f1) f32[?,4]
)";

}  // namespace

TEST_CASE("tensors are swapped for consumers further away than the threshold") {
  const io::Document net = test::read_graph(kNet);
  // Distances: f2 -> g2 is 3, f1 -> g1 is 5.
  CHECK(swaps(net, parameters(2, 1, 0)) == Texts{"f1:0 -> g1", "f2:0 -> g2"});
  CHECK(swaps(net, parameters(3, 1, 0)) == Texts{"f1:0 -> g1"});
  CHECK(swaps(net, parameters(5, 1, 0)).empty());
}

TEST_CASE("a swap-in waits for an op that leads to its consumer, ahead levels before it") {
  const io::Document net = test::read_graph(kNet);
  // g2 is at level 5: level 3 is looked at first. g1 is at level 6: level 4.
  CHECK(edges(net, parameters(2, 1, 0)) == Texts{"in_f1_0 after g3", "in_f2_0 after f3"});
  // ahead 2: for g2 there is no level above f2's; its swap-in waits for its other input instead.
  CHECK(edges(net, parameters(2, 2, 0)) == Texts{"in_f1_0 after f3", "in_f2_0 after g3"});
}

TEST_CASE("the four sync modes") {
  const io::Document net = test::read_graph(kNet);
  CHECK(edges(net, parameters(2, 1, 0, 1)) ==
        Texts{"f2 after out_f1_0", "f3 after out_f2_0", "in_f1_0 after g3", "in_f2_0 after f3"});
  CHECK(edges(net, parameters(2, 1, 0, 2)) == Texts{"in_f1_0 after g2", "in_f2_0 after g3"});
  CHECK(edges(net, parameters(2, 1, 0, 3)) ==
        Texts{"f2 after out_f1_0", "f3 after out_f2_0", "in_f1_0 after g2", "in_f2_0 after g3"});
}

TEST_CASE("synchronised swap-ins: groups get no edge, lonely consumers wait for the level below") {
  const io::Document net = test::read_graph(R"(
    x = Placeholder() f32[2,4]
    f = Relu(x) f32[2,4]
    h1 = Relu(x) f32[2,4]
    h2 = Relu(h1) f32[2,4]
    h3 = Relu(h2) f32[2,4]
    host = Identity(h3) @/cpu:0 f32[2,4]
    other = Relu(h3) f32[2,4]
    late = Neg(f, ^host) f32[2,4]
    twin1 = Add(f, other, ^host) f32[2,4]
    twin2 = Add(other, f) f32[2,4]
  )");
  // f is at 1, other and host at 4, late, twin1 and twin2 at 5. `late` has no other device input:
  // it waits for the device ops of level 4.
  Lms2Options options = parameters(2, 1, 0, 2);
  options.incl_input.scopes = {"late"};
  CHECK(edges(net, options) == Texts{"in_f_0 after other"});
  options.incl_input.scopes = {"twin1"};
  CHECK(edges(net, options) == Texts{"in_f_0 after other"});
  options.incl_input.scopes = {"twin1", "twin2"};
  options.swapin_groupby = 5;
  CHECK(edges(net, options).empty());
}

TEST_CASE("host ops that were there before are synchronised like copies") {
  const io::Document net = test::read_graph(R"(
    x = Placeholder() f32[2,4]
    f1 = Relu(x) f32[2,4]
    to_host = Identity(f1) @/device:CPU:0 f32[2,4]
    f2 = Relu(f1) f32[2,4]
    f3 = Relu(f2) f32[2,4]
    from_host = Const() @/CPU:0 f32[2,4]
    sum = Add(f3, from_host) f32[2,4]
    g1 = ReluGrad(sum, f1) f32[2,4]
  )");
  // Mode 2: from_host waits for f3, the other input of its reader. Mode 1: f2, which f1 feeds,
  // waits for to_host as for the swap-out of f1.
  CHECK(edges(net, parameters(3, 1, 0, 2)) == Texts{"from_host after f3", "in_f1_0 after sum"});
  CHECK(edges(net, parameters(3, 1, 0, 1)) ==
        Texts{"f2 after out_f1_0", "f2 after to_host", "in_f1_0 after f3"});
}

TEST_CASE("no edge is added that would close a cycle") {
  // h reads b only after a did (over the host op r): b may not wait for what leads to h.
  const io::Document net = test::read_graph(R"(
    x = Placeholder() f32[2,4]
    f1 = Relu(x) f32[2,4]
    a = Relu(f1) f32[2,4]
    r = Identity(a) @/cpu:0 f32[2,4]
    h = Identity(f1, ^r) @/cpu:0 f32[2,4]
    c1 = Relu(a) f32[2,4]
    c2 = Relu(c1) f32[2,4]
    c3 = Relu(c2) f32[2,4]
    g = ReluGrad(c3, f1) f32[2,4]
  )");
  // f1 feeds a; a leads to h over r, so `a after h` is left out. apply() verifies the rest.
  const Texts found = edges(net, parameters(3, 1, 0, 1));
  CHECK(std::find(found.begin(), found.end(), "a after h") == found.end());
  CHECK(std::find(found.begin(), found.end(), "a after out_f1_0") != found.end());
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
  CHECK(plan.rerouted.size() == 4);  // both slots of c4
  CHECK(plan.swaps[0].why == "distance 3 > threshold 1");
  Texts names;
  for (const PlannedCopy& copy : plan.added) names.push_back(copy.name);
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

TEST_CASE("triggers stay out of conditionals and loops but for their borders") {
  const io::Document net = test::read_graph(R"(
    f = Relu() f32[2,4]
    p1 = Relu(f) f32[2,4]
    p2 = Relu(p1) f32[2,4]
    n/cond/p3 = Relu(p2) f32[2,4]
    n/cond/Merge = Merge(n/cond/p3) f32[2,4]
    p5 = Relu(n/cond/Merge) f32[2,4]
    end = Add(p5, f) f32[2,4]
  )");
  // end is at level 6. ahead 1 -> level 4 (a Merge), ahead 2 -> level 3 is inside: level 2.
  CHECK(edges(net, parameters(3, 1, 0)) == Texts{"in_f_0 after n/cond/Merge"});
  CHECK(edges(net, parameters(3, 2, 0)) == Texts{"in_f_0 after p2"});
}

TEST_CASE("a swapped edge is no way to the consumer") {
  // The only way from p3 to end leads over the edge p3 -> end, which is swapped itself.
  const io::Document net = test::read_graph(R"(
    f = Relu() f32[2,4]
    p1 = Relu(f) f32[2,4]
    p2 = Relu(p1) f32[2,4]
    p3 = Relu(p2) f32[2,4]
    q4 = Relu(p2, ^p3) f32[2,4]
    q5 = Relu(q4) f32[2,4]
    q6 = Relu(q5) f32[2,4]
    end = AddN(f, p3, q6) f32[2,4]
  )");
  // end is at 7; ahead 3 -> level 3 holds only p3, whose way is swapped; then p2 at level 2.
  CHECK(edges(net, parameters(3, 3, 0)) == Texts{"in_f_0 after p2", "in_p3_0 after q6"});
}

TEST_CASE("serialisation chains the ops of levels above the variables' Assign ops") {
  const io::Document net = test::read_graph(R"(
    v = VariableV2() f32[2,4]
    v/Assign = Assign(v) f32[2,4]
    a = Relu(v) f32[2,4]
    b1 = Relu(a) f32[2,4]
    b2 = Relu(a) f32[2,4]
    b_host = Relu(a) @/cpu:0 f32[2,4]
    b_loss = Relu(a) f32[2,4]
    m/cond/b3 = Relu(a) f32[2,4]
    b4 = Relu(a) f32[2,4]
    c1 = Relu(b1) f32[2,4]
    c2 = Relu(b2, ^b4) f32[2,4]
    d = AddN(c1, c2) f32[2,4]
  )");
  Lms2Options options = parameters(100, 1, 0);
  options.serialization = {"0:3"};  // level 1 holds v/Assign and stays; level 2 is chained
  CHECK(edges(net, options) == Texts{"b2 after b1", "b4 after b2"});
  options.serialization = {"2", "3"};  // c1 waits for the last of the level before
  CHECK(edges(net, options) == Texts{"b2 after b1", "b4 after b2", "c1 after b4", "c2 after c1"});
  options.serialization = {"-2"};  // of five levels: level 3
  CHECK(edges(net, options) == Texts{"c2 after c1"});
  options.serialization.clear();
  options.serialization_by_size = 4 * 64 - 1;  // a level needs 64 bytes an op of two tensors
  CHECK(edges(net, options) == Texts{"b2 after b1", "b4 after b2"});
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

TEST_CASE("edges from ops that a conditional may skip are told, and left out by the guard") {
  // h runs only when p is true; the Merge m counts on f when it is not. The reference lets the swap-in
  // of f wait for h, and m would get nothing at all.
  const io::Document net = test::read_graph(R"(
    p = Placeholder() bool[]
    x = Placeholder() f32[2,4]
    s = Switch(x, p) f32[2,4] f32[2,4]
    f = Relu(s:0) f32[2,4]
    h1 = Relu(s:1) f32[2,4]
    h2 = Relu(h1) f32[2,4]
    h3 = Relu(h2) f32[2,4]
    h4 = Relu(h3) f32[2,4]
    m = Merge(f, h4) f32[2,4]
  )");
  Lms2Options options = parameters(3, 1, 0);
  const LmsPlan plan = plan_of(net, options);
  CHECK(edges(net, options) == Texts{"in_f_0 after h3"});
  REQUIRE(plan.risky.size() == 1);
  CHECK(net.graph.name(plan.risky[0].after) == "h3");
  options.guard_conditionals = true;
  CHECK(edges(net, options).empty());
  CHECK(plan_of(net, options).risky.empty());
  // The same for serialisation: f and h1 are of one level, and never run both.
  options = parameters(100, 1, 0);
  options.serialization = {"2"};
  CHECK(edges(net, options) == Texts{"h1 after f"});
  CHECK(plan_of(net, options).risky.size() == 1);
  options.guard_conditionals = true;
  CHECK(edges(net, options).empty());
}

TEST_CASE("a plan says why nothing could be swapped") {
  const auto notice = [](std::string_view text, Lms2Options options) {
    const LmsPlan plan = plan_of(test::read_graph(text), options);
    return plan.notices.empty() ? std::string() : plan.notices.front();
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
  CHECK(again->added.empty());
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
