#include "render/view/measured_curve.h"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/support/scene_text.h"
#include "tests/support/trace_text.h"

namespace tideline::render {
namespace {

// 256 bytes each; b and c are alive together with d's result.
constexpr const char* kGraph = R"(
  a = MadeUp() f32[4,16]
  b = MadeUp(a) f32[4,16]
  c = MadeUp(a) f32[4,16]
  d = MadeUp(b, c) f32[4,16]
)";
constexpr const char* kTrace = R"(
  a = MadeUp() | 100+50 | 0:256&1#1 | +256@110
  b = MadeUp(a) | 200+50 | 0:512&2#1 | +512@210
  d = MadeUp(b, c) | 1300+50 | 0:256&3#1 | +256@1310 -512@1320
)";

struct Measured {
  test::SnapshotPtr snapshot = test::snapshot_of(kGraph);
  Scene scene = snapshot->scene();
  MeasuredRun run;

  explicit Measured(std::string_view trace = kTrace) {
    auto made = measure_run(*scene.graph, test::read_trace(trace), {});
    REQUIRE(made);
    run = *std::move(made);
    run.path = "logs/step.pb";
    const auto& device = snapshot->devices.front().original->graph;
    compare(*scene.graph, device, nullptr, *scene.levels, run);
    scene.measured = &run;
  }
};

}  // namespace

TEST_CASE("a measured level shows its most, one where nothing ran that of the level before") {
  const Measured made;
  const MemoryLayout layout = layout_memory(made.scene, 0, MemoryAxis::kLevel);
  REQUIRE(layout.measured.size() == 3);
  CHECK(layout.measured.at(0) == 256);
  CHECK(layout.measured.at(1) == 768);
  CHECK(layout.measured.at(2) == 1024);
  const Measured short_run("a = MadeUp() | 100+50 | 0:256&1#1 | +256@110");
  CHECK(layout_memory(short_run.scene, 0, MemoryAxis::kLevel).measured.at(2) == 256);
}

TEST_CASE("by step an execution counts for the step of its op") {
  const Measured made;
  const MemoryLayout layout = layout_memory(made.scene, 0, MemoryAxis::kStep);
  const std::vector<std::int32_t> step_of =
      steps_by_op(made.snapshot->devices.front().original->before.timeline);
  const auto at = [&](const char* op) {
    return layout.measured.at(step_of[made.scene.graph->find(op).index()]);
  };
  REQUIRE(layout.measured.size() == layout.count);
  CHECK(at("a") == 256);
  CHECK(at("b") == 768);
  CHECK(at("c") == 768);  // did not run
  CHECK(at("d") == 1024);
  CHECK(layout.measured.most() == made.run.step().peak);
}

TEST_CASE("every device has the curve of its own executions") {
  Measured made(R"(
    device /device:GPU:0
    allocator GPU_0_bfc
    a = MadeUp() | 100+50 | 0:256&1#1 | +256@110
    device /device:GPU:1
    allocator GPU_1_bfc
    b = MadeUp(a) | 200+50 | 0:512&2#1 | +512@210
  )");
  REQUIRE(made.run.devices.size() == 2);
  made.scene.devices.push_back(made.scene.devices.front());
  made.scene.devices[0].device = "/device:GPU:0";
  made.scene.devices[1].device = "/device:GPU:1";
  const Bytes peaks[] = {256, 512};
  for (std::size_t device = 0; device < 2; ++device) {
    for (const MemoryAxis axis :
         {MemoryAxis::kLevel, MemoryAxis::kStep, MemoryAxis::kMeasuredTime}) {
      CHECK(layout_memory(made.scene, device, axis).measured.most() == peaks[device]);
    }
  }
  CHECK(measured_summary(made.scene, 1).starts_with("measured peak 512 B"));
}

TEST_CASE("over measured time every peak is kept, beside the model of the same executions") {
  const Measured made;
  const MemoryLayout layout = layout_memory(made.scene, 0, MemoryAxis::kMeasuredTime);
  CHECK(layout.count == 1221);  // 100 us to 1320 us
  CHECK(layout.unit_ms == 0.001);
  CHECK(layout.measured.at(0) == 0);
  CHECK(layout.measured.at(10) == 256);
  CHECK(layout.measured.at(110) == 768);
  CHECK(layout.measured.most() == 1024);
  CHECK(layout.measured.at(1220) == 1024);  // released in this microsecond
  CHECK(layout.before_peak == layout.before.most());
  CHECK(position_text(layout, 250) == "0.25 ms");
  CHECK(live_at(made.scene, layout, 5, 10).rows.empty());
}

