#include "render/view/level_stretch.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "render/view/bookmark_marks.h"
#include "render/view/levels_view.h"
#include "render/view/svg_canvas.h"
#include "tests/support/scene_text.h"

namespace tideline::render {
namespace {

// a has 64 bytes, goes to the host at level 2 and is back at level 4 for f at level 6.
constexpr const char* const kOneSwap =
    "x = Placeholder() f32[4,4]\n a = Relu(x) f32[4,4]\n b = Relu(a) f32[4,4]\n"
    "c = Relu(b) f32[4,4]\n d = Relu(c) f32[4,4]\n e = Relu(d) f32[4,4]\n"
    "f = AddN(e, a) +N=2 +T=f32 f32[4,4]\n g = Relu(f) f32[4,4]\n";

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("A stretch of levels says what it holds, and which copies leave and come back there",
          "[levels]") {
  const test::SnapshotPtr snapshot = test::snapshot_of(kOneSwap, test::swap_policy(4, 1, 0));
  const Scene scene = snapshot->scene();
  const auto lines = [&](std::int32_t from, std::int32_t to) {
    return level_stretch_lines(scene, 0, from, to);
  };
  const std::vector<SwapSpan> spans = swap_spans(scene);
  REQUIRE(spans.size() == 1);
  REQUIRE(spans[0].out_level == 2);
  const std::int32_t in = spans[0].in_level;
  CHECK(lines(0, 7).front() == "levels 0 to 7: 8");
  CHECK(lines(0, 7).back() == "out 1, 64 B; in 1, 64 B");
  CHECK(lines(3, 3).front() == "level 3");
  CHECK(lines(0, 2).back() == "out 1, 64 B; in 0, 0 B");
  CHECK(lines(in, in).back() == "out 0, 0 B; in 1, 64 B");
  CHECK(lines(in + 1, 7).back() == "out 0, 0 B; in 0, 0 B");
  // The memory is that of the steps there, and nothing else.
  const MemoryTimeline& timeline = *scene.devices[0].after;
  Bytes most = 0;
  for (std::size_t step = 0; step < timeline.level.size(); ++step) {
    if (timeline.level[step] == 6) most = std::max(most, timeline.device[step]);
  }
  REQUIRE(most > 0);
  CHECK(lines(6, 6).at(1).ends_with(format_bytes(most)));
  CHECK(lines(6, 6).at(1).starts_with("device "));
  CHECK(lines(99, 99) == Lines{"level 99", "no op of the step runs here", lines(99, 99).back()});
}

TEST_CASE("Without swaps a stretch has its memory alone", "[levels]") {
  const test::SnapshotPtr snapshot = test::snapshot_of(kOneSwap);
  const Lines lines = level_stretch_lines(snapshot->scene(), 7, 0, 7);
  REQUIRE(lines.size() == 2);
  CHECK(lines[1].starts_with("device "));
}

TEST_CASE("A stretch is drawn from its first to behind its last level, with its text inside",
          "[levels]") {
  LevelStretchLook look = {.axis = make_axis({}, 10, 100, 1100),
                           .area = {0, 0, 1100, 300},
                           .palette = &palette(ThemeKind::kDark),
                           .from = 8,
                           .to = 9,
                           .lines = {"levels 8 to 9: 2", "device 64 B"}};
  test::RecordingCanvas canvas;
  draw_level_stretch(canvas, look);
  REQUIRE_FALSE(canvas.fills.empty());
  CHECK(canvas.fills[0].box.x0 == 900);
  CHECK(canvas.fills[0].box.x1 == 1100);
  CHECK(canvas.says("levels 8 to 9: 2"));
  for (const auto& [text, box] : canvas.texts) {
    CHECK(box.x0 >= 0);
    CHECK(box.x1 <= 1100);
  }
  look.lines.clear();
  test::RecordingCanvas silent;
  draw_level_stretch(silent, look);
  CHECK(silent.texts.empty());
}

TEST_CASE("Bookmarks stand at the axis with their numbers, apart from each other", "[levels]") {
  const Axis axis = {0, 100, 10, 1010};
  const std::vector<BookmarkMark> marks = {{1, 50}, {2, 50.1}, {3, 10}, {4, 150}, {5, -3}};
  for (const bool is_at_top : {false, true}) {
    test::RecordingCanvas canvas;
    draw_bookmark_marks(canvas, palette(ThemeKind::kDark), axis, 300, is_at_top, 15, marks);
    CHECK(canvas.says("1"));
    CHECK(canvas.says("2"));
    CHECK(canvas.says("3"));
    CHECK_FALSE(canvas.says("4"));  // beyond what is seen
    CHECK_FALSE(canvas.says("5"));
    SvgCanvas picture(1020, 400, 1, palette(ThemeKind::kDark).background);
    draw_bookmark_marks(picture, palette(ThemeKind::kDark), axis, 300, is_at_top, 15, marks);
    CHECK(picture.finish().find(">3</text>") != std::string::npos);
  }
}

}  // namespace tideline::render
