#include "render/model/hover_text.h"

#include <catch2/catch.hpp>
#include <set>

#include "render/view/levels_frame.h"
#include "tests/support/graph_text.h"
#include "tests/support/scene_text.h"

namespace tideline {
namespace {

using Lines = std::vector<std::string>;
using render::HitKind;

struct Made {
  test::SnapshotPtr snapshot;
  render::Scene scene;
  render::LevelsLayout layout;
  render::MemoryLayout memory;

  explicit Made(std::string_view text, const Policy& policy = {})
      : snapshot(test::snapshot_of(text, policy)),
        scene(snapshot->scene()),
        layout(render::layout_levels(scene)),
        memory(render::layout_memory(scene, 0, render::MemoryAxis::kLevel)) {}

  [[nodiscard]] render::LevelsLook levels() const {
    return {.scene = &scene,
            .ops = &layout.ops,
            .swaps = &layout.swaps,
            .palette = &render::palette(render::ThemeKind::kDark),
            .area = {0, 0, 1600, 1000},
            .range = {},
            .selected = {},
            .hovered = {},
            .cursor = {}};
  }
  [[nodiscard]] render::MemoryLook over_levels(bool bands) const {
    return {.scene = &scene,
            .memory = &memory,
            .palette = &render::palette(render::ThemeKind::kDark),
            .area = {0, 0, 1000, 300},
            .range = {},
            .detail_0_1 = 1,
            .show_bands = bands,
            .selected = {},
            .cursor = {}};
  }
  // What is said of the first op of that name.
  [[nodiscard]] Lines of_op(std::string_view name) const {
    const OpId op = test::op(snapshot->graph->graph(), name);
    return ui::hover_lines(levels(), {.kind = HitKind::kOp, .tensor = TensorId{op, 0}});
  }
};

}  // namespace

TEST_CASE("an op says what it is, where it stands and how large its output is") {
  const Made made(R"(
    in = MadeUp() f32[64,64]
    net/first = MadeUp(in) f32[512,512]
    net/unknown = MadeUp(net/first) f32?
  )");
  CHECK(made.of_op("net/first") == Lines{"net/first", "MadeUp, forward, level 1, 1.00 MiB"});
  REQUIRE(made.of_op("net/unknown").size() == 2);
  CHECK(made.of_op("net/unknown")[1].find("level 2, at least ") != std::string::npos);
}

TEST_CASE("an op says at which line of the user's code it was made, if that is known") {
  Made made("in = MadeUp() f32[64,64]\nout = MadeUp(in) f32[64,64]\n");
  const SourceLines lines({{"/home/ann/model.py", 14, "step"}}, {SourceLines::kNone, 0});
  made.scene.lines = &lines;
  CHECK(made.of_op("out").back() == "made at model.py:14, in step");
  CHECK(made.of_op("in").size() == 2);
}

TEST_CASE("a box of many ops names six of them") {
  std::string text = "in = MadeUp() f32[1]\nbig = MadeUp(in) f32[4000,4000]\n";
  for (int i = 0; i < 40; ++i) text += "net/small_" + std::to_string(i) + " = MadeUp(in) f32[1]\n";
  const Made made(text);
  const render::LevelsLook look = made.levels();
  const render::LevelsFrame frame = render::measure_levels(look);
  bool found = false;
  for (const render::OpBox& box : made.layout.ops.boxes) {
    if (!box.is_folded || box.op_count < 7) continue;
    const render::Hit hit = {.kind = HitKind::kFolded, .ops = made.layout.ops.ops_of(box)};
    const Lines lines = ui::hover_lines(look, hit);
    REQUIRE(lines.size() == 8);
    CHECK(lines[0] == std::to_string(box.op_count) + " ops");
    CHECK(lines[1].starts_with("net/small_"));
    CHECK(lines[7] == "and " + std::to_string(box.op_count - 6) + " more");
    found = true;
  }
  CHECK(found);
}

TEST_CASE("bars and candidates say how long a tensor stays where") {
  const Made swapped(test::u_shaped_graph(2, 15), test::swap_policy(5, 2, 0));
  const render::LevelsLook look = swapped.levels();
  const render::LevelsFrame frame = render::measure_levels(look);
  const auto& bars = frame.placed;
  REQUIRE_FALSE(bars.empty());
  const render::Rect rect = bars.front().rect;
  const render::SwapBar& bar = *bars.front().bar;
  const render::Hit hit =
      render::hit_levels(look, {(rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2});
  const Lines lines = ui::hover_lines(look, hit);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == swapped.scene.graph->tensor_name(bar.tensor));
  CHECK(lines[1] == "256 B in host memory from level " + std::to_string(bar.out_level) + " to " +
                        std::to_string(bar.end_level) + ", read at level " +
                        std::to_string(bar.reader_level));
  CHECK(lines[2] == "its reader waits " + format_time(bar.late_ns));

  const Made plain(test::u_shaped_graph(1, 15));
  const TensorId tensor = {test::op(plain.snapshot->graph->graph(), "tower_0/op_0"), 0};
  CHECK(ui::hover_lines(plain.levels(), {.kind = HitKind::kCandidate, .tensor = tensor}) ==
        Lines{"tower_0/op_0:0", "256 B stays on the device with this policy"});
}

TEST_CASE("swaps that are summed up are counted, out and in") {
  const Made made(test::u_shaped_graph(1, 15));
  render::Hit hit = {.kind = HitKind::kSwapGroup};
  hit.column = {.from_level = 3,
                .to_level = 4,
                .outs = 1,
                .ins = 2,
                .late = 1,
                .out_bytes = 1024,
                .in_bytes = 2048,
                .late_bytes = 512};
  CHECK(ui::hover_lines(made.levels(), hit) == Lines{"levels 3 to 4", "out: 1 tensor, 1.00 KiB",
                                                     "in: 2 tensors, 2.00 KiB",
                                                     "late: 1 tensor, 512 B"});
}

TEST_CASE("memory says its values before and after, and the tensor of the band") {
  const Made plain(test::u_shaped_graph(1, 5));
  const render::MemoryLook look = plain.over_levels(false);
  const Lines lines = ui::hover_lines(look, render::hit_memory(look, {500, 100}));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].starts_with("level "));
  CHECK(lines[1].starts_with("original "));

  const Made swapped(test::u_shaped_graph(2, 15), test::swap_policy(5, 2, 0));
  const render::MemoryLook bands = swapped.over_levels(true);
  bool names_copy = false;
  for (float x = 10; x < 990; x += 5) {
    for (float y = 10; y < 290; y += 10) {
      const render::MemoryHit hit = render::hit_memory(bands, {x, y});
      if (!hit.tensor) continue;
      REQUIRE(hit.rect);
      CHECK(hit.rect->x0 <= x);
      CHECK(hit.rect->x1 > x);
      const Lines said = ui::hover_lines(bands, hit);
      REQUIRE(said.size() == 5);
      CHECK(said[2].starts_with("with the policy "));
      CHECK(said[3].starts_with("on the host "));
      CHECK(said[4] != "?");
      // What comes back from the host is a copy, with the name of its original.
      names_copy = names_copy || hit.tensor->op.value >= swapped.scene.graph->op_count();
    }
  }
  CHECK(names_copy);
}

