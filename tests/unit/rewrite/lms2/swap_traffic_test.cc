#include "core/rewrite/lms2/swap_traffic.h"

#include <catch2/catch.hpp>

#include "core/memory/faithful.h"
#include "core/rewrite/lms2/prepared.h"
#include "tests/support/graph_data.h"
#include "tests/unit/rewrite/plan_text.h"

namespace tideline::lms2 {
namespace {

// What the plans of `document` move, counted from the plans themselves.
void check_against_plans(const io::Document& document, Lms2Options options, std::size_t every) {
  options.swapout_threshold = 1;
  options.swapin_ahead = 1;
  options.swapin_groupby = 0;
  const auto prepared = Prepared::make(document.graph, document.collections, options);
  REQUIRE(prepared);
  const auto tensors = TensorTable::build(
      document.graph, {.batch_size = options.batch_size, .model = SizeModel::kFaithful});
  REQUIRE(tensors);
  const auto step = build_step_graph(document.graph, *tensors, document.collections, {});
  REQUIRE(step);
  const Context& context = (*prepared)->context();
  (*prepared)->set(0, 1, 0, 0);
  const std::vector<int> groupbys = {0, 1, 2, 5, 10, context.levels.count()};
  const SwapTraffic traffic(choose_swaps(context, (*prepared)->candidates()), context.levels, *step,
                            -1, groupbys);
  REQUIRE(traffic.thresholds().front() == 1);
  Progress silent;
  std::int64_t swaps_before = 1 << 20;
  for (std::size_t i = 0; i < traffic.thresholds().size(); i += every) {
    for (std::size_t k = 0; k < groupbys.size(); ++k) {
      INFO("threshold " << traffic.thresholds()[i] << ", group-by " << groupbys[k]);
      (*prepared)->set(traffic.thresholds()[i], 1, groupbys[k], 0);
      const auto plan = (*prepared)->plan(silent);
      REQUIRE(plan);
      double out = 0, in = 0;
      for (const PlannedSwap& swap : plan->swaps) {
        const auto bytes = static_cast<double>(step->tensors[step->tensor(swap.tensor)].bytes);
        out += bytes;
        in += bytes * static_cast<double>(swap.swap_ins.size());
      }
      const SwapTraffic::Moved& moved = traffic.of(i, k);
      CHECK(moved.copies_out == plan->swap_out_count());
      CHECK(moved.copies_in == swap_in_count(plan->swaps));
      CHECK(moved.bytes_out == out);
      CHECK(moved.bytes_in == in);
      // The threshold before gives the same swaps, unless it is listed itself.
      const bool is_distinct = plan->swap_out_count() <= swaps_before;
      CHECK(is_distinct);
      const std::size_t same = traffic.same_groups(i, k);
      CHECK(same <= k);
      CHECK(traffic.of(i, same).copies_in == moved.copies_in);
      swaps_before = plan->swap_out_count();
    }
  }
}

}  // namespace

TEST_CASE("traffic is what the plans move") {
  check_against_plans(test::open_graph(test::graph_file("mnist_deep.meta")), {.batch_size = 32}, 1);
  check_against_plans(test::open_graph(test::graph_file("bn_is_training.meta")), {.batch_size = 4},
                      1);
  check_against_plans(test::open_graph(test::graph_file("resnet50.meta")), {.batch_size = 64}, 23);
}

TEST_CASE("tensors that the user lists move with every threshold") {
  Lms2Options options;
  options.batch_size = 32;
  options.swap_tensors = {"conv1/Relu:0"};
  options.keep_tensors = {"conv2/Relu:0"};
  check_against_plans(test::open_graph(test::graph_file("mnist_deep.meta")), options, 1);
}

TEST_CASE("copies occupy each link for their latencies and their bytes") {
  DeviceProfile profile;
  profile.to_host = {1e9, 10};
  profile.to_device = {2e9, 20};
  CHECK(copy_ns({2, 3, 1000, 4000}, profile) == 2 * 10 + 1000 + 3 * 20 + 2000);
}

}  // namespace tideline::lms2
