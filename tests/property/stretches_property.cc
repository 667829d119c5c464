// What is said of a tensor at the peak is what the simulation lists there, for random plans.
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "core/rewrite/lms/tensor_stretches.h"
#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/predict.h"
#include "tests/support/graph_text.h"
#include "tests/support/lms_plans.h"
#include "tests/support/random_graph.h"

namespace tideline {
namespace {

Lms2Options random_options(std::mt19937& random) {
  Lms2Options options;
  options.swapout_threshold = 1 + static_cast<int>(random() % 8);
  options.swapin_ahead = 1 + static_cast<int>(random() % 10);
  options.swapin_groupby = static_cast<int>(random() % 5);
  options.batch_size = 1 + static_cast<std::int64_t>(random() % 9);
  return options;
}

std::string random_text(std::uint32_t seed, std::mt19937& random) {
  test::RandomGraphOptions shape;
  shape.ops = 2 + static_cast<int>(random() % 100);
  shape.max_inputs = 1 + static_cast<int>(random() % 4);
  shape.control_share = random() % 2 == 0 ? 0.0 : 0.2;
  shape.shuffled = random() % 3 == 0;
  shape.real_types = true;
  return test::random_graph(seed, shape);
}

// The tensor of the graph that lies in a buffer: a swap-in's is that of the tensor copied.
TensorId behind(const LmsPlan& plan, TensorId tensor) {
  for (const PlannedSwap& swap : plan.swaps) {
    for (const PlannedSwapIn& in : swap.swap_ins) {
      if (in.copy == tensor.op) return swap.tensor;
    }
  }
  return tensor;
}

}  // namespace

TEST_CASE("random graphs: tensors that say they are there at the peak are those that are") {
  std::size_t at_peak = 0, as_copy = 0;
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const io::Document document = test::read_graph(random_text(seed, random));
    const Graph& graph = document.graph;
    const Lms2Options options = random_options(random);
    Progress silent;
    const auto plan = plan_lms2(graph, {}, options, silent);
    REQUIRE(plan);
    const auto tensors = TensorTable::build(
        graph, {.batch_size = options.batch_size, .model = SizeModel::kFaithful});
    REQUIRE(tensors);
    const auto original = build_step_graph(graph, *tensors, {}, {});
    REQUIRE(original);
    const FaithfulStep step = test::predict_step(*original, graph, *plan, std::nullopt);
    const LevelMap levels = complete_levels(graph);
    std::set<TensorId> listed;
    for (const LiveTensor& entry : step.timeline.alive_at_peak) {
      listed.insert(behind(*plan, entry.tensor));
      as_copy += entry.kind == MemoryKind::kSwapped ? 1 : 0;
    }
    for (const OpId op : graph.ops()) {
      for (std::uint32_t slot = 0; slot < tensors->output_count(op); ++slot) {
        const TensorStretches found =
            find_stretches(graph, levels, *original, plan->swaps, step, {op, slot});
        INFO(graph.tensor_name({op, slot}) << ": " << stretches_text(graph, found));
        // A buffer is listed under the first tensor in it.
        bool is_listed = listed.count({op, slot}) > 0;
        for (const TensorId other : found.shared_with) {
          is_listed = is_listed || listed.count(other) > 0;
        }
        is_listed = is_listed || listed.count(found.shared_copy_of) > 0;
        if (found.is_at_peak()) {
          REQUIRE(is_listed);
          ++at_peak;
        }
        REQUIRE((found.is_at_peak() || listed.count({op, slot}) == 0));
      }
    }
  }
  CHECK(at_peak > 1000);
  CHECK(as_copy > 100);
}

}  // namespace tideline
