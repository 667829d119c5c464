// LMS v1, rule by rule, on graphs small enough to be read.
#include "core/rewrite/lms1/lms1.h"

#include <catch2/catch.hpp>

#include "tests/unit/rewrite/lms1_text.h"

namespace tideline {

using namespace lms1_text;

namespace {

// "tensor -> consumer consumer after op | consumer": '|' between swap-ins.
Texts swaps(const io::Document& net, const Lms1Options& options) {
  const LmsPlan plan = plan_of(net, options);
  Texts lines;
  for (const PlannedSwap& swap : plan.swaps) {
    std::string line = net.graph.tensor_name(swap.tensor) + " ->";
    for (std::size_t i = 0; i < swap.swap_ins.size(); ++i) {
      if (i > 0) line += " |";
      for (const OpId op : swap.swap_ins[i].consumers)
        line += fmt::format(" {}", net.graph.name(op));
      const OpId trigger = swap.swap_ins[i].trigger;
      if (trigger.valid()) line += fmt::format(" after {}", net.graph.name(trigger));
    }
    lines.push_back(line);
  }
  return lines;
}

// "op=order" for all that have one.
Texts orders(const io::Document& net, const Lms1Options& options) {
  const LmsPlan plan = plan_of(net, options);
  Texts lines;
  for (const OpId op : net.graph.ops()) {
    const int order = plan.order->order_of[op.index()];
    if (order >= 0) lines.push_back(fmt::format("{}={}", net.graph.name(op), order));
  }
  return lines;
}

Texts starting(const io::Document& net, const Lms1Options& options) {
  const LmsPlan plan = plan_of(net, options);
  Texts names;
  for (const OpId op : plan.order->starting) names.emplace_back(net.graph.name(op));
  return names;
}

}  // namespace

TEST_CASE("every forward tensor that a backward op reads is swapped, after the op one layer up") {
  const io::Document net = test::read_graph(kNet);
  CHECK(starting(net, options()) == Texts{"f1"});
  CHECK(orders(net, options()) ==
        Texts{"f1=0", "f2=1", "f3=2", "f4=3", "g4=4", "g3=5", "g2=6", "g1=7"});
  CHECK(swaps(net, options()) ==
        Texts{"f1:0 -> g1 after g2", "f2:0 -> g2 after g3", "f3:0 -> g3 after g4", "f4:0 -> g4"});
}

TEST_CASE("a larger lower bound brings tensors back earlier, both ways of looking") {
  const io::Document net = test::read_graph(kNet);
  Lms1Options far = options();
  far.lb = 2;
  CHECK(swaps(net, far)[0] == "f1:0 -> g1 after g3");
  far.ctrld_strategy = ControlStrategy::kDirectOrder;
  CHECK(swaps(net, far)[0] == "f1:0 -> g1 after g4");  // strictly below 7 - 2
  far.ub = 3;
  CHECK(swaps(net, far)[0] == "f1:0 -> g1");
}

TEST_CASE("n_tensors limits the swap-outs, and 0 turns everything off before any error") {
  const io::Document net = test::read_graph(kNet);
  Lms1Options few = options();
  few.n_tensors = 2;
  CHECK(swaps(net, few).size() == 2);
  few.n_tensors = 0;
  few.optimizer_scopes = {"nope"};
  CHECK(plan_of(net, few).edit.added.empty());
}

TEST_CASE("copies have plain names and no mark for Grappler") {
  const io::Document net = test::read_graph(kNet);
  const LmsPlan plan = plan_of(net, options());
  CHECK(plan.version == 1);
  CHECK(plan.edit.added[0].name == "lms/swapout");
  CHECK(plan.edit.added[1].name == "lms/swapin");
  CHECK(plan.edit.added[2].name == "lms/swapout_1");
  CHECK(find_attribute(net.graph.codec(), plan.edit.added[0].attributes, "T").value());
  CHECK(
      find_attribute(net.graph.codec(), plan.edit.added[0].attributes, kKeptFromGrappler).value());
  CHECK(plan.edit.added[0].device == "/cpu:0");
}

TEST_CASE(
    "a backward op in a layer with forward ops has no order; what lies behind it is swapped") {
  // gshape could run with f2; gsum reads it late.
  const io::Document net = test::read_graph(R"(
    x = Placeholder() f32[2,4]
    f1 = Relu(x) f32[2,4]
    f2 = Relu(f1) f32[2,4]
    f3 = Relu(f2) f32[2,4]
    g3 = ReluGrad(f3, f3) f32[2,4]
    gshape = Relu(f1) f32[2,4]
    g2 = ReluGrad(g3, f2) f32[2,4]
    gsum = Sub(g2, gshape) f32[2,4]
    update = Relu(gsum) f32[2,4]
  )");
  CHECK(orders(net, options()) == Texts{"f1=0", "f2=1", "f3=2", "g3=3", "g2=4", "gsum=5"});
  CHECK(swaps(net, options()) ==
        Texts{"gshape:0 -> gsum after g3", "f2:0 -> g2 after g3", "f3:0 -> g3"});
}

TEST_CASE(
    "a swap of a tensor that is made by a source found behind precedes the rest of the source") {
  const io::Document net = test::read_graph(R"(
    x = Placeholder() f32[2,4]
    f1 = Relu(x) f32[2,4]
    f2 = Relu(f1) f32[2,4]
    f3 = Relu(f2) f32[2,4]
    gshape = Relu(f1) f32[2,4]
    g3 = ReluGrad(f3, f3) f32[2,4]
    g2 = ReluGrad(g3, f2) f32[2,4]
    g1 = ReluGrad(g2, f1) f32[2,4]
    gsum = Sub(g1, gshape) f32[2,4]
    update = Relu(gsum) f32[2,4]
  )");
  const LmsPlan plan = plan_of(net, options());
  // The swap-out of f1, then all of gshape, then the swap-in of f1.
  CHECK(net.graph.tensor_name(plan.edit.inputs(plan.edit.added[0])[0]) == "f1:0");
  CHECK(net.graph.tensor_name(plan.edit.inputs(plan.edit.added[1])[0]) == "gshape:0");
  CHECK(plan.edit.inputs(plan.edit.added[3])[0].op == plan.swaps[0].swap_out);
}

TEST_CASE("a consumer that nobody reads gets nothing") {
  const io::Document net = test::read_graph(R"(
    x = Placeholder() f32[2,4]
    f1 = Relu(x) f32[2,4]
    f2 = Relu(f1) f32[2,4]
    g2 = ReluGrad(f2, f2) f32[2,4]
    g1 = ReluGrad(g2, f1) f32[2,4]
  )");
  CHECK(swaps(net, options()) == Texts{"f2:0 -> g2"});
}

TEST_CASE("fused swap-ins serve all consumers and wait before the earliest of them") {
  const io::Document net = test::read_graph(R"(
    x = Placeholder() f32[2,4]
    f1 = Relu(x) f32[2,4]
    f2 = Relu(f1) f32[2,4]
    f3 = Relu(f2) f32[2,4]
    g3 = ReluGrad(f3, f3) f32[2,4]
    g2 = ReluGrad(g3, f2) f32[2,4]
    g1 = ReluGrad(g2, f1) f32[2,4]
    g0 = ReluGrad(g1, f1) f32[2,4]
    update = Relu(g0) f32[2,4]
  )");
  CHECK(swaps(net, options())[0] == "f1:0 -> g1 after g2 | g0 after g2");
  Lms1Options fused = options();
  fused.fuse_swapins = true;
  CHECK(swaps(net, fused)[0] == "f1:0 -> g1 g0 after g2");
}

TEST_CASE("branches: forward consumers further than the threshold behind the first are swapped") {
  const io::Document net = test::read_graph(R"(
    x = Placeholder() f32[2,4]
    f1 = Relu(x) f32[2,4]
    f2 = Relu(f1) f32[2,4]
    f3 = Relu(f2) f32[2,4]
    f4 = Sub(f3, f1) f32[2,4]
    g4 = ReluGrad(f4, f4) f32[2,4]
    g1 = ReluGrad(g4, f1) f32[2,4]
    update = Relu(g1) f32[2,4]
  )");
  Lms1Options branches = options();
  CHECK(swaps(net, branches)[0] == "f1:0 -> g1 after g4");
  branches.swap_branches = true;
  CHECK(swaps(net, branches)[0] == "f1:0 -> f4 after f2 | g1 after g4");  // orders 1 and 3
  branches.branch_threshold = 2;
  CHECK(swaps(net, branches)[0] == "f1:0 -> g1 after g4");
}

TEST_CASE("an op that the consumer leads to over grouped gradients is passed over") {
  // g2 runs before g1 by its order, but waits for it: g1 -> group -> g2.
  const io::Document net = test::read_graph(R"(
    x = Placeholder() f32[2,4]
    f1 = Relu(x) f32[2,4]
    f2 = Relu(f1) f32[2,4]
    f3 = Relu(f2) f32[2,4]
    g3 = ReluGrad(f3, f3) f32[2,4]
    ga = Relu(g3) f32[2,4]
    gb = Relu(ga) f32[2,4]
    g1 = ReluGrad(gb, f1) f32[2,4]
    ggroup = NoOp(^g1)
    g2 = ReluGrad(g3, f2, ^ggroup) f32[2,4]
    update = Add(g1, g2) f32[2,4]
  )");
  CHECK(swaps(net, options())[0] == "f1:0 -> g1 after g3");
}

TEST_CASE("a graph that has swap ops is left as it is") {
  const io::Document net = test::read_graph(kNet);
  const auto once = apply(net.graph, plan_of(net, options()));
  REQUIRE(once);
  Progress silent;
  const auto again = plan_lms1(*once, {}, options(), silent);
  REQUIRE(again);
  CHECK(again->already_edited);
  CHECK(again->edit.added.empty());
}

TEST_CASE("references to variables and tensors of unknown type are never led over the host") {
  const io::Document net = test::read_graph(R"(
    x = Placeholder() f32[2,4]
    f1 = Relu(x) f32[2,4]
    v = RefIdentity(f1) f32[2,4]
    f2 = Relu(v) f32[2,4]
    g2 = ReluGrad(f2, f2) f32[2,4]
    g1 = RefIdentity(v, ^g2) f32[2,4]
    update = Add(g1, g2) f32[2,4]
  )");
  CHECK(swaps(net, options()) == Texts{"f2:0 -> g2"});
}

TEST_CASE("handles of resource variables stay where the variable is") {
  const io::Document net = test::read_graph(R"(
    h = VarHandleOp()
    f1 = MadeUp(h) f32[2,4]
    f2 = Relu(f1) f32[2,4]
    g2 = ReluGrad(f2, f2) f32[2,4]
    g1 = MadeUp(h, g2) f32[2,4]
    update = Relu(g1) f32[2,4]
  )");
  CHECK(starting(net, options()) == Texts{"h"});
  Lms1Options given = options();
  given.explain = true;
  CHECK(swaps(net, given) == Texts{"f2:0 -> g2"});
  CHECK(plan_of(net, given).not_swapped[0].why == "reference to a variable, or a handle");
}

TEST_CASE("a control op of another loop is passed over, and back edges stay direct") {
  const io::Document net = test::read_graph(R"(
    x = Placeholder() f32[2,4]
    f1 = Relu(x) f32[2,4]
    f2 = Relu(f1) f32[2,4]
    genter = Enter(f2) f32[2,4]
    gmerge = Merge(genter, gnext) f32[2,4]
    gcond = LoopCond(gmerge) f32[2,4]
    gswitch = Switch(gmerge, gcond) f32[2,4] f32[2,4]
    gbody = Tanh(gswitch:1) f32[2,4]
    gnext = NextIteration(gbody) f32[2,4]
    gexit = Exit(gswitch:0) f32[2,4]
    glate = Relu(gexit) f32[2,4]
    g1 = ReluGrad(glate, f1) f32[2,4]
    update = Relu(g1) f32[2,4]
  )");
  Lms1Options direct = options();
  direct.starting_op_names = {"f1"};
  direct.ctrld_strategy = ControlStrategy::kDirectOrder;
  direct.lb = 2;  // gswitch and gmerge run in the loop; genter hands its control edge into it
  CHECK(swaps(net, direct)[0] == "f1:0 -> g1 after f2");
  direct.lb = 1;
  CHECK(swaps(net, direct)[0] == "f1:0 -> g1 after gexit");
}

TEST_CASE(
    "starting ops are those that reach most of what the backward phase reads, around loops too") {
  // All of the loop reaches body, test and late; before them f1 reaches them and more.
  const io::Document net = test::read_graph(R"(
    x = Placeholder() f32[2,4]
    alone = Relu(x) f32[2,4]
    enter = Enter(x) f32[2,4]
    merge = Merge(enter, next) f32[2,4]
    test = LoopCond(merge) f32[2,4]
    switch = Switch(merge, test) f32[2,4] f32[2,4]
    body = Tanh(switch:1) f32[2,4]
    next = NextIteration(body) f32[2,4]
    exit = Exit(switch:0) f32[2,4]
    late = Relu(exit) f32[2,4]
    g1 = AddN(late, alone, body, test) f32[2,4]
  )");
  CHECK(starting(net, options()) == Texts{"test", "body"});
  const io::Document straight = test::read_graph(R"(
    w = Relu() f32[2,4]
    x = Relu() f32[2,4]
    y = Relu() f32[2,4]
    f1 = Add(w, x) f32[2,4]
    f2 = Add(f1, y) f32[2,4]
    g1 = AddN(w, x, y, f1, f2) f32[2,4]
  )");
  CHECK(starting(straight, options()) == Texts{"w", "x"});
}

}  // namespace tideline
