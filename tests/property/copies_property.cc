// A rewritten graph is read as what it is: the original with swaps.
#include <catch2/catch.hpp>
#include <random>

#include "core/analysis/structure/structure.h"
#include "core/memory/step_time.h"
#include "core/rewrite/lms1/lms1.h"
#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/predict.h"
#include "tests/property/random_step.h"
#include "tests/support/graph_data.h"
#include "tests/support/graph_text.h"
#include "tests/support/lms_plans.h"
#include "tests/support/random_graph.h"
#include "tests/support/same_step.h"

namespace tideline {
namespace {

// The ids of a plan that removes nothing are those of the graph that it gives.
void check_copies(const LmsPlan& plan, const Graph& rewritten) {
  const SwapCopies copies = find_swap_copies(rewritten, Consumers(rewritten));
  std::size_t planned = 0;
  for (const PlannedSwap& swap : plan.swaps) {
    if (swap.swap_ins.empty()) continue;
    ++planned;
    const FileSwap* found = copies.of(swap.tensor);
    REQUIRE(found != nullptr);
    CHECK(found->swap_out == swap.swap_out);
    REQUIRE(found->swap_ins.size() == swap.swap_ins.size());
    for (std::size_t i = 0; i < swap.swap_ins.size(); ++i) {
      CHECK(found->swap_ins[i].copy == swap.swap_ins[i].copy);
      std::vector<OpId> consumers = swap.swap_ins[i].consumers;
      std::sort(consumers.begin(), consumers.end());
      CHECK(found->swap_ins[i].consumers == consumers);
      if (!swap.swap_ins[i].trigger.valid()) continue;
      const std::vector<OpId>& waits = found->swap_ins[i].waits_for;
      CHECK(std::find(waits.begin(), waits.end(), swap.swap_ins[i].trigger) != waits.end());
    }
  }
  CHECK(copies.swaps.size() == planned);
}

// What there is to know of an op of the original stays. How many of them are backward.
std::int64_t check_structure(const Graph& graph, const Graph& rewritten) {
  const auto before = find_structure(graph);
  const auto after = find_structure(rewritten);
  REQUIRE(before);
  REQUIRE(after);
  std::vector<std::string> other;
  for (const OpId op : graph.ops()) {
    const bool is_same = after->phases.of(op) == before->phases.of(op) &&
                         after->flow.of_op[op.index()] == before->flow.of_op[op.index()];
    if (!is_same) other.emplace_back(graph.name(op));
  }
  CHECK(other == std::vector<std::string>());
  CHECK(after->phases.updates == before->phases.updates);
  CHECK(after->flow.seeds == before->flow.seeds);
  for (const Phase phase : {Phase::kForward, Phase::kBackward, Phase::kUpdate}) {
    const auto index = static_cast<std::size_t>(phase);
    CHECK(after->phases.count.at(index) == before->phases.count.at(index));
  }
  return before->phases.count.at(static_cast<std::size_t>(Phase::kBackward));
}

// The sync modes of LMS v2 also let ops of the graph wait for each other, of which nobody can say
// later that they did not do so before.
bool changes_only_around_copies(const Graph& graph, const GraphPlan& plan) {
  return std::none_of(plan.control.begin(), plan.control.end(), [&](const ControlEdge& edge) {
    return edge.op.index() < graph.op_count() && edge.after.index() < graph.op_count();
  });
}

Lms2Options random_lms2(std::mt19937& random) {
  Lms2Options options;
  options.swapout_threshold = 1 + static_cast<int>(random() % 10);
  options.swapin_ahead = 1 + static_cast<int>(random() % 6);
  options.swapin_groupby = static_cast<int>(random() % 5);
  options.sync_mode = static_cast<int>(random() % 4);
  return options;
}

// The plan with the ops of TensorFlow's memory optimizer in place of Identity ops.
LmsPlan with_own_types(LmsPlan plan) {
  for (AddedOp& op : plan.edit.added) {
    op.type = op.name.starts_with("lms/swapout") ? "_CopyFromGpuToHost" : "_CopyFromHostToGpu";
    op.device = "";
  }
  return plan;
}

StepGraph step_of(const Graph& graph) {
  const auto tensors = TensorTable::build(graph, {.batch_size = 8, .model = SizeModel::kFaithful});
  REQUIRE(tensors);
  auto step = build_step_graph(graph, *tensors, {}, {});
  REQUIRE(step);
  return *std::move(step);
}

// A tensor is of the same kind with and without copies, and a copy of that of its tensor.
void check_kinds(const Graph& graph, const Graph& rewritten) {
  const StepGraph before = step_of(graph), after = step_of(rewritten);
  std::vector<std::string> other;
  for (std::size_t i = 0; i < before.tensors.size(); ++i) {
    const OpId maker = before.producer_of[i];
    if (before.tensors[i].kind != after.tensors[i].kind) other.emplace_back(graph.name(maker));
  }
  for (const FileSwap& swap : find_swap_copies(rewritten, Consumers(rewritten)).swaps) {
    const MemoryKind kind = after.tensors[after.tensor(swap.tensor)].kind;
    if (after.tensors[after.tensor({swap.swap_out, 0})].kind != kind) {
      other.emplace_back(rewritten.name(swap.swap_out));
    }
  }
  CHECK(other == std::vector<std::string>());
}

}  // namespace

TEST_CASE("random graphs: the copies of a written plan of LMS v2 are its swaps") {
  std::size_t swaps = 0;
  int compared = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    test::RandomGraphOptions shape;
    shape.ops = 2 + static_cast<int>(random() % 120);
    shape.shuffled = random() % 3 == 0;
    shape.real_types = true;
    const io::Document document = test::read_graph(test::random_graph(seed, shape));
    Progress silent;
    const auto plan = plan_lms2(document.graph, {}, random_lms2(random), silent);
    REQUIRE(plan);
    const auto rewritten = apply(document.graph, *plan);
    REQUIRE(rewritten);
    check_copies(*plan, *rewritten);
    swaps += plan->swaps.size();
    if (!changes_only_around_copies(document.graph, plan->edit)) continue;
    check_structure(document.graph, *rewritten);
    ++compared;
  }
  CHECK(swaps > 1000);
  CHECK(compared > 100);
}

