#include "core/memory/measured/measured_peaks.h"

#include <catch2/catch.hpp>

#include "core/memory/faithful.h"
#include "tests/support/compared_run.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

// v is resident: 1024 bytes. a and b are 256 bytes each.
constexpr const char* kGraph = R"(
  v = VariableV2() f32[16,16] +shape=[16,16] +dtype=f32
  a = MadeUp(v) f32[4,16]
  b = MadeUp(a) f32[4,16]
)";
// b is larger in the run than in the model.
constexpr const char* kTrace = R"(
  a = MadeUp(v) | 100+50 | 0:256&1#1 | +256@110
  b = MadeUp(a) | 200+50 | 0:256&2#1 | +768@210
)";

}  // namespace

TEST_CASE("all peaks of a traced step have the same parts: resident, and of the step") {
  const io::Document document = test::read_graph(kGraph);
  const MeasuredRun run = test::compared_run(document, kTrace);
  const auto tensors = TensorTable::build(document.graph, {.model = SizeModel::kFaithful});
  REQUIRE(tensors);
  const auto graph = build_step_graph(document.graph, *tensors, document.collections, {});
  REQUIRE(graph);
  const PeakParts step = peak_parts(simulate_step(*graph).timeline);
  CHECK(step.resident == 1024);
  CHECK(step.of_step == 512);
  CHECK(step.total() == 1536);
  const MeasuredPeaks peaks = measured_peaks(run, step.resident);
  CHECK(peaks.measured.resident == 1024);
  CHECK(peaks.measured.of_step == 1024);  // 256 + 768
  CHECK(peaks.model_there.resident == 1024);
  CHECK(peaks.model_there.of_step == run.comparison().model_at_peak);
  CHECK(measured_text(run, step.resident)
            .starts_with("measured peak 2.00 KiB (1.00 KiB resident + 1.00 KiB of the step)\nthe "
                         "model there "));
}

TEST_CASE("the levels have the measured peak, whatever op it is in") {
  const io::Document document = test::read_graph(kGraph);
  const MeasuredRun run = test::compared_run(document, R"(
    _SOURCE = NoOp() | 50+10 | | +128@55
    a = MadeUp(v) | 100+50 | 0:256&1#1 | +256@110
    stranger = MadeUp(a) | 300+50 | 0:256&2#1 | +2048@310
  )");
  Bytes most = 0;
  for (const LevelBytes& level : run.levels) most = std::max(most, level.measured);
  CHECK(most == run.step().peak);
}

}  // namespace tideline
