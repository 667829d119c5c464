#include "core/rewrite/swap_effect.h"

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

RewritePlan predicted(const io::Document& document, int threshold, int ahead) {
  RewritePlan plan = test::plan_of(document, test::parameters(threshold, ahead, 0));
  REQUIRE(predict(document.graph, document.collections, {}, {}, plan));
  REQUIRE(plan.effects.size() == plan.swaps.size());
  return plan;
}

}  // namespace

TEST_CASE("a swap whose tensor is away at the peak lowers it") {
  const io::Document document = test::read_graph(kPeakInTheMiddle);
  const RewritePlan plan = predicted(document, 4, 1);
  REQUIRE(plan.swaps.size() == 1);
  CHECK(plan.effects[0].at_peak == AtPeak::kAway);
  CHECK_FALSE(plan.effects[0].is_idle);
  CHECK(plan.effects[0].bytes == 1024);
  CHECK(idle_swaps(plan.effects).count == 0);
}

TEST_CASE("a swap-in that returns before the peak and stays does not look like success") {
  const io::Document document = test::read_graph(kPeakInTheMiddle);
  const RewritePlan plan = predicted(document, 4, 4);  // may begin four levels before f: before big
  REQUIRE(plan.swaps.size() == 1);
  CHECK(plan.effects[0].at_peak == AtPeak::kBack);
  CHECK(plan.effects[0].is_idle);
  const IdleSwaps idle = idle_swaps(plan.effects);
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
  const RewritePlan plan = predicted(document, 2, 1);
  REQUIRE(plan.swaps.size() == 1);
  CHECK(plan.effects[0].at_peak == AtPeak::kNotAlive);
  CHECK(plan.effects[0].is_idle);
}

TEST_CASE("of swaps that share the room below the peak only as many are idle as fit together") {
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
  const RewritePlan plan = predicted(document, 2, 1);
  const IdleSwaps idle = idle_swaps(plan.effects);
  CHECK(plan.swaps.size() == 2);
  RewritePlan without = test::plan_of(document, test::parameters(9, 1, 0));
  REQUIRE(predict(document.graph, document.collections, {}, {}, without));
  // Whatever the numbers: keeping all that is idle must not raise the peak.
  Lms2Options options = test::parameters(2, 1, 0);
  for (std::size_t i = 0; i < plan.swaps.size(); ++i) {
    if (plan.effects[i].is_idle) {
      options.keep_tensors.push_back(document.graph.tensor_name(plan.swaps[i].tensor));
    }
  }
  CHECK(static_cast<std::size_t>(idle.count) == options.keep_tensors.size());
  RewritePlan kept = test::plan_of(document, options);
  REQUIRE(predict(document.graph, document.collections, {}, {}, kept));
  CHECK(kept.predicted->device_peak_bytes <= plan.predicted->device_peak_bytes);
}

TEST_CASE("keeping the idle swaps of resnet50 keeps its peak") {
  const io::Document document = test::open_graph(test::graph_file("resnet50.meta"));
  Lms2Options options = test::parameters(101, 20, 615);
  options.batch_size = 64;
  const TensorOptions sizes{.batch_size = 64};
  RewritePlan plan = test::plan_of(document, options);
  REQUIRE(predict(document.graph, document.collections, sizes, {}, plan));
  for (std::size_t i = 0; i < plan.swaps.size(); ++i) {
    if (plan.effects[i].at_peak == AtPeak::kAway) CHECK_FALSE(plan.effects[i].is_idle);
    if (plan.effects[i].is_idle) {
      options.keep_tensors.push_back(document.graph.tensor_name(plan.swaps[i].tensor));
    }
  }
  CHECK(options.keep_tensors.size() > 20);
  RewritePlan kept = test::plan_of(document, options);
  REQUIRE(predict(document.graph, document.collections, sizes, {}, kept));
  CHECK(kept.predicted->device_peak_bytes <= plan.predicted->device_peak_bytes);
  CHECK(kept.swaps.size() + options.keep_tensors.size() == plan.swaps.size());
}

TEST_CASE("swaps that raise the peak are told") {
  CHECK(raised_peak_text(100, 100).empty());
  CHECK(raised_peak_text(104532019, 129425408) ==
        "the swaps raise the peak of device memory from 99.69 MiB to 123.43 MiB");
}

TEST_CASE("what a plan brings is said by peaks before and after, and by the time") {
  PlanPrediction prediction{"faithful", Bytes{400} << 20, 0, Bytes{720} << 20, {}};
  CHECK(prediction_text(prediction) ==
        "device memory of a step: 720.00 MiB before, 400.00 MiB after (-44 %)");
  prediction.time.emplace().before_ns = 50'000'000;
  prediction.time->after.compute_ns = 50'000'000;
  prediction.time->after.added_ns = 5'000'000;
  CHECK(prediction_text(prediction) ==
        "device memory of a step: 720.00 MiB before, 400.00 MiB after (-44 %); step 50 ms -> 55 ms "
        "(1.10 x)");
  prediction = {"faithful", 100'000, 0, 100'050, {}};
  CHECK(prediction_text(prediction) ==
        "device memory of a step: 97.71 KiB before, 97.66 KiB after (-0.05 %)");
  prediction = {"faithful", 0, 0, 0, {}};
  CHECK(prediction_text(prediction) == "device memory of a step: 0 B, unchanged");
}

}  // namespace tideline
