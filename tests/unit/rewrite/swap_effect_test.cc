#include "core/rewrite/lms/swap_effect.h"

#include <catch2/catch.hpp>

#include "core/rewrite/predict.h"
#include "tests/support/graph_data.h"
#include "tests/support/graph_text.h"
#include "tests/unit/rewrite/plan_text.h"

namespace tideline {
namespace {

// 1,024 bytes each but where said: `a` is read at once and at the end, `big` in the middle.
const char* const kPeakInTheMiddle = R"(
  a = MadeUp() f32[16,16]
  b = MadeUp(a) f32[16,16]
  c = MadeUp(b) f32[16,16]
  big = MadeUp(c) f32[64,64]
  d = MadeUp(big) f32[16,16]
  e = MadeUp(d) f32[16,16]
  f = MadeUp(e, a) f32[16,16]
)";

struct Predicted {
  LmsPlan plan;
  PlanPrediction step;
};

Predicted predicted(const io::Document& document, const Lms2Options& options,
                    const TensorOptions& sizes = {}) {
  Predicted made{test::plan_of(document, options), {}};
  made.step = test::predict(document, sizes, made.plan);
  REQUIRE(made.step.effects.size() == made.plan.swaps.size());
  return made;
}

}  // namespace

TEST_CASE("a swap whose tensor is away at the peak lowers it") {
  const io::Document document = test::read_graph(kPeakInTheMiddle);
  const auto [plan, step] = predicted(document, test::parameters(4, 1, 0));
  REQUIRE(plan.swaps.size() == 1);
  CHECK(step.effects[0].at_peak == AtPeak::kAway);
  CHECK_FALSE(step.effects[0].has_room);
  CHECK(step.effects[0].bytes == 1024);
  CHECK(idle_swaps(step.effects).count == 0);
}

TEST_CASE("a swap-in that returns before the peak and stays does not look like success") {
  const io::Document document = test::read_graph(kPeakInTheMiddle);
  const auto [plan, step] =
      predicted(document, test::parameters(4, 4, 0));  // may begin four levels before f: before big
  REQUIRE(plan.swaps.size() == 1);
  CHECK(step.effects[0].at_peak == AtPeak::kBack);
  CHECK(step.effects[0].has_room);
  CHECK(idle_swaps(step.effects).count == 0);  // not confirmed
  std::vector<SwapEffect> confirmed = step.effects;
  confirmed[0].is_idle = true;
  const IdleSwaps idle = idle_swaps(confirmed);
  CHECK(idle.count == 1);
  CHECK(idle.bytes == 1024);
  CHECK(idle_swaps_text(idle, 1) == "1 of 1 swaps do not lower the peak (1.00 KiB)");
}

TEST_CASE("a tensor that is dead at the peak need not be swapped") {
  const io::Document document = test::read_graph(R"(
    a = MadeUp() f32[16,16]
    b = MadeUp(a) f32[16,16]
    c = MadeUp(b) f32[16,16]
    d = MadeUp(c, a) f32[16,16]
    big = MadeUp(d) f32[64,64]
  )");
  const auto [plan, step] = predicted(document, test::parameters(2, 1, 0));
  REQUIRE(plan.swaps.size() == 1);
  CHECK(step.effects[0].at_peak == AtPeak::kNotAlive);
  CHECK(step.effects[0].has_room);
}

TEST_CASE("of swaps that share the room below the peak only as many have room as fit together") {
  // Two tensors of 1,024 bytes are away while 3,072 are in use, and back at a peak of 4,608: there
  // is room for one.
  const io::Document document = test::read_graph(R"(
    a = MadeUp() f32[16,16]
    b = MadeUp() f32[16,16]
    c = MadeUp(a, b) f32[24,16]
    d = MadeUp(c) f32[24,16]
    e = MadeUp(d, a, b) f32[16,32]
    f = MadeUp(e, a, b) f32[8,16]
  )");
  const auto [plan, step] = predicted(document, test::parameters(2, 1, 0));
  CHECK(plan.swaps.size() == 2);
  // Whatever the numbers: keeping all that is idle must not raise the peak.
  Lms2Options options = test::parameters(2, 1, 0);
  for (std::size_t i = 0; i < plan.swaps.size(); ++i) {
    if (step.effects[i].has_room) {
      options.keep_tensors.push_back(document.graph.tensor_name(plan.swaps[i].tensor));
    }
  }
  CHECK_FALSE(options.keep_tensors.empty());
  CHECK(predicted(document, options).step.device_peak_bytes <= step.device_peak_bytes);
}

TEST_CASE("keeping the idle swaps of resnet50 keeps its peak") {
  const io::Document document = test::open_graph(test::graph_file("resnet50.meta"));
  Lms2Options options = test::parameters(101, 20, 615);
  options.batch_size = 64;
  const TensorOptions sizes{.batch_size = 64};
  const auto [plan, step] = predicted(document, options, sizes);
  for (std::size_t i = 0; i < plan.swaps.size(); ++i) {
    if (step.effects[i].at_peak == AtPeak::kAway) CHECK_FALSE(step.effects[i].has_room);
    if (step.effects[i].has_room) {
      options.keep_tensors.push_back(document.graph.tensor_name(plan.swaps[i].tensor));
    }
  }
  CHECK(options.keep_tensors.size() > 20);
  const Predicted kept = predicted(document, options, sizes);
  CHECK(kept.step.device_peak_bytes <= step.device_peak_bytes);
  CHECK(kept.plan.swaps.size() + options.keep_tensors.size() == plan.swaps.size());
}

TEST_CASE("swaps that raise the peak are told") {
  std::vector<Warning> warnings;
  add_raised_peak("the swaps raise", 100, 100, warnings);
  CHECK(warnings.empty());
  add_raised_peak("the swaps raise", 104532019, 129425408, warnings);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].text ==
        "the swaps raise the peak of device memory from 99.69 MiB to 123.43 MiB");
}

TEST_CASE("what a plan brings is said by peaks before and after, and by the time") {
  PlanPrediction prediction{"faithful", Bytes{400} << 20, 0, Bytes{720} << 20, {}, {}};
  CHECK(prediction_text(prediction) ==
        "device memory of a step: 720.00 MiB before, 400.00 MiB after (-44 %)");
  prediction.time.emplace().before_ns = 50'000'000;
  prediction.time->after.compute_ns = 50'000'000;
  prediction.time->after.added_ns = 5'000'000;
  CHECK(prediction_text(prediction) ==
        "device memory of a step: 720.00 MiB before, 400.00 MiB after (-44 %); step 50 ms -> 55 ms "
        "(1.10 x)");
  prediction = {"faithful", 100'000, 0, 100'050, {}, {}};
  CHECK(prediction_text(prediction) ==
        "device memory of a step: 97.71 KiB before, 97.66 KiB after (-0.05 %)");
  prediction = {"faithful", 0, 0, 0, {}, {}};
  CHECK(prediction_text(prediction) == "device memory of a step: 0 B, unchanged");
}

}  // namespace tideline
