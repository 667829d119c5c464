#include <catch2/catch.hpp>
#include <random>

#include "core/rewrite/lms2/play.h"
#include "core/rewrite/lms2/play_input.h"
#include "core/rewrite/lms2/prepared.h"
#include "tests/property/slow_play.h"
#include "tests/support/graph_text.h"
#include "tests/support/own_aheads.h"
#include "tests/support/random_graph.h"

namespace tideline {
namespace {

test::RandomGraphOptions random_shape(std::mt19937& random) {
  test::RandomGraphOptions shape;
  shape.ops = 2 + static_cast<int>(random() % 100);
  shape.max_inputs = 1 + static_cast<int>(random() % 4);
  shape.cpu_share = random() % 2 == 0 ? 0.0 : 0.15;
  shape.shuffled = random() % 3 == 0;
  shape.real_types = true;
  return shape;
}

SwapParameters random_set(std::mt19937& random) {
  return {1 + static_cast<int>(random() % 12), 1 + static_cast<int>(random() % 8),
          static_cast<int>(random() % 5), static_cast<int>(random() % 4)};
}

}  // namespace

TEST_CASE("random graphs and parameters: the play equals the slow one") {
  std::int64_t swaps = 0;
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    std::mt19937 random(seed);
    const io::Document document = test::read_graph(test::random_graph(seed, random_shape(random)));
    Lms2Options options;
    options.batch_size = 1 + static_cast<std::int64_t>(random() % 9);
    if (random() % 4 == 0) {
      options.excl_input.types = {std::string(document.graph.types().front())};
    }
    options.ahead_tensors = test::random_aheads(random, document.graph);
    const auto prepared = lms2::Prepared::make(document.graph, {}, options);
    REQUIRE(prepared);
    // Any op may be named as a variable; the play leaves its memory out.
    std::set<OpId> trainable;
    for (const OpId op : document.graph.ops()) {
      if (random() % 20 == 0) trainable.insert(op);
    }
    const auto& context = (*prepared)->context();
    const auto graph = lms2::build_play_graph(context, (*prepared)->candidates(),
                                              {trainable.begin(), trainable.end()});
    REQUIRE(graph);
    lms2::Player player(*graph);
    for (int i = 0; i < 4; ++i) {
      const SwapParameters set = random_set(random);
      INFO("seed " << seed << ": threshold " << set.swapout_threshold << " ahead "
                   << set.swapin_ahead << " groupby " << set.swapin_groupby << " sync "
                   << set.sync_mode);
      const SearchPrediction fast = player.play(set);
      const SearchPrediction slow =
          test::slow_play(context, (*prepared)->candidates(), trainable, set);
      REQUIRE(fast.device_peak == slow.device_peak);
      REQUIRE(fast.host_peak == slow.host_peak);
      REQUIRE(fast.swapped_out_tensors == slow.swapped_out_tensors);
      REQUIRE(fast.swap_ins == slow.swap_ins);
      REQUIRE(player.timeline(set).device_peak == fast.device_peak);
      REQUIRE(fast.device_peak >= graph->largest_need);
      swaps += fast.swap_ins;
    }
  }
  CHECK(swaps > 5000);
}

}  // namespace tideline
