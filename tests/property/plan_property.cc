// Random plans with every kind of change: what is predicted is what the built graph needs, and what
// is written as JSON is what is read.
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "core/graph/graph_edit.h"
#include "core/memory/kept_facts.h"
#include "core/rewrite/plan/graph_plan_json.h"
#include "core/rewrite/plan/plan_json_reader.h"
#include "core/rewrite/predict.h"
#include "tests/support/graph_text.h"
#include "tests/support/random_graph.h"
#include "tests/support/random_plan.h"
#include "tests/support/same_step.h"

namespace tideline {
namespace {

struct Case {
  io::Document document;
  GraphPlan plan;
  Graph changed;
  TensorOptions sizes;
  StepOptions step;
};

Case make_case(std::uint32_t seed) {
  std::mt19937 random(seed);
  test::RandomGraphOptions shape;
  shape.ops = 3 + static_cast<int>(random() % 60);
  shape.max_inputs = 1 + static_cast<int>(random() % 4);
  shape.control_share = random() % 2 == 0 ? 0.0 : 0.3;
  shape.shuffled = random() % 3 == 0;
  shape.real_types = true;
  io::Document document = test::read_graph(test::random_graph(seed, shape));
  GraphPlan plan = test::random_plan(document.graph, random() % 2 == 0, random);
  auto changed = apply(document.graph, plan);
  INFO((changed ? "" : changed.error().message));
  REQUIRE(changed);
  Case made{std::move(document), std::move(plan), *std::move(changed), {}, {}};
  made.sizes.batch_size = 1 + static_cast<std::int64_t>(random() % 9);
  made.sizes.model = SizeModel::kFaithful;
  if (random() % 3 == 0) made.step.gpu_device = "/device:GPU:0";
  if (random() % 3 == 0) {
    const OpId op{static_cast<std::uint32_t>(random() % made.changed.op_count())};
    if (made.document.graph.find(made.changed.name(op)).valid()) {
      made.step.fetches.emplace_back(made.changed.name(op));
    }
  }
  return made;
}

StepGraph flatten(const Graph& graph, const Case& made) {
  const auto tensors = TensorTable::build(graph, made.sizes);
  REQUIRE(tensors);
  auto step = build_step_graph(graph, *tensors, {}, made.step);
  REQUIRE(step);
  return *std::move(step);
}

// With the ids of the built graph.
MemoryTimeline renumbered(MemoryTimeline timeline, const Case& made, const GraphPlan& plan) {
  for (OpId& op : timeline.schedule) {
    op = made.changed.find(plan.name(made.document.graph, op));
  }
  return timeline;
}

// Work and places of every op, which the timeline does not show.
std::string difference(const StepGraph& predicted, const StepGraph& afresh, const Case& made,
                       const GraphPlan& plan) {
  const Graph& graph = made.document.graph;
  for (std::uint32_t i = 0; i < graph.op_count() + plan.added.size(); ++i) {
    const OpId now = made.changed.find(plan.name(graph, OpId{i}));
    if (!now.valid()) continue;
    const StepOp& a = predicted.ops[i];
    const StepOp& b = afresh.ops[now.index()];
    if (a.space != b.space || a.flops != b.flops || a.runs_kernel != b.runs_kernel ||
        a.tensor_count != b.tensor_count || a.link_count != b.link_count) {
      return fmt::format("op {}", plan.name(graph, OpId{i}));
    }
  }
  return "";
}

std::string difference(const Case& made, const GraphPlan& plan, bool& was_quick) {
  const StepGraph original = flatten(made.document.graph, made);
  was_quick = keeps_facts(original, made.document.graph, plan, made.step.gpu_device);
  const auto predicted =
      predict_step_graph(original, made.document.graph, {}, plan, made.sizes, made.step);
  if (!predicted) return predicted.error().message;
  const StepGraph afresh = flatten(made.changed, made);
  const std::string of_ops = difference(*predicted, afresh, made, plan);
  if (!of_ops.empty()) return of_ops;
  return test::difference(renumbered(simulate_step(*predicted).timeline, made, plan),
                          simulate_step(afresh).timeline);
}

// An error planted into the plan that the predictor sees. False: there is no place for it.
bool plant(GraphPlan& plan, int which) {
  const auto drop = [](auto& list) {
    const bool any = !list.empty();
    list.clear();
    return any;
  };
  switch (which) {
    case 0: return drop(plan.control);
    case 1: return drop(plan.rerouted);
    case 2: return drop(plan.removed_control);
    case 3: return drop(plan.devices);
    case 4: return drop(plan.attributes);
    default:
      for (AddedOp& op : plan.added) op.device = "/cpu:1";
      return !plan.added.empty();
  }
}

}  // namespace

TEST_CASE("random plans: what is predicted is what the built graph needs") {
  int quick = 0;
  int removing = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    INFO("seed " << seed);
    const Case made = make_case(seed);
    bool was_quick = false;
    REQUIRE(difference(made, made.plan, was_quick) == "");
    quick += was_quick ? 1 : 0;
    removing += made.plan.removed.empty() ? 0 : 1;
  }
  CHECK(quick > 150);
  CHECK(quick < 850);
  CHECK(removing > 200);
}

