// `tune` beside full grids: every threshold, ahead in {1, 2, 3, 5, 10, 20, 50}, group-by in {0, 1,
// 2, 5, 10, all}, at eight budgets, all on the clock.
#include <algorithm>
#include <catch2/catch.hpp>

#include "core/rewrite/lms2/faithful_plays.h"
#include "core/rewrite/lms2/fastest_search.h"
#include "core/rewrite/lms2/tune.h"
#include "tests/golden/oracles.h"

namespace tideline {
namespace {

struct GridGraph {
  const char* file;
  std::int64_t batch_size;
};

// The fastest step of all sets within each of some budgets, on the clock.
class Grid {
 public:
  Grid(const io::Document& document, const Lms2Options& options, const std::vector<Bytes>& budgets)
      : fastest_(budgets.size(), -1) {
    Lms2Options some = options;
    some.swapout_threshold = some.swapin_ahead = 1;
    some.swapin_groupby = 0;
    const auto prepared = lms2::Prepared::make(document.graph, document.collections, some);
    REQUIRE(prepared);
    auto plays = lms2::FaithfulPlays::make(document.graph, document.collections, **prepared,
                                           SearchModel(), budgets.back());
    REQUIRE(plays);
    const lms2::Context& context = (*prepared)->context();
    (*prepared)->set(0, 1, 0, 0);
    const SwapParameters free = {-1, -1, -1, 0};
    const lms2::SwapTraffic traffic(choose_swaps(context, (*prepared)->candidates()),
                                    context.levels, plays->step(), -1,
                                    lms2::groupbys_to_try(free, context.levels.count()));
    Progress silent;
    // Thresholds between two of these, and group-bys with the same groups, give the same plans.
    for (std::size_t i = 0; i < traffic.thresholds().size(); ++i) {
      for (std::size_t k = 0; k < traffic.groupbys().size(); ++k) {
        if (traffic.same_groups(i, k) != k) continue;
        for (const int ahead : lms2::aheads_to_try(free)) {
          REQUIRE(plays->play({traffic.thresholds()[i], ahead, traffic.groupbys()[k], 0}, silent));
          note(*plays, budgets);
        }
      }
    }
  }

  // By index of the budgets; -1 where no set fits.
  [[nodiscard]] const std::vector<std::int64_t>& fastest() const { return fastest_; }

 private:
  void note(const lms2::FaithfulPlays& plays, const std::vector<Bytes>& budgets) {
    for (std::size_t i = 0; i < budgets.size(); ++i) {
      const SearchPrediction played = plays.within(budgets[i]);
      if (played.device_peak > budgets[i]) continue;
      fastest_[i] = fastest_[i] < 0 ? played.step_ns : std::min(fastest_[i], played.step_ns);
    }
  }

  std::vector<std::int64_t> fastest_;
};

int compare(const GridGraph& graph) {
  INFO(graph.file);
  const io::Document document = test::open_graph(test::graph_file(graph.file));
  Lms2Options options;
  options.batch_size = graph.batch_size;
  const auto tuned_within = [&](Bytes memory) {
    MemoryBudget budget;
    budget.device = memory;
    Progress silent;
    auto tuned =
        tune_lms2(document.graph, document.collections, options, budget, silent, SearchModel());
    REQUIRE(tuned);
    return *std::move(tuned);
  };
  // From the least memory that the search knows up to that without swaps.
  const TuneResult none = tuned_within(1);
  REQUIRE_FALSE(none.found);
  const Bytes least = none.smallest_feasible_bytes, before = none.without.peak_by_steps;
  std::vector<Bytes> budgets;
  for (int eighth = 0; eighth < 8; ++eighth) {
    budgets.push_back(least + (before - least) * eighth / 8);
  }
  const Grid grid(document, options, budgets);
  int searched = 0;
  for (std::size_t i = 0; i < budgets.size(); ++i) {
    INFO("budget " << budgets[i]);
    const TuneResult tuned = tuned_within(budgets[i]);
    REQUIRE(tuned.found);
    CHECK(tuned.prediction.device_peak <= budgets[i]);
    if (grid.fastest()[i] < 0) continue;  // other sync modes need less
    const double slower =
        static_cast<double>(tuned.prediction.step_ns) / static_cast<double>(grid.fastest()[i]);
    UNSCOPED_INFO("step " << tuned.prediction.step_ns << ", grid " << grid.fastest()[i]);
    CHECK(slower <= 1.02);
    if (tuned.necessary) ++searched;
  }
  CHECK_FALSE(tuned_within(least - 1).found);
  return searched;
}

}  // namespace

TEST_CASE("tune finds what a full grid finds, and nothing slower") {
  int searched = 0;
  for (const GridGraph& graph : {GridGraph{"mnist_deep.meta", 256},
                                 {"tutorial_mnist.pb", 2000},
                                 {"resource_vars.meta", 64},
                                 {"bn_is_training.meta", 64},
                                 {"two_gpu_towers.meta", 64},
                                 {"scale_400.pb", 32}}) {
    searched += compare(graph);
  }
  CHECK(searched > 30);
}

// Minutes: not in the fast run.
TEST_CASE("tune finds what full grids of large graphs hold", "[.long]") {
  int searched = 0;
  for (const GridGraph& graph : {GridGraph{"resnet50.meta", 64},
                                 {"unet3d.meta", 2},
                                 {"scale_2k.pb", 32},
                                 {"transformer.meta", 32}}) {
    searched += compare(graph);
  }
  CHECK(searched > 25);
}

}  // namespace tideline
