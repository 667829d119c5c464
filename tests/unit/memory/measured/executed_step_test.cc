#include "core/memory/measured/executed_step.h"

#include <catch2/catch.hpp>

#include "core/memory/faithful.h"
#include "tests/support/graph_text.h"
#include "tests/support/trace_text.h"

namespace tideline {
namespace {

struct Executed {
  io::Document document;
  StepTrace trace;
  MeasuredStep measured;
  ExecutedStep step;

  Executed(std::string_view graph, std::string_view text)
      : document(test::read_graph(graph)), trace(test::read_trace(text)) {
    Diagnostics diagnostics;
    measured = measure_step(document.graph, trace, diagnostics).at(0);
    const auto tensors = TensorTable::build(document.graph, {.model = SizeModel::kFaithful});
    REQUIRE(tensors);
    const auto known = build_step_graph(document.graph, *tensors, document.collections, {});
    REQUIRE(known);
    step = executed_step(document.graph, *known, OpFactsTable::for_graph(document.graph), trace,
                         measured);
  }

  // "b.1 <- a.1 Switch.0": who reads what, by op and number of its execution.
  [[nodiscard]] std::string reads(std::string_view op, int number) const {
    std::string text;
    for (std::uint32_t at = 1; at + 1 < step.graph.ops.size(); ++at) {
      if (name(OpId{at}) != fmt::format("{}.{}", op, number)) continue;
      for (const StepInput& input : step.graph.inputs_of(OpId{at})) {
        if (!text.empty()) text += ' ';
        text += input.space == Space::kElsewhere ? "-" : name(step.graph.producer_of[input.tensor]);
      }
    }
    return text;
  }
  [[nodiscard]] std::string name(OpId at) const {
    if (at.value == 0) return "before";
    const OpId op = measured.executions[step.execution_of[at.index()]].op;
    int number = 0;
    for (std::uint32_t i = 1; i < at.value; ++i) {
      if (measured.executions[step.execution_of[i]].op == op) ++number;
    }
    return fmt::format("{}.{}", document.graph.name(op), number);
  }
  [[nodiscard]] std::vector<Bytes> live() const {
    auto all = simulate_step(step.graph, step.schedule).timeline.device;
    return {all.begin() + 1, all.end() - 1};
  }
};

// Two rounds of a loop around Add.
constexpr const char* kLoop = R"(
  x = MadeUp() f32[4]
  k = MadeUp() f32[4]
  e = Enter(x) f32[4] +frame_name='f' +is_constant=false
  c = Enter(k) f32[4] +frame_name='f' +is_constant=true
  m = Merge(e, n) f32[4] i32[]
  p = LoopCond(q) bool[]
  q = MadeUp(m) bool[]
  s = Switch(m, p) f32[4] f32[4]
  b = Add(s:1, c) f32[4]
  n = NextIteration(b) f32[4]
  o = Exit(s) f32[4]
)";
constexpr const char* kLoopTrace = R"(
  x = MadeUp() | 1+1 | 0:16&1#1 | +16@1
  k = MadeUp() | 2+1 | 0:16&2#1 | +16@2
  e = Enter(x) | 3+1 | 0:16&1#1
  c = Enter(k) | 4+1 | 0:16&2#1
  m = Merge(e, n) | 10+1 | 0:16&1#1
  q = MadeUp(m) | 11+1 | 0:1&8#1
  p = LoopCond(q) | 12+1 | 0:1&8#1
  s = Switch(m, p) | 13+1 | 1:16&1#1
  b = Add(s:1, c) | 14+1 | 0:16&1#1
  n = NextIteration(b) | 15+1 | 0:16&1#1
  m = Merge(e, n) | 20+1 | 0:16&1#1
  q = MadeUp(m) | 21+1 | 0:1&8#1
  p = LoopCond(q) | 22+1 | 0:1&8#1
  s = Switch(m, p) | 23+1 | 1:16&1#1
  b = Add(s:1, c) | 24+1 | 0:16&1#1
  n = NextIteration(b) | 25+1 | 0:16&1#1
  m = Merge(e, n) | 30+1 | 0:16&1#1
  q = MadeUp(m) | 31+1 | 0:1&8#1
  p = LoopCond(q) | 32+1 | 0:1&8#1
  s = Switch(m, p) | 33+1 | 0:16&1#1
  o = Exit(s) | 34+1 | 0:16&1#1
)";

}  // namespace

TEST_CASE("each round of a loop reads what its own round made") {
  const Executed run(kLoop, kLoopTrace);
  CHECK(run.reads("m", 0) == "e.0 -");
  CHECK(run.reads("m", 1) == "- n.0");
  CHECK(run.reads("m", 2) == "- n.1");
  CHECK(run.reads("s", 1) == "m.1 p.1");
  CHECK(run.reads("b", 0) == "s.0 c.0");
  CHECK(run.reads("b", 1) == "s.1 c.0");
  CHECK(run.reads("o", 0) == "s.2 c.0");  // ends the loop, and what is constant in it
}

