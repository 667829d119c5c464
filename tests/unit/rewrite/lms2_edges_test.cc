// Hand-made graphs with the expected control edges written out: triggers, sync modes,
// serialisation.
#include "core/rewrite/lms2/lms2.h"

#include <catch2/catch.hpp>

#include "tests/unit/rewrite/plan_text.h"

namespace tideline {

using test::edges;
using test::kNet;
using test::parameters;
using test::plan_of;
using test::swaps;
using test::Texts;

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

TEST_CASE("edges from ops that a conditional may skip are told, and left out by the guard") {
  // h runs only when p is true; the Merge m counts on f when it is not. The reference lets the
  // swap-in of f wait for h, and m would get nothing at all.
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

TEST_CASE("serialisation leaves out edges by which a loop would wait for its own result") {
  // The compatible levels do not see that Switch waits for LoopCond: `after` and `late` share level
  // 5, though the loop's condition needs `late`, and `after` reads the loop's result.
  const io::Document net = test::read_graph(R"(
    i0 = Relu() f32[2,4]
    w/while/Enter = Enter(i0) f32[2,4]
    w/while/Merge = Merge(w/while/Enter, w/while/Next) f32[2,4]
    w/while/Less = Less(w/while/Merge, w/while/Enter_1) bool[]
    w/while/Cond = LoopCond(w/while/Less) bool[]
    w/while/Switch = Switch(w/while/Merge, w/while/Cond) f32[2,4] f32[2,4]
    w/while/Exit = Exit(w/while/Switch) f32[2,4]
    w/while/Next = NextIteration(w/while/Switch:1) f32[2,4]
    l1 = Relu(i0) f32[2,4]
    l2 = Relu(l1) f32[2,4]
    l3 = Relu(l2) f32[2,4]
    l4 = Relu(l3) f32[2,4]
    after = Add(w/while/Exit, l4) f32[2,4]
    late = Relu(l4) f32[2,4]
    w/while/Enter_1 = Enter(late) f32[2,4]
  )");
  Lms2Options options = parameters(100, 1, 0);
  options.serialization = {"5"};
  const LmsPlan plan = plan_of(net, options);  // applies the plan, which a cycle would make fail
  CHECK(plan.edit.control.empty());
  REQUIRE(plan.warnings.size() == 1);
  CHECK(plan.warnings[0].text.find("{serialization}: 1 control edges") == 0);
}

}  // namespace tideline
