#include "core/rewrite/lms2/fastest_search.h"

#include <catch2/catch.hpp>

#include "core/io/document.h"
#include "core/rewrite/lms2/prepared.h"
#include "tests/support/graph_text.h"
#include "tests/unit/rewrite/plan_text.h"

namespace tideline::lms2 {
namespace {

constexpr int kDepth = 60;

// A forward chain f0 to f59 and a backward chain in which b<i> reads f<i>: 60 distances.
std::string mirrored_chain() {
  std::string text = "f0 = MadeUp() f32[16,16]\n";
  for (int i = 1; i < kDepth; ++i) {
    text += fmt::format("f{} = MadeUp(f{}) f32[16,16]\n", i, i - 1);
  }
  std::string last = fmt::format("f{}", kDepth - 1);
  for (int i = kDepth - 1; i-- > 0;) {
    text += fmt::format("b{} = MadeUp({}, f{}) f32[16,16]\n", i, last, i);
    last = fmt::format("b{}", i);
  }
  return text;
}

class Search {
 public:
  explicit Search(PeakFunction play) : play_(std::move(play)) {}

  TuneResult run(double budget, const SwapParameters& given = {-1, -1, -1, 0},
                 std::int64_t most_plays = 100, bool wants_least_peak = false) {
    static const io::Document document = test::read_graph(mirrored_chain());
    const auto prepared = Prepared::make(document.graph, {}, test::parameters(0, 1, 0));
    REQUIRE(prepared);
    const Context& context = (*prepared)->context();
    const auto tensors = TensorTable::build(document.graph, {.model = SizeModel::kFaithful});
    const auto step = build_step_graph(document.graph, *tensors, {}, {});
    REQUIRE(step);
    FastestSearch search;
    search.given = given;
    search.levels = context.levels.count();
    const SwapTraffic traffic(choose_swaps(context, (*prepared)->candidates()), context.levels,
                              *step, given.swapout_threshold,
                              groupbys_to_try(given, search.levels));
    search.traffic = &traffic;
    search.aheads = aheads_to_try(given);
    search.budget = budget;
    search.profile = *built_in_profile("pcie3");
    search.without_ns = 100;
    search.most_plays = most_plays;
    search.wants_least_peak = wants_least_peak;
    TuneResult result;
    REQUIRE(find_fastest(search, play_, result));
    return result;
  }