TEST_CASE("a long traced step has coarser positions") {
  const Measured made(R"(
    a = MadeUp() | 0+50 | 0:256&1#1 | +256@10
    b = MadeUp(a) | 60000000+50 | 0:512&2#1 | +512@60000010)");
  const MemoryLayout layout = layout_memory(made.scene, 0, MemoryAxis::kMeasuredTime);
  CHECK(layout.count == 60001);
  CHECK(layout.unit_ms == 1);
  CHECK(layout.measured.most() == 768);
}

TEST_CASE("without a traced step of the device nothing is measured") {
  Measured made;
  made.scene.devices.push_back(made.scene.devices.front());
  made.scene.devices[0].device = "/device:GPU:1";
  made.scene.devices[1].device = "/cpu:0";
  CHECK_FALSE(measured_device(made.scene, 0));
  CHECK(measured_device(made.scene, 1) == 0U);
  CHECK(layout_memory(made.scene, 0, MemoryAxis::kMeasuredTime).count == 0);
  made.scene.measured = nullptr;
  CHECK_FALSE(measured_device(made.scene, 1));
}

TEST_CASE("a traced step with times alone has no measured curve") {
  const Measured made("a = MadeUp() | 100+50 | 0:256&1#1 |\nb = MadeUp(a) | 200+50 | 0:512&2#1 |");
  REQUIRE(made.run.devices.front().executions.size() == 2);
  for (const MemoryAxis axis : {MemoryAxis::kLevel, MemoryAxis::kStep, MemoryAxis::kMeasuredTime}) {
    const MemoryLayout layout = layout_memory(made.scene, 0, axis);
    CHECK(layout.measured.empty());
    CHECK(layout.before_peak > 0);
  }
  CHECK(measured_summary(made.scene, 0) == "the traced step has times alone, no memory");
}

TEST_CASE("the measured curve is drawn with the name of its file, on both axes") {
  const Measured made;
  for (const MemoryAxis axis : {MemoryAxis::kLevel, MemoryAxis::kMeasuredTime}) {
    const MemoryLayout layout = layout_memory(made.scene, 0, axis);
    test::RecordingCanvas canvas;
    draw_memory(canvas, {.scene = &made.scene,
                         .memory = &layout,
                         .palette = &palette(ThemeKind::kLight),
                         .area = {0, 0, 1000, 300},
                         .range = {},
                         .selected = {},
                         .cursor = 1.5});
    CHECK(canvas.all_finite);
    CHECK(canvas.says("measured (step.pb)"));
    CHECK(canvas.says("measured 1.00 KiB"));  // the peak, with what is resident
    CHECK(canvas.polylines.size() == 2);
    const Color color = palette(ThemeKind::kLight).measured;
    CHECK(canvas.polylines.back().color == color);
  }
}

TEST_CASE("card and chart of a traced step tell one measured peak, with what is resident") {
  const test::SnapshotPtr snapshot = test::snapshot_of(R"(
    v = VariableV2() f32[16,16] +shape=[16,16] +dtype=f32
    a = MadeUp(v) f32[4,16]
    b = MadeUp(a) f32[4,16]
    c = MadeUp(a) f32[4,16]
    d = MadeUp(b, c) f32[4,16]
  )");
  Scene scene = snapshot->scene();
  auto run = measure_run(*scene.graph, test::read_trace(kTrace), {});
  REQUIRE(run);
  compare(*scene.graph, snapshot->devices.front().original->graph, nullptr, *scene.levels, *run);
  scene.measured = &*run;
  // 1024 of the variable, 1024 of the step.
  CHECK(measured_summary(scene, 0).starts_with(
      "measured peak 2.00 KiB (1.00 KiB resident + 1.00 KiB of the step)\n"));
  for (const MemoryAxis axis : {MemoryAxis::kLevel, MemoryAxis::kMeasuredTime}) {
    CHECK(layout_memory(scene, 0, axis).measured.most() == 2048);
  }
  scene.devices.front().device = "/device:GPU:7";
  scene.devices.push_back(scene.devices.front());
  CHECK(measured_summary(scene, 0).empty());
}

}  // namespace tideline::render
