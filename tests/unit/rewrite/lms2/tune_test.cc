#include "core/rewrite/lms2/tune.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

constexpr int kLevels = 100;
const SearchModel kCompatible = {.is_faithful = false};

// Peaks that rise with the threshold, with ahead, and with a group-by of more than 50.
Result<SearchPrediction> made_up_peaks(const SwapParameters& set) {
  SearchPrediction result;
  result.device_peak =
      10 * set.swapout_threshold + set.swapin_ahead + (set.swapin_groupby > 50 ? 1000 : 0);
  return result;
}

TuneResult search(const SwapParameters& given, double budget) {
  TuneResult result;
  REQUIRE(search_parameters(kLevels, given, budget, made_up_peaks, result));
  return result;
}

}  // namespace

TEST_CASE("a step that fits without swaps needs none") {
  const TuneResult result = search({-1, -1, -1, 0}, 2000);
  CHECK(result.found);
  CHECK_FALSE(result.necessary);
  CHECK(result.parameters == SwapParameters{kLevels, -1, -1, 0});
  CHECK(result.trials.size() == 1);
}

TEST_CASE("threshold, then ahead, then group-by become as large as fits") {
  const TuneResult result = search({-1, -1, -1, 0}, 505.5);
  CHECK(result.found);
  CHECK(result.necessary);
  // 10 x 50 + 5 < 505.5; group-by 100 does not fit, the first middle of 0 to 100 does.
  CHECK(result.parameters == SwapParameters{50, 5, 50, 0});
  CHECK(result.prediction.device_peak == 505);
  // The most eager set: 10 x 1 + 1.
  CHECK(result.least_peak == 11);
}

TEST_CASE("what is given stays, and only the rest is searched") {
  const TuneResult result = search({20, -1, 7, 0}, 250);
  CHECK(result.parameters == SwapParameters{20, 49, 7, 0});
  for (const TuneTrial& trial : result.trials) CHECK(trial.parameters.swapout_threshold == 20);
}

TEST_CASE("the search fails in the reference's words") {
  const TuneResult nothing = search({-1, -1, -1, 1}, 5);
  CHECK_FALSE(nothing.found);
  CHECK(nothing.failure ==
        "Auto-tuning was unable to find a value for swapout_threshold. Please specify it "
        "manually.");
  CHECK(nothing.parameters == SwapParameters{-1, -1, -1, 1});
  // Without swaps, then the most eager set in modes 1, 2 and 3.
  CHECK(nothing.trials.size() == 4);
  CHECK_FALSE(search({70, -1, -1, 0}, 505).found);
}

TEST_CASE("synchronised swap-ins stop after the threshold") {
  TuneResult result;
  const PeakFunction peaks = [](const SwapParameters& set) -> Result<SearchPrediction> {
    SearchPrediction played;
    played.device_peak = set.sync_mode < 2 ? 1000 : set.swapout_threshold;
    return played;
  };
  REQUIRE(search_parameters(kLevels, {-1, -1, -1, 0}, 31, peaks, result));
  CHECK(result.parameters == SwapParameters{30, -1, -1, 2});
}

TEST_CASE("the smallest feasible memory is where the search begins to succeed") {
  const io::Document document = test::read_graph(R"(
    a = MadeUp() f32[4,16]
    b = MadeUp(a) f32[4,16]
    c = MadeUp(b) f32[4,16]
    d = MadeUp(c) f32[4,16]
    e = MadeUp(d, a) f32[4,16]
  )");
  Progress silent;
  const auto tuned = [&](Bytes memory) {
    MemoryBudget budget;
    budget.device = memory;
    const auto result = tune_lms2(document.graph, {}, {}, budget, silent, kCompatible);
    REQUIRE(result);
    return *result;
  };
  const Bytes smallest = tuned(100).smallest_feasible_bytes;
  // A peak of 512 has to stay below 0.9 of it: 569 x 0.9 = 512.1.
  CHECK(smallest == 569);
  CHECK(tuned(smallest).found);
  CHECK_FALSE(tuned(smallest - 1).found);
  CHECK(tuned(smallest).lower_bound_bytes == 512);
}