TEST_CASE("the whole loop needs one buffer for what goes round and one for its constant") {
  const Executed run(kLoop, kLoopTrace);
  const auto live = run.live();
  CHECK(*std::max_element(live.begin(), live.end()) == 16 + 16 + 1);
  CHECK(live.back() == 32);  // the constant lives until the loop has ended: Exit is its last op
}

TEST_CASE("ops that did not run are looked through") {
  const Executed run(R"(
    a = MadeUp() f32[4]
    i = Identity(a) f32[4]
    fused = MadeUp(a) f32[4]
    b = MadeUp(i) f32[4]
    c = Relu(fused) f32[4]
  )",
                     R"(
    a = MadeUp() | 1+1 | 0:16&1#1
    b = MadeUp(a) | 2+1 | 0:16&2#1
    c = Fused(a) | 3+1 | 0:16&3#1
  )");
  CHECK(run.reads("b", 0) == "a.0");    // as the input itself: an Identity is the same buffer
  CHECK(run.reads("c", 0) == "- a.0");  // kept until then, but no input whose buffer could be taken
}

TEST_CASE("whoever looks at a shape, or waits, reads nothing") {
  const Executed run(R"(
    a = MadeUp() f32[4]
    shape = Shape(a) i32[1]
    wait = NoOp(^a)
    b = MadeUp(shape, ^wait) f32[4]
  )",
                     R"(
    a = MadeUp() | 1+1 | 0:16&1#1
    b = MadeUp() | 2+1 | 0:16&2#1
  )");
  CHECK(run.reads("b", 0) == "-");
  CHECK(run.step.graph.controls_of(OpId{2}).size() == 1);
}

TEST_CASE("variables, constants and what is fed take no memory of the step") {
  const Executed run(R"(
    x = Placeholder() f32[4]
    w = VariableV2() f32[4]
    k = Const() f32[4] +value=f32[4]{0}
    folded = MadeUp() f32[4]
    a = Reshape(x, k) f32[4]
    b = MadeUp(w, k, folded, a) f32[4]
  )",
                     R"(
    _arg_x_0_0 = _Arg() | 1+1 | 0:16&0#0!
    w = VariableV2() | 2+1 | 0:16&5#0!
    k = Const() | 3+1 | 0:16&6#0!
    folded = Const() | 4+1 | 0:16&7#0!
    a = Reshape(x, k) | 5+1 | 0:16&0#0!
    b = MadeUp(w, k) | 6+1 | 0:16&8#1 | +16@6
  )");
  CHECK(run.live() == std::vector<Bytes>{0, 0, 0, 0, 16});
}

TEST_CASE("what goes onto a stack stays until it comes back") {
  const Executed run(R"(
    h = StackV2() res[]
    a = MadeUp() f32[4]
    push = StackPushV2(h, a) f32[4]
    other = MadeUp() f32[4]
    pop = StackPopV2(h) f32[4]
    b = MadeUp(pop) f32[4]
  )",
                     R"(
    h = StackV2() | 1+1 | 0:0&9#1
    a = MadeUp() | 2+1 | 0:16&1#1
    push = StackPushV2(h, a) | 3+1 | 0:16&1#1
    other = MadeUp() | 4+1 | 0:100&2#1
    pop = StackPopV2(h) | 5+1 | 0:16&1#1
    b = MadeUp(pop) | 6+1 | 0:16&3#1
  )");
  CHECK(run.reads("pop", 0) == "h.0 a.0");
  CHECK(run.live() == std::vector<Bytes>{0, 16, 16, 116, 16, 32});
}

TEST_CASE("what is fetched, or left in a container, lives until the end") {
  const Executed run(R"(
    ta = TensorArrayV3() res[] f32[]
    a = MadeUp() f32[4]
    w = TensorArrayWriteV3(ta, ta, a, ta:1) f32[]
    l = MadeUp() f32[4]
    z = MadeUp() f32[4]
  )",
                     R"(
    ta = TensorArrayV3() | 1+1 | 0:0&9#1 1:0&8#2
    a = MadeUp() | 2+1 | 0:16&1#1
    w = TensorArrayWriteV3(ta, ta, a, ta:1) | 3+1 | 0:0&8#2
    l = MadeUp() | 4+1 | 0:16&2#1
    _retval_l_0_0 = _Retval(l) | 5+1
    z = MadeUp() | 6+1 | 0:16&3#1
  )");
  CHECK(run.live() == std::vector<Bytes>{0, 16, 16, 32, 48});
}

}  // namespace tideline