TEST_CASE("random steps: the copies of a written plan of LMS v1 are its swaps") {
  std::size_t swaps = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const io::Document document = test::read_graph(test::RandomStep(seed).text());
    const Lms1Options options = test::random_options(random);
    Progress silent;
    const auto plan = plan_lms1(document.graph, {}, options, silent);
    if (!plan) continue;
    const auto rewritten = apply(document.graph, *plan);
    REQUIRE(rewritten);
    check_copies(*plan, *rewritten);
    check_structure(document.graph, *rewritten);
    swaps += plan->swaps.size();
  }
  CHECK(swaps > 500);
}

TEST_CASE("graphs of TensorFlow: a rewritten graph has the phases of the original") {
  std::int64_t backward = 0;
  std::size_t swaps = 0;
  for (const auto& path : test::graph_files()) {
    INFO(path);
    const io::Document document = test::open_graph(path);
    for (const int threshold : {1, 5, 30}) {
      Lms2Options options;
      options.swapout_threshold = threshold;
      options.swapin_ahead = 3;
      options.swapin_groupby = threshold;
      Progress silent;
      const auto plan = plan_lms2(document.graph, document.collections, options, silent);
      if (!plan || plan->swaps.empty()) continue;
      const auto rewritten = apply(document.graph, *plan);
      REQUIRE(rewritten);
      check_copies(*plan, *rewritten);
      backward += check_structure(document.graph, *rewritten);
      if (threshold == 5) check_kinds(document.graph, *rewritten);
      swaps += plan->swaps.size();
    }
  }
  CHECK(backward > 5000);
  CHECK(swaps > 1000);
}

TEST_CASE("graphs of TensorFlow: what LMS v1 rewrote has the phases of the original") {
  std::int64_t backward = 0;
  std::size_t swaps = 0;
  for (const char* name : {"tutorial_mnist.meta", "mlp.meta", "mnist_deep.meta"}) {
    INFO(name);
    const io::Document document = test::open_graph(test::graph_file(name));
    Lms1Options options;
    options.optimizer_scopes = {"adam_optimizer"};
    for (const bool fuses : {false, true}) {
      options.fuse_swapins = fuses;
      Progress silent;
      const auto plan = plan_lms1(document.graph, document.collections, options, silent);
      REQUIRE(plan);
      const auto rewritten = apply(document.graph, *plan);
      REQUIRE(rewritten);
      check_copies(*plan, *rewritten);
      backward += check_structure(document.graph, *rewritten);
      swaps += plan->swaps.size();
    }
  }
  CHECK(backward > 500);
  CHECK(swaps > 20);
}

TEST_CASE("random graphs: copies of TensorFlow's memory optimizer cost what those of LMS do") {
  std::int64_t swap_ins = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    test::RandomGraphOptions shape;
    shape.ops = 2 + static_cast<int>(random() % 120);
    shape.real_types = true;
    const io::Document document = test::read_graph(test::random_graph(seed, shape));
    Progress silent;
    const auto plan = plan_lms2(document.graph, {}, random_lms2(random), silent);
    REQUIRE(plan);
    const auto by_lms = apply(document.graph, *plan);
    const auto by_own_types = apply(document.graph, with_own_types(*plan));
    REQUIRE(by_lms);
    REQUIRE(by_own_types);
    check_copies(*plan, *by_own_types);
    if (changes_only_around_copies(document.graph, plan->edit)) {
      check_structure(document.graph, *by_own_types);
    }
    const StepGraph expected = step_of(*by_lms), step = step_of(*by_own_types);
    const FaithfulStep expected_run = simulate_step(expected), run = simulate_step(step);
    CHECK(test::difference(expected_run.timeline, run.timeline).empty());
    const CostModel costs(*built_in_profile("pcie3"));
    CHECK(estimate_time(step, run, costs).step_ns() ==
          estimate_time(expected, expected_run, costs).step_ns());
    swap_ins += run.timeline.swap_ins;
  }
  CHECK(swap_ins > 500);
}

}  // namespace tideline
