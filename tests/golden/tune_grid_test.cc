// `tune` beside full grids: every threshold, ahead in {1, 2, 3, 5, 10, 20, 50}, group-by in {0, 1,
// 2, 5, 10, all}, at eight budgets.
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

// Sorted by peak: the fastest step of all sets with at most that peak.
class Grid {
 public:
  Grid(const io::Document& document, const Lms2Options& options) {
    Lms2Options some = options;
    some.swapout_threshold = some.swapin_ahead = 1;
    some.swapin_groupby = 0;
    const auto prepared = lms2::Prepared::make(document.graph, document.collections, some);
    REQUIRE(prepared);
    auto plays =
        lms2::FaithfulPlays::make(document.graph, document.collections, **prepared, SearchModel());
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
          const auto played =
              plays->play({traffic.thresholds()[i], ahead, traffic.groupbys()[k], 0}, silent);
          REQUIRE(played);
          sets_.emplace_back(played->device_peak, played->step_ns);
        }
      }
    }
    before_ = plays->without().device_peak;
    std::sort(sets_.begin(), sets_.end());
  }

  [[nodiscard]] Bytes least() const { return sets_.front().first; }
  [[nodiscard]] Bytes before() const { return before_; }
  [[nodiscard]] std::int64_t fastest_below(double budget) const {
    std::int64_t fastest = -1;
    for (const auto& [peak, step_ns] : sets_) {
      if (static_cast<double>(peak) >= budget) break;
      fastest = fastest < 0 ? step_ns : std::min(fastest, step_ns);
    }
    return fastest;
  }

 private:
  std::vector<std::pair<Bytes, std::int64_t>> sets_;
  Bytes before_ = 0;
};

int compare(const GridGraph& graph) {
  INFO(graph.file);
  const io::Document document = test::open_graph(test::graph_file(graph.file));
  Lms2Options options;
  options.batch_size = graph.batch_size;
  const Grid grid(document, options);
  int searched = 0;
  for (int eighth = 0; eighth < 8; ++eighth) {
    // From just above the least peak of the grid up to that without swaps.
    MemoryBudget budget;
    budget.ratio = 1;
    budget.device = grid.least() + 1 + (grid.before() - grid.least()) * eighth / 8;
    INFO("budget " << budget.device);
    Progress silent;
    const auto tuned =
        tune_lms2(document.graph, document.collections, options, budget, silent, SearchModel());
    REQUIRE(tuned);
    const std::int64_t fastest = grid.fastest_below(static_cast<double>(budget.device));
    REQUIRE(fastest >= 0);
    REQUIRE(tuned->found);
    CHECK(tuned->prediction.device_peak < budget.device);
    CHECK(static_cast<double>(tuned->prediction.step_ns) <= 1.02 * static_cast<double>(fastest));
    if (tuned->necessary) ++searched;
  }
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
