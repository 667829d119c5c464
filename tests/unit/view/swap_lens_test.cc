#include "render/view/swap_lens.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "app/engine/swap_rows.h"
#include "render/model/hover_text.h"
#include "render/view/levels_frame.h"
#include "tests/support/graph_text.h"
#include "tests/support/scene_text.h"
#include "tests/support/test_data.h"

namespace tideline::render {
namespace {

struct LensMade {
  test::SnapshotPtr snapshot;
  Scene scene;
  LevelsLayout layout;

  explicit LensMade(test::SnapshotPtr made)
      : snapshot(std::move(made)), scene(snapshot->scene()), layout(layout_levels(scene)) {}

  [[nodiscard]] LevelsLook look(TensorId selected, float width = 1600, float height = 1000) const {
    return {.scene = &scene,
            .ops = &layout.ops,
            .swaps = &layout.swaps,
            .palette = &palette(ThemeKind::kDark),
            .area = {0, 0, width, height},
            .range = {},
            .selected = selected,
            .hovered = {},
            .cursor = {}};
  }
};

LensMade lens_of_file(const char* name, int batch, const Policy& policy) {
  Progress silent;
  const auto graph =
      app::open({.graph = {.path = test::graph_file(name).string()}, .batch_size = batch}, silent);
  REQUIRE(graph);
  const auto snapshot = app::make_snapshot(*graph, policy, *built_in_profile("v100"), silent);
  REQUIRE(snapshot);
  return LensMade(*snapshot);
}

const LensMade& lens_of_resnet50() {
  static const LensMade made = lens_of_file("resnet50.meta", 16, test::swap_policy(100, 50, 0));
  return made;
}
const LensMade& lens_of_transformer() {
  static const LensMade made = lens_of_file("transformer.meta", 8, test::swap_policy(60, 10, 0));
  return made;
}

// A late one of resnet50, with its copies in the step.
TensorId late_swap() {
  const LensMade& made = lens_of_resnet50();
  for (const SwapBar& bar : made.layout.swaps.bars) {
    const auto lens = find_lens(made.scene, made.layout.swaps, bar.tensor, {});
    if (lens && lens->has_times() && lens->wait_ns > 0) return bar.tensor;
  }
  FAIL("no swap is late");
  return {};
}

test::RecordingCanvas drawn_lens(const LevelsLook& look) {
  test::RecordingCanvas canvas;
  draw_levels(canvas, look);
  return canvas;
}

}  // namespace

TEST_CASE("the lens has the times of the clock and the waits of the table of swaps") {
  for (const LensMade* made : {&lens_of_resnet50(), &lens_of_transformer()}) {
    const StepTime& time = made->snapshot->time();
    const std::vector<ui::SwapRow> rows = app::swap_rows(*made->snapshot);
    std::size_t late = 0;
    std::size_t timed = 0;
    for (const SwapBar& bar : made->layout.swaps.bars) {
      const auto lens = find_lens(made->scene, made->layout.swaps, bar.tensor, {});
      REQUIRE(lens);
      CHECK(lens->tensor == bar.tensor);
      // Of what TensorFlow folds nothing is copied.
      const auto has_copy = [&](bool to_host) {
        const auto& swap =
            made->snapshot->plan().swaps()[made->layout.swaps.spans[bar.first_span].swap];
        return std::any_of(time.copies.begin(), time.copies.end(), [&](const CopyTime& copy) {
          return copy.to_host == to_host && (to_host ? copy.tensor == bar.tensor
                                                     : copy.tensor.op == swap.swap_ins.back().copy);
        });
      };
      CHECK(lens->out.has_value() == has_copy(true));
      if (bar.span_count == 1) CHECK(lens->in.has_value() == has_copy(false));
      if (!lens->has_times()) continue;
      ++timed;
      CHECK(lens->producer.op == bar.tensor.op);
      CHECK(lens->producer.time.end_ns == time.ops[bar.tensor.op.index()].end_ns);
      const auto is_copy = [&](const CopyTime& copy, const CopyTime& of) {
        return copy.to_host == of.to_host && copy.tensor == of.tensor &&
               copy.begin_ns == of.begin_ns && copy.end_ns == of.end_ns;
      };
      for (const CopyTime& shown : {*lens->out, *lens->in}) {
        CHECK(std::any_of(time.copies.begin(), time.copies.end(),
                          [&](const CopyTime& copy) { return is_copy(copy, shown); }));
      }
      // What comes first comes first.
      CHECK(lens->producer.time.end_ns <= lens->out->begin_ns + 1);
      CHECK(lens->out->end_ns <= lens->in->begin_ns + 1);
      REQUIRE_FALSE(lens->readers.empty());
      CHECK(lens->in->end_ns <= lens->readers.front().time.begin_ns + 1);
      if (lens->trigger.op.valid()) {
        CHECK(lens->trigger.time.end_ns <= lens->in->begin_ns + 1);
      }
      const auto row = std::find_if(rows.begin(), rows.end(), [&](const ui::SwapRow& other) {
        return other.tensor == bar.tensor && other.in_level == lens->in_level &&
               other.wait_ns == lens->wait_ns && other.out_level == lens->out_level &&
               other.bytes == lens->bytes;
      });
      CHECK(row != rows.end());
      if (lens->wait_ns > 0) ++late;
    }
    INFO(made->snapshot->graph->graph().op_count());
    CHECK(timed > 100);
    if (made == &lens_of_resnet50()) CHECK(late > 10);
  }
}

TEST_CASE("the lens writes the times that it has, as does its line where it has no room") {
  const LensMade& made = lens_of_resnet50();
  const TensorId tensor = late_swap();
  const auto lens = find_lens(made.scene, made.layout.swaps, tensor, {});
  REQUIRE(lens);
  const test::RecordingCanvas wide = drawn_lens(made.look(tensor, 2400, 1000));
  CHECK(wide.says(moment_text(lens->out->begin_ns)));
  CHECK(wide.says(moment_text(lens->out->end_ns)));
  CHECK(wide.says(moment_text(lens->in->begin_ns)));
  CHECK(wide.says(moment_text(lens->in->end_ns)));
  CHECK(wide.says(moment_text(lens->readers.front().time.begin_ns)));
  CHECK(wide.says(moment_text(lens->producer.time.end_ns)));
  CHECK(wide.says("late by " + format_time(lens->wait_ns)));
  LevelsLook narrow = made.look(tensor, 560, 330);
  narrow.font_px = 24;
  CHECK(measure_levels(narrow).lens.height() == 0);
  const test::RecordingCanvas line = drawn_lens(narrow);
  CHECK(line.says("in " + moment_text(lens->in->end_ns)));
  CHECK_FALSE(line.says("HOST"));
}

TEST_CASE("nothing but a selected swap has a lens, and its place stays with the ops") {
  const LensMade& made = lens_of_resnet50();
  const TensorId tensor = late_swap();
  LevelsLook look = made.look(tensor, 1000, 600);
  const LevelsFrame with = measure_levels(look);
  REQUIRE(with.lens.height() > 0);
  CHECK(with.rows.height() > 0.22F * look.area.height());
  CHECK(with.lens.y0 >= with.rows.y1);
  CHECK(with.arcs.height() <= 0);
  // What was selected stays so under the mouse, and is what one reads about.
  const Hit hit = hit_levels(look, {500, with.lens.y0 + 30});
  CHECK(hit.kind == HitKind::kSwap);
  CHECK(hit.tensor == tensor);
  CHECK_FALSE(hit.level);
  CHECK(ui::hover_lines(look, hit).size() >= 2);
  look.selected.reset();
  const LevelsFrame without = measure_levels(look);
  CHECK(without.lens.height() == 0);
  CHECK(without.lane == with.lane);
  look.selected = TensorId{made.layout.swaps.bars[0].tensor.op, 0};
  for (const LongLived& other : made.layout.swaps.candidates) look.selected = other.tensor;
  if (!made.layout.swaps.candidates.empty()) CHECK(measure_levels(look).lens.height() == 0);
}

TEST_CASE("every swap whose way crosses 30 levels is visible there, wherever they are") {
  for (const LensMade* made : {&lens_of_resnet50(), &lens_of_transformer()}) {
    const auto& bars = made->layout.swaps.bars;
    std::size_t seen = 0;
    for (int first = 0; first < made->layout.ops.level_count; first += 7) {
      LevelsLook look = made->look({}, 1000, 600);
      look.selected.reset();
      look.range = {static_cast<double>(first), 30};
      std::set<std::int32_t> shown;
      std::int32_t passing = 0;
      const LevelsFrame frame = measure_levels(look);
      for (const PlacedBar& bar : frame.placed) {
        shown.insert(bar.index);
      }
      for (std::size_t i = 0; i < bars.size(); ++i) {
        const SwapBar& bar = bars[i];
        if (bar.reader_level < frame.axis.first || bar.producer_level >= frame.axis.first + 30) {
          continue;
        }
        INFO("levels from " << first << ": swap " << i);
        if (shown.count(static_cast<std::int32_t>(i)) == 1) {
          ++seen;
          continue;
        }
        // Or it counts for the band, as nothing happens to it here.
        ++passing;
        CHECK(bar.producer_level < frame.axis.first);
        CHECK(bar.reader_level >= frame.axis.first + 30);
      }
      // Some that were read before are waited for until here.
      CHECK(frame.passing.passing >= passing);
      CHECK(frame.passing.passing <= passing + 20);
      if (frame.passing.passing == 0) continue;
      passing = frame.passing.passing;
      CHECK(frame.passing_band.height() > 8);
      const test::RecordingCanvas canvas = drawn_lens(look);
      CHECK(canvas.says(fmt::format("{} more", passing)));
      const Hit hit = hit_levels(look, {300, frame.passing_band.y0 + 4});
      REQUIRE(hit.kind == HitKind::kSwapGroup);
      CHECK(ui::hover_lines(look, hit).back() ==
            fmt::format("under way all along: {} tensors, {}", passing,
                        format_bytes(frame.passing.passing_bytes)));
      // What is selected has a bar of its own.
      look.selected = frame.passing.largest;
      CHECK(measure_levels(look).passing.passing == passing - 1);
    }
    CHECK(seen > 100);
  }
}

TEST_CASE(
    "a tensor that comes back several times is seen on the way back in sight, else the last") {
  // group-by 1: each reader has a copy of its own.
  const LensMade made(test::snapshot_of(R"(
    a = Placeholder() f32[4,16]
    b = Relu(a) f32[4,16]
    c = Relu(b) f32[4,16]
    d = Relu(c) f32[4,16]
    e = Relu(d) f32[4,16]
    f = Relu(e) f32[4,16]
    g = Add(b, f) f32[4,16]
    h = Relu(g) f32[4,16]
    i = Relu(h) f32[4,16]
    j = Relu(i) f32[4,16]
    k = Relu(j) f32[4,16]
    l = Add(b, k) f32[4,16]
  )",
                                        test::swap_policy(2, 1, 1)));
  const auto& bars = made.layout.swaps.bars;
  const auto twice = std::find_if(bars.begin(), bars.end(),
                                  [](const SwapBar& bar) { return bar.span_count == 2; });
  REQUIRE(twice != bars.end());
  const auto last = find_lens(made.scene, made.layout.swaps, twice->tensor, {});
  REQUIRE(last);
  CHECK(last->ways == 2);
  CHECK(last->readers.front().op == test::op(*made.scene.graph, "l"));
  const double level = made.scene.levels->level(test::op(*made.scene.graph, "g"));
  const auto seen = find_lens(made.scene, made.layout.swaps, twice->tensor, {level - 1, 2});
  REQUIRE(seen);
  CHECK(seen->readers.front().op == test::op(*made.scene.graph, "g"));
  const auto ends = swap_ends(made.scene, twice->tensor);
  REQUIRE(ends);
  CHECK(ends->out_first == made.scene.levels->level(twice->tensor.op));
  CHECK(ends->in_last == made.scene.levels->level(test::op(*made.scene.graph, "l")));
  CHECK_FALSE(swap_ends(made.scene, {test::op(*made.scene.graph, "l"), 0}));
}

}  // namespace tideline::render
