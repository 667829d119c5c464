// Every view, in sizes and letters that leave little room: no text lies on another one, and none is
// cut but by two dots.
#include "render/view/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "render/view/draw_list.h"
#include "render/view/fit_chart.h"
#include "render/view/histogram_chart.h"
#include "render/view/legend.h"
#include "render/view/levels_frame.h"
#include "render/view/levels_view.h"
#include "render/view/memory_view.h"
#include "render/view/picture.h"
#include "render/view/scalar_chart.h"
#include "render/view/svg_canvas.h"
#include "render/view/tried_chart.h"
#include "tests/support/graph_text.h"
#include "tests/support/scene_text.h"
#include "tests/support/test_data.h"
#include "tests/unit/view/label_canvas.h"

namespace tideline::render {
namespace {

test::SnapshotPtr snapshot_of_file(const std::string& name, int batch, const Policy& policy) {
  Progress silent;
  app::OpenRequest request;
  request.graph.path = test::graph_file(name).string();
  request.batch_size = batch;
  const auto graph = app::open(request, silent);
  REQUIRE(graph);
  const auto snapshot = app::make_snapshot(*graph, policy, *built_in_profile("v100"), silent);
  REQUIRE(snapshot);
  return *snapshot;
}

void check_views(const test::SnapshotPtr& snapshot) {
  const Scene scene = snapshot->scene();
  const LevelsLayout layout = layout_levels(scene);
  const int count = layout.ops.level_count;
  std::size_t seen = 0;
  for (const Size size : kSizes) {
    for (const float font : kFonts) {
      const auto checked = [&](const char* what, double span, const auto& draw) {
        INFO(what << " " << size.width << "x" << size.height << " font " << font << " span "
                  << span);
        LabelCanvas canvas(size);
        draw(canvas);
        check_labels(canvas);
        seen += canvas.labels.size();
      };
      for (const double span : {0.0, 60.0, 8.0}) {
        LevelsLook look = {.scene = &scene,
                           .ops = &layout.ops,
                           .swaps = &layout.swaps,
                           .palette = &palette(ThemeKind::kDark),
                           .area = {0, 0, size.width, size.height},
                           .range = {count * 0.4, span},
                           .selected = {},
                           .hovered = {},
                           .cursor = {}};
        look.font_px = font;
        checked("levels", span, [&](Canvas& canvas) { draw_levels(canvas, look); });
        for (const bool bands : {false, true}) {
          for (const MemoryAxis axis : {MemoryAxis::kLevel, MemoryAxis::kTime}) {
            const MemoryLayout memory = layout_memory(scene, 0, axis);
            // As much of the other axis as of the levels.
            const double scale = memory.count / count;
            const MemoryLook chart = {.scene = &scene,
                                      .memory = &memory,
                                      .palette = &palette(ThemeKind::kDark),
                                      .area = {0, 0, size.width, size.height * 0.4F},
                                      .range = {count * 0.4 * scale, span * scale},
                                      .detail_0_1 = 1,
                                      .show_bands = bands,
                                      .selected = {},
                                      .cursor = count * 0.41 * scale,
                                      .font_px = font};
            checked("memory", span, [&](Canvas& canvas) { draw_memory(canvas, chart); });
          }
        }
      }
      Picture picture;
      picture.scene = &scene;
      picture.title = "a_graph_of_some_name.meta";
      picture.subtitle = "lms2: threshold 39, ahead 10, group-by 0, sync mode 0";
      picture.width_px = size.width;
      picture.height_px = size.height;
      picture.font_px = font;
      for (const char* view : {"", "levels", "memory"}) {
        picture.view = find_view(view);
        checked(view, 0, [&](Canvas& canvas) { draw_picture(canvas, picture); });
      }
    }
  }
  CHECK(seen > 500);
}

}  // namespace

TEST_CASE("no text of levels and memory lies on another one: the tutorial") {
  check_views(snapshot_of_file("tutorial_mnist.meta", 500, {}));
  Policy policy = test::swap_policy(2, 1, 0);
  policy.budget = MemoryBudget{};
  policy.budget->device = 60 << 20;
  check_views(snapshot_of_file("tutorial_mnist.meta", 500, policy));
}

TEST_CASE("no text of levels and memory lies on another one: resnet50") {
  Policy policy = test::swap_policy(100, 50, 0);
  policy.budget = MemoryBudget{};
  policy.budget->device = Bytes{1} << 30;
  check_views(snapshot_of_file("resnet50.meta", 16, policy));
}

TEST_CASE("no text of levels and memory lies on another one: the transformer") {
  check_views(snapshot_of_file("transformer.meta", 8, test::swap_policy(60, 10, 0)));
}

TEST_CASE("no text of the lens lies on another one or leaves it: every swap of three graphs") {
  const test::SnapshotPtr snapshots[] = {
      snapshot_of_file("tutorial_mnist.meta", 500, test::swap_policy(2, 1, 0)),
      snapshot_of_file("resnet50.meta", 16, test::swap_policy(100, 50, 0)),
      snapshot_of_file("transformer.meta", 8, test::swap_policy(60, 10, 0))};
  std::size_t insets = 0;
  std::size_t lines = 0;
  for (const test::SnapshotPtr& snapshot : snapshots) {
    const Scene scene = snapshot->scene();
    const LevelsLayout layout = layout_levels(scene);
    for (const Size size : {Size{1600, 1000}, Size{1000, 600}, Size{560, 330}}) {
      for (const float font : kFonts) {
        for (std::size_t i = 0; i < layout.swaps.bars.size(); i += 3) {
          const SwapBar& bar = layout.swaps.bars[i];
          const LevelsLook look = {.scene = &scene,
                                   .ops = &layout.ops,
                                   .swaps = &layout.swaps,
                                   .palette = &palette(ThemeKind::kDark),
                                   .area = {0, 0, size.width, size.height},
                                   .range = {},
                                   .selected = bar.tensor,
                                   .hovered = {},
                                   .cursor = {},
                                   .font_px = font};
          const LevelsFrame frame = measure_levels(look);
          REQUIRE(frame.swap);
          INFO(snapshot->graph->graph().tensor_name(bar.tensor)
               << " " << size.width << "x" << size.height << " font " << font);
          LabelCanvas canvas(size);
          draw_lens(canvas, frame);
          draw_captions(canvas, frame);
          check_labels(canvas);
          const bool is_line = frame.lens.height() <= 0;
          CHECK(std::any_of(canvas.labels.begin(), canvas.labels.end(), [&](const auto& label) {
            const bool says = is_line ? label.text.find("in ") != std::string::npos ||
                                            label.text.find("level") != std::string::npos
                                      : label.text.starts_with("SWAP ");
            return says && do_meet(label.box, is_line ? frame.lane : frame.lens);
          }));
          ++(is_line ? lines : insets);
        }
      }
    }
  }
  CHECK(insets > 100);
  CHECK(lines > 100);
}

TEST_CASE("numbers of curves and axes lie on no other: scalars and histograms") {
  std::vector<RunCurve> runs;
  std::vector<std::vector<events::ScalarPoint>> points;
  std::vector<LoggedHistogram> histograms;
  for (std::uint32_t run = 1; run <= 7; ++run) {
    for (points.emplace_back(); points.back().size() < 50;) {
      const auto step = static_cast<int>(points.back().size());
      points.back().push_back({step * 1.0, step, 1e-5 + 1e-7 * run / (step + 1)});
    }
  }
  for (std::uint32_t run = 1; run <= 7; ++run) {
    RunCurve curve;
    curve.number = run;
    curve.curve.points = points[run - 1];
    runs.push_back(std::move(curve));
  }
  for (int step = 0; step < 9; ++step) {
    LoggedHistogram histogram;
    histogram.row = static_cast<std::size_t>(step);
    histogram.step = step * 100'000;
    histogram.buckets = {{-1234.5, 0, 10}, {0, 98765.25, 30}};
    histograms.push_back(std::move(histogram));
  }
  const Palette& colors = palette(ThemeKind::kDark);
  for (const float font : kFonts) {
    for (const Size size : {Size{600, 400}, Size{320, 220}, Size{240, 160}}) {
      INFO("font " << font << " size " << size.width);
      LabelCanvas scalars(size);
      const ScalarChart chart = layout_scalars(runs, {}, size.width, size.height, font);
      draw_scalars(scalars, colors, chart, {0, 0}, "train/loss/of/a/long/name");
      check_labels(scalars);
      CHECK(scalars.labels.size() > 3);
      LabelCanvas ridges(size);
      draw_ridges(ridges, colors, layout_ridges(histograms, {}, size.width, size.height, font),
                  {0, 0}, "weights", colors.accent);
      check_labels(ridges);
      LabelCanvas bands(size);
      draw_bands(bands, colors, layout_bands(histograms, {}, 0, size.width, size.height, font),
                 {0, 0}, "weights", colors.accent);
      check_labels(bands);
    }
  }
}

TEST_CASE("texts of the curve of a fit lie on no other") {
  FitCurve curve;
  curve.budget = Bytes{16} << 30;
  curve.batch = 96;
  for (const char* title : {"as it is", "LMS v2 with a long title", "gradients of 4 batches"}) {
    FitLine line;
    line.title = title;
    for (const std::int64_t batch : {1, 8, 64, 96, 100, 512}) {
      line.points.push_back({batch, batch << 27, 1e6 / static_cast<double>(batch), batch < 97});
    }
    curve.lines.push_back(line);
  }
  for (const Size size : kSizes) {
    for (const float font : kFonts) {
      INFO("font " << font << " size " << size.width);
      LabelCanvas canvas(size);
      draw_fit(canvas, palette(ThemeKind::kDark),
               layout_fit(curve, size.width, size.height, font, canvas, ""), {0, 0});
      check_labels(canvas);
      CHECK(canvas.labels.size() > 8);
    }
  }
}

TEST_CASE("texts of the chart of a search lie on no other") {
  Progress silent;
  const auto graph = app::open(
      {.graph = {.path = TIDELINE_SOURCE_DIR "/assets/samples/residual.meta"}, .batch_size = 4096},
      silent);
  REQUIRE(graph);
  for (const Bytes budget_mib : {450, 700, 5000}) {
    Policy policy = test::swap_policy(-1, -1, -1);
    policy.budget = MemoryBudget{};
    policy.budget->device = budget_mib << 20U;
    const auto snapshot = app::make_snapshot(*graph, policy, *built_in_profile("v100"), silent);
    REQUIRE(snapshot);
    const Scene scene = (*snapshot)->scene();
    REQUIRE(scene.tried != nullptr);
    for (const Size size : {Size{1600, 1000}, Size{800, 480}, Size{420, 300}}) {
      for (const float font : kFonts) {
        INFO(budget_mib << " MiB, font " << font << " size " << size.width);
        LabelCanvas canvas(size);
        const TriedChart chart = layout_tried(scene, size.width, size.height, font, canvas);
        draw_tried(canvas, palette(ThemeKind::kLight), chart, {0, 0}, {});
        check_labels(canvas);
        CHECK(canvas.labels.size() > 5);
      }
    }
  }
}

TEST_CASE("a text takes the first of its places that is free") {
  Labels labels({0, 0, 100, 100});
  const std::vector<Point> places = {{10, 10}, {10, 40}, {90, 10}};
  CHECK(labels.place(places, 30, 20) == Point{10, 10});
  CHECK(labels.place(places, 30, 20) == Point{10, 40});
  CHECK_FALSE(labels.place(places, 30, 20));  // the last one reaches out of the area
  CHECK(labels.is_free({40, 10, 60, 30}));    // it only touches
  labels.take({0, 0, 100, 100});
  CHECK_FALSE(labels.is_free({50, 70, 60, 80}));
}

TEST_CASE("a legend has as many lines as it needs, and all of its entries") {
  std::vector<LegendEntry> entries;
  for (int i = 0; i < 12; ++i) {
    entries.push_back({LegendEntry::Mark::kPatch, {}, fmt::format("entry number {}", i)});
  }
  for (const float width : {1200.0F, 400.0F, 90.0F, 30.0F}) {
    const Legend legend = place_legend(entries, 10, 10 + width, 14, 60);
    CHECK(legend.entries.size() == 12);
    CHECK(legend.size_px >= 14 * 0.7F - 0.01F);
    LabelCanvas canvas({width + 20, 900});
    draw_legend(canvas, legend, 0, {}, {});
    CHECK(canvas.labels.size() == (width > 40 ? 12 : canvas.labels.size()));
    check_labels(canvas);
  }
  CHECK(place_legend(entries, 0, 5000, 14, 60).height_px < 20);
}

}  // namespace tideline::render