 private:
  PeakFunction play_;
};

// The peak is lowest at threshold 40 and rises to both sides, and with ahead; a step is the faster
// the higher the threshold, a little the faster the larger ahead.
SearchPrediction valley(const SwapParameters& set) {
  SearchPrediction played;
  played.device_peak = 1000 + 10 * std::abs(set.swapout_threshold - 40) + set.swapin_ahead;
  if (set.swapout_threshold >= 120) played.device_peak = 5000;  // nothing is swapped
  played.peak_by_steps = played.device_peak;
  played.step_ns = 100'000 - 500 * set.swapout_threshold - set.swapin_ahead;
  return played;
}

const PeakFunction kValley = [](const SwapParameters& set) -> Result<SearchPrediction> {
  return valley(set);
};

}  // namespace

TEST_CASE("a set is found although the least threshold does not fit") {
  Search search(kValley);
  const TuneResult result = search.run(1225.5);
  REQUIRE(result.found);
  // 1000 + 10 x 22 + 5 fits; 62 is a distance, and so the first threshold that leaves its consumer
  // out.
  CHECK(result.parameters.swapout_threshold == 62);
  CHECK(result.prediction.device_peak < 1226);
  CHECK(result.trials.size() <= 100 + 60);
}

TEST_CASE("the search succeeds from the least peak on, and says it") {
  Search search(kValley);
  const TuneResult none = search.run(1000);
  CHECK_FALSE(none.found);
  CHECK(none.failure == "No parameters were found with which a step fits.");
  CHECK(none.parameters == SwapParameters{-1, -1, -1, 0});
  CHECK(none.least_peak > 1000);
  CHECK(search.run(static_cast<double>(none.least_peak) + 0.5).found);
  CHECK_FALSE(search.run(static_cast<double>(none.least_peak)).found);
}

TEST_CASE("a step that fits without swaps is answered first") {
  Search search(kValley);
  const TuneResult result = search.run(6000);
  CHECK(result.found);
  CHECK_FALSE(result.necessary);
  CHECK(result.trials.size() == 1);
  const TuneResult asked = search.run(6000, {-1, -1, -1, 0}, 100, true);
  CHECK_FALSE(asked.necessary);
  CHECK(asked.least_peak == search.run(1000).least_peak);
}

TEST_CASE("what is given to the faithful search stays") {
  Search search(kValley);
  const TuneResult result = search.run(1400, {-1, 7, 2, 0});
  REQUIRE(result.found);
  CHECK(result.parameters.swapin_ahead == 7);
  CHECK(result.parameters.swapin_groupby == 2);
  for (const TuneTrial& trial : result.trials) {
    if (trial.stage != TuneStage::kNecessity) CHECK(trial.parameters.swapin_ahead == 7);
  }
  const TuneResult all = search.run(1400, {30, 7, 2, 0});
  CHECK(all.found);
  CHECK(all.trials.size() == 1);
  CHECK(search.run(1000, {30, 7, 2, 0}).failure ==
        "The given parameters do not fit the device memory.");
}

TEST_CASE("thresholds that fit apart from the others are found with the plays that are left") {
  Search search([](const SwapParameters& set) -> Result<SearchPrediction> {
    SearchPrediction played = valley(set);
    if (set.swapout_threshold == 92) played.device_peak = played.peak_by_steps = 900;
    return played;
  });
  const TuneResult result = search.run(1225.5, {-1, -1, -1, 0}, 250);
  REQUIRE(result.found);
  CHECK(result.parameters.swapout_threshold == 92);
}

TEST_CASE("other sync modes are tried when nothing fits with the given one") {
  Search search([](const SwapParameters& set) -> Result<SearchPrediction> {
    SearchPrediction played = valley(set);
    if (set.sync_mode < 2) played.device_peak = played.peak_by_steps += 10'000;
    return played;
  });
  const TuneResult result = search.run(1300);
  REQUIRE(result.found);
  CHECK(result.parameters.sync_mode == 2);
}

TEST_CASE("a small graph has all its sets simulated, a large one a number of them") {
  CHECK(plays_for(400) == 2000);
  CHECK(plays_for(5390) == 150);
  CHECK(plays_for(12'449) == 88);
  CHECK(plays_for(1'000'000) == 45);
  CHECK(plays_for(0) >= 150);
}

TEST_CASE("an interrupt ends the search") {
  Search search(kValley);
  TuneResult result;
  int plays = 0;
  const PeakFunction stop = [&](const SwapParameters& set) -> Result<SearchPrediction> {
    if (++plays == 5) return cancelled();
    return valley(set);
  };
  const io::Document document = test::read_graph(mirrored_chain());
  const auto prepared = Prepared::make(document.graph, {}, test::parameters(0, 1, 0));
  const Context& context = (*prepared)->context();
  const auto tensors = TensorTable::build(document.graph, {.model = SizeModel::kFaithful});
  const auto step = build_step_graph(document.graph, *tensors, {}, {});
  const SwapTraffic traffic(choose_swaps(context, (*prepared)->candidates()), context.levels, *step,
                            -1, {0, 1});
  FastestSearch input;
  input.traffic = &traffic;
  input.aheads = {1, 5};
  input.levels = context.levels.count();
  input.budget = 1100;
  input.profile = *built_in_profile("pcie3");
  input.most_plays = 100;
  const Status status = find_fastest(input, stop, result);
  REQUIRE_FALSE(status);
  CHECK(status.error().code == Code::kCancelled);
  CHECK(plays == 5);
}

}  // namespace tideline::lms2