TEST_CASE("random plans: an error planted into the prediction is found") {
  for (int which = 0; which < 6; ++which) {
    INFO("error " << which);
    int tried = 0;
    int found = 0;
    for (std::uint32_t seed = 0; seed < 150; ++seed) {
      const Case made = make_case(seed);
      GraphPlan wrong = made.plan;
      if (!plant(wrong, which)) continue;
      ++tried;
      bool was_quick = false;
      if (!difference(made, wrong, was_quick).empty()) ++found;
    }
    CHECK(tried > 20);
    CHECK(found > 0);
  }
}

TEST_CASE("random plans: what is written as JSON is read as the same plan") {
  const PlanHead head{"tideline", "g.pb", "digest", ""};
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    INFO("seed " << seed);
    const Case made = make_case(seed);
    const Graph& graph = made.document.graph;
    const std::string json = plan_json(graph, made.plan, head, "edit");
    const auto file = PlanFile::parse("p.json", json);
    REQUIRE(file);
    const auto again = file->read(0, graph);
    INFO((again ? "" : again.error().message));
    REQUIRE(again);
    REQUIRE(plan_json(graph, *again, head, "edit") == json);
    const auto changed = apply(graph, *again);
    REQUIRE(changed);
    REQUIRE(changed->op_count() == made.changed.op_count());
    for (const OpId op : changed->ops()) {
      REQUIRE(changed->encoded(op) == made.changed.encoded(op));
    }
  }
}

TEST_CASE("a copied loop reads itself, and is predicted without building it") {
  const io::Document document = test::read_graph(R"(
    x = Const() f32[64,4]
    enter = Enter(x) f32[64,4] +frame_name='f'
    merge = Merge(enter, next) f32[64,4] i32[]
    cond = LoopCond(flag) +T=bool
    flag = Const() +dtype=bool
    switch = Switch(merge, cond) f32[64,4] f32[64,4]
    body = Relu(switch:1) f32[64,4]
    next = NextIteration(body) f32[64,4]
    exit = Exit(switch) f32[64,4]
    y = Neg(exit) f32[64,4]
  )");
  const Graph& graph = document.graph;
  GraphPlan plan;
  std::map<std::uint32_t, OpId> copy_of;
  const std::vector<const char*> loop = {"enter", "merge", "switch", "body", "next", "exit"};
  std::uint32_t next_id = graph.op_count();
  for (const char* name : loop) copy_of[test::op(graph, name).value] = OpId{next_id++};
  for (const char* name : loop) {
    const OpId op = test::op(graph, name);
    CopiedOp copy{op, "copy", ""};
    const std::string copy_name = std::string("copy/") + name;
    copy.name = copy_name;
    for (TensorId input : graph.inputs(op)) {
      const auto copied = copy_of.find(input.op.value);
      if (copied != copy_of.end()) input.op = copied->second;
      copy.inputs.push_back(input);
    }
    CHECK(plan.add_copy(graph, copy) == copy_of[op.value]);
  }
  const OpId y = test::op(graph, "y");
  plan.rerouted = {{y, 0, graph.inputs(y)[0], {copy_of[test::op(graph, "exit").value], 0}}};
  auto changed = apply(graph, plan);
  INFO((changed ? "" : changed.error().message));
  REQUIRE(changed);
  TensorOptions sizes;
  sizes.model = SizeModel::kFaithful;
  const Case made{test::read_graph("x = Const()"), plan, *std::move(changed), sizes, {}};
  const StepGraph original = flatten(graph, made);
  CHECK(keeps_facts(original, graph, plan, std::nullopt));
  const auto predicted = predict_step_graph(original, graph, {}, plan, sizes, {});
  REQUIRE(predicted);
  CHECK(test::difference(simulate_step(*predicted).timeline,
                         simulate_step(flatten(made.changed, made)).timeline) == "");
}

}  // namespace tideline
