#include "render/view/timeline_view.h"

#include <catch2/catch.hpp>

#include "render/view/svg_canvas.h"
#include "tests/support/scene_text.h"
#include "tests/support/trace_text.h"

namespace tideline::render {
namespace {

constexpr const char* kGraph = R"(
  a = MadeUp() f32[4,16]
  b = Relu(a) f32[4,16]
  lms/swapout_b = Identity(b) f32[4,16]
  lms/swapin_b = Identity(lms/swapout_b) f32[4,16]
  c = Relu(b) f32[4,16]
  d = MadeUp(c, lms/swapin_b) f32[4,16]
)";
constexpr const char* kTrace = R"(
  a = MadeUp() | 0+10 | 0:256&1#1 | +256@1
  b = Relu(a) | 10+10 | 0:256&2#1 | +256@11 -256@19
  lms/swapout_b = Identity(b) | 20+5
  c = Relu(b) | 20+10
  lms/swapin_b = Identity(lms/swapout_b) | 30+25
  d = MadeUp(c, lms/swapin_b) | 56+4 | 0:256&3#1 | +256@57
)";

struct Traced {
  test::SnapshotPtr snapshot;
  Scene scene;
  MeasuredRun run;
  TimelineLayout timeline;
  TimelineLook look;

  explicit Traced(std::string_view trace = kTrace)
      : snapshot(test::snapshot_of(kGraph)), scene(snapshot->scene()) {
    auto made = measure_run(*scene.graph, test::read_trace(trace), {});
    REQUIRE(made);
    run = *std::move(made);
    scene.measured = &run;
    timeline = layout_timeline(scene);
    look = {.scene = &scene,
            .timeline = &timeline,
            .palette = &palette(ThemeKind::kDark),
            .area = {0, 0, 800, 300},
            .range = {},
            .stretch = {},
            .selected = {},
            .cursor = {}};
  }
  // In the middle of the track, at a time.
  [[nodiscard]] Point at(double us, int track = 0) const {
    return {timeline_axis(look).x(us), 15 * 1.6F + (static_cast<float>(track) + 0.5F) * 15 * 1.3F};
  }
};

std::size_t count_of(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    ++count;
  return count;
}

}  // namespace

TEST_CASE("a device has its lanes, and its memory below them", "[view]") {
  const Traced made;
  CHECK(made.timeline.count == 60);
  REQUIRE(made.timeline.bands.size() == 2);
  CHECK(made.timeline.bands[0].rows == 2);
  CHECK(band_name(made.scene, made.timeline, made.timeline.bands[0]) == "CPU:0");
  CHECK(band_name(made.scene, made.timeline, made.timeline.bands[1]) == "memory of CPU:0");
  Scene without = made.scene;
  without.measured = nullptr;
  CHECK(layout_timeline(without).bands.empty());
}

TEST_CASE("the mouse finds executions, gaps and memory", "[view]") {
  const Traced made;
  const TimelineHit b = hit_timeline(made.look, made.at(15));
  REQUIRE(b.zone);
  CHECK(timeline_hit_text(made.scene, made.timeline, b) == "b\nRelu\n10 us, from 10 us");
  const TimelineHit swap = hit_timeline(made.look, made.at(23, 1));
  REQUIRE(swap.zone);
  CHECK(made.timeline.trace.zone(*swap.zone).kind == ZoneKind::kSwapOut);
  REQUIRE(made.timeline.trace.gaps.size() == 1);
  const TimelineHit gap = hit_timeline(made.look, made.at(45, 1));
  REQUIRE(gap.gap);
  CHECK(timeline_hit_text(made.scene, made.timeline, gap) ==
        "idle for 26 us\nd\nwaits for the late swap-in lms/swapin_b");
  const TimelineHit memory = hit_timeline(made.look, made.at(15, 3));
  REQUIRE(memory.device);
  CHECK(memory.bytes == 512);
  CHECK_FALSE(hit_timeline(made.look, {10, 100}).at_us);  // in the names
}

TEST_CASE("arcs lead from swap-outs to swap-ins, and late gaps are hatched", "[view]") {
  const Traced made;
  SvgCanvas canvas(800, 300, 1, {});
  draw_timeline(canvas, made.look);
  const std::string svg = canvas.finish();
  std::size_t curves = 0;  // "M1 2C3 4 5 6 7 8"
  for (std::size_t at = 1; at < svg.size(); ++at) {
    if (svg[at] == 'C' && svg[at - 1] >= '0' && svg[at - 1] <= '9') ++curves;
  }
  CHECK(curves == 2);
  CHECK(svg.find("26 us") != std::string::npos);
  CHECK(svg.find("peak 512 B") != std::string::npos);
  CHECK(svg.find("memory of") != std::string::npos);
}

TEST_CASE("few lanes fill a picture, and the mouse finds them there", "[view]") {
  Traced made;
  const float usual = timeline_height(made.look);
  CHECK(usual < 200);
  made.look.fills_area = true;
  made.look.area = {0, 0, 1600, 1000};
  CHECK(timeline_height(made.look) == Approx(1000));
  const TimelineHit memory = hit_timeline(made.look, {timeline_axis(made.look).x(15), 980});
  REQUIRE(memory.device);
  CHECK(memory.bytes == 512);
  REQUIRE(hit_timeline(made.look, {timeline_axis(made.look).x(15), 60}).zone);
  made.look.area = {0, 0, 1600, 60};  // what does not fit keeps its height
  CHECK(timeline_height(made.look) == usual);
  // Without memory, the executions alone.
  std::erase_if(made.timeline.bands,
                [](const TimelineBand& band) { return band.kind == TimelineBand::Kind::kMemory; });
  made.look.area = {0, 0, 1600, 1000};
  CHECK(timeline_height(made.look) == Approx(1000));
  made.timeline.bands.clear();
  CHECK(timeline_height(made.look) < 100);
}

TEST_CASE("a frame of many executions has no more shapes than pixels", "[view]") {
  std::string trace;
  for (int i = 0; i < 20'000; ++i) trace += fmt::format("a = MadeUp() | {}+1\n", 2 * i);
  const Traced made(trace);
  CHECK(made.timeline.count == 39'999);
  SvgCanvas canvas(800, 300, 1, {});
  draw_timeline(canvas, made.look);
  CHECK(count_of(canvas.finish(), "<rect") < 2 * 800);
  Traced close(trace);
  close.look.range = {1000, 20};
  SvgCanvas few(800, 300, 1, {});
  draw_timeline(few, close.look);
  CHECK(count_of(few.finish(), "<rect") < 40);
}

TEST_CASE("the statistics of a stretch as text", "[view]") {
  const Traced made;
  CHECK(statistics_text(made.scene, made.timeline, {0, 60}, 1) ==
        "from 0 us to 60 us\n"
        "lane CPU:0: total 64 us, count 6, mean 11 us, longest 25 us (lms/swapin_b), busy 59 us\n"
        "type Identity: total 30 us, count 2, mean 15 us, longest 25 us (lms/swapin_b)\n"
        "swaps 1, late 1, waiting 26 us\n");
}

}  // namespace tideline::render