TEST_CASE("loops are refused under any name") {
  const io::Document document = test::read_graph(R"(
    zero = MadeUp() f32[4,16]
    enter = Enter(zero) f32[4,16]
    merge = Merge(enter, next) f32[4,16] i32[]
    next = NextIteration(merge) f32[4,16]
  )");
  Progress silent;
  const auto tuned = tune_lms2(document.graph, {}, {}, {}, silent, kCompatible);
  REQUIRE_FALSE(tuned);
  CHECK(tuned.error().message ==
        "Auto-tuning does not work since the graph has a while-loop. Please set LMS parameters "
        "manually.");
}

TEST_CASE("a loop is tuned once the size of every tensor in it was measured") {
  const io::Document document = test::read_graph(R"(
    zero = MadeUp() f32[4,16]
    enter = Enter(zero) f32? +frame_name='f'
    merge = Merge(enter, next) f32? i32[]
    body = MadeUp(merge) f32?
    next = NextIteration(body) f32?
  )");
  MeasuredSizes sizes;
  for (const std::uint32_t op : {1U, 2U, 4U}) {
    sizes.sizes.push_back({{OpId{op}, 0}, 256, DataType::kFloat, Shape::of({4, 16})});
  }
  Progress silent;
  Lms2Options options;
  options.measured = &sizes;
  const MemoryBudget budget{.device = 1 << 20};
  const auto missing = tune_lms2(document.graph, {}, options, budget, silent, kCompatible);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message ==
        "Auto-tuning needs the size of every tensor of a while-loop; 1 were not measured, first: "
        "body:0");
  sizes.sizes.insert(sizes.sizes.begin() + 2,
                     {{OpId{3}, 0}, 256, DataType::kFloat, Shape::of({4, 16})});
  const auto tuned = tune_lms2(document.graph, {}, options, budget, silent, kCompatible);
  REQUIRE(tuned);
  CHECK(tuned->found);
  CHECK(tuned->warnings.size() == 1);
}

// Five ops of 256 bytes; a is read at once and at the end.
const char* const kFarReader = R"(
  a = MadeUp() f32[4,16]
  b = MadeUp(a) f32[4,16]
  c = MadeUp(b) f32[4,16]
  d = MadeUp(c) f32[4,16]
  e = MadeUp(d, a) f32[4,16]
)";

TEST_CASE("tensors that the user lists are swapped although a step fits without") {
  const io::Document document = test::read_graph(kFarReader);
  Progress silent;
  Lms2Options options;
  options.swap_tensors = {"a"};
  for (const bool is_faithful : {false, true}) {
    const auto made = plan_lms2_within(document.graph, {}, options, {Bytes{1} << 30U}, silent,
                                       {.is_faithful = is_faithful});
    REQUIRE(made);
    CHECK(made->tuned.necessary);
    CHECK(made->tuned.only_forced);
    CHECK(made->plan.necessary);
    REQUIRE(made->plan.swaps.size() == 1);
    CHECK(document.graph.tensor_name(made->plan.swaps[0].tensor) == "a:0");
    CHECK(made->tuned.prediction.swapped_out_tensors == 1);
  }
}

TEST_CASE("LMS is off when what the user lists cannot be swapped and a step fits") {
  const io::Document document = test::read_graph(kFarReader);
  Progress silent;
  Lms2Options options;
  options.swap_tensors = {"e"};  // nobody reads it
  const auto tuned = tune_lms2(document.graph, {}, options, {Bytes{1} << 30U}, silent, kCompatible);
  REQUIRE(tuned);
  CHECK_FALSE(tuned->necessary);
  CHECK_FALSE(tuned->only_forced);
}

TEST_CASE("on the faithful model, too, the smallest feasible memory is where it begins") {
  const io::Document document = test::read_graph(kFarReader);
  Progress silent;
  const auto tuned = [&](Bytes memory) {
    const auto result = tune_lms2(document.graph, {}, {}, {memory}, silent);
    REQUIRE(result);
    return *result;
  };
  const Bytes smallest = tuned(100).smallest_feasible_bytes;
  CHECK(tuned(smallest).found);
  CHECK_FALSE(tuned(smallest - 1).found);
  // Three blocks of 256 bytes: e reads two and writes one.
  CHECK(tuned(smallest).prediction.device_peak == 768);
}

TEST_CASE("on the faithful model an op that is fetched and does not exist is an error") {
  const io::Document document = test::read_graph(kFarReader);
  Progress silent;
  const auto tuned = tune_lms2(document.graph, {}, {}, {1000}, silent, {.fetches = {"nowhere"}});
  REQUIRE_FALSE(tuned);
  CHECK(tuned.error().code == Code::kNotFound);
}

}  // namespace tideline