TEST_CASE("hits that are nowhere say nothing") {
  const Made made(test::u_shaped_graph(1, 5), test::swap_policy(2, 1, 0));
  const TensorId strange = {OpId{4'000'000'000U}, 7};
  for (const HitKind kind : {HitKind::kNothing, HitKind::kOp, HitKind::kCandidate}) {
    CHECK(ui::hover_lines(made.levels(), {.kind = kind, .tensor = strange}).empty());
  }
  CHECK(ui::hover_lines(made.levels(), {.kind = HitKind::kSwap, .swap = 99'999}).empty());
  CHECK(ui::hover_lines(made.over_levels(true), {}).empty());
  CHECK_FALSE(ui::tensor_in_graph(made.scene, strange));
  CHECK_FALSE(ui::tensor_in_graph(made.scene, {}));
  CHECK(ui::shown_name(made.scene, strange) == "?");
}

TEST_CASE("every kind of hit has a name of its own") {
  std::set<std::string_view> names;
  for (const HitKind kind : {HitKind::kNothing, HitKind::kOp, HitKind::kFolded, HitKind::kSwap,
                             HitKind::kSwapGroup, HitKind::kCandidate, HitKind::kCopyOut,
                             HitKind::kCopyIn, HitKind::kStall, HitKind::kShare}) {
    names.insert(ui::hit_kind_name(kind));
  }
  CHECK(names.size() == 10);
  CHECK(ui::hit_kind_name(HitKind::kSwapGroup) == "swap-group");
}

}  // namespace tideline
