// Layouts and frames of the level view and the memory view, drawn on a canvas that draws nothing,
// and listed as JSON at the size of a chart in a browser.
// Usage: bench_view FILE... [--benchmark_...]; LMS v2 with threshold 100, ahead 5, group-by 10.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <string>
#include <type_traits>

#include "app/engine/snapshot.h"
#include "render/view/draw_list.h"
#include "render/view/levels_view.h"
#include "render/view/memory_view.h"

namespace tideline {
namespace {

class NullCanvas final : public render::Canvas {
 public:
  void fill(render::Rect, render::Color, float) override { ++calls; }
  void frame(render::Rect, render::Color, float, float, render::Dash) override { ++calls; }
  void hatch(render::Rect, render::Color) override { ++calls; }
  void line(render::Point, render::Point, render::Color, float, render::Dash) override { ++calls; }
  void polyline(std::span<const render::Point>, render::Color, float) override { ++calls; }
  void area(std::span<const render::Point>, float, render::Color) override { ++calls; }
  void curve(render::Point, render::Point, render::Point, render::Point, render::Color,
             float) override {
    ++calls;
  }
  void triangle(render::Point, render::Point, render::Point, render::Color) override { ++calls; }
  void text(render::Point, std::string_view, render::Color, float, render::Align) override {
    ++calls;
  }
  [[nodiscard]] float text_width(std::string_view text, float size_px) const override {
    return static_cast<float>(text.size()) * size_px / 2;
  }
  void push_clip(render::Rect) override { ++calls; }
  void pop_clip() override { ++calls; }

  std::int64_t calls = 0;
};

struct Shown {
  std::shared_ptr<const app::Snapshot> snapshot;
  render::Scene scene;
  render::LevelsLayout levels;
  render::MemoryLayout memory;
};
using ShownPtr = std::shared_ptr<Shown>;

// The program ends when the file cannot be read.
ShownPtr open(const std::string& path) {
  Progress silent;
  app::OpenRequest request;
  request.graph.path = path;
  request.batch_size = 64;
  const auto graph = app::open(request, silent);
  if (!graph) {
    std::fputs((graph.error().message + "\n").c_str(), stderr);
    std::exit(1);
  }
  Policy policy;
  policy.rewriter = "lms2";
  set_value(policy, "swapout-threshold", 100);
  set_value(policy, "swapin-ahead", 5);
  set_value(policy, "swapin-groupby", 10);
  auto shown = std::make_shared<Shown>();
  shown->snapshot = app::make_snapshot(*graph, policy, *built_in_profile("pcie3"), silent).value();
  shown->scene = shown->snapshot->scene();
  shown->levels = render::layout_levels(shown->scene);
  shown->memory = render::layout_memory(shown->scene, 0, render::MemoryAxis::kStep);
  return shown;
}

void layout_ops(benchmark::State& state, const ShownPtr& shown) {
  for (auto _ : state) benchmark::DoNotOptimize(render::layout_ops(shown->scene));
}
void layout_swaps(benchmark::State& state, const ShownPtr& shown) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(render::layout_swaps(shown->scene, shown->levels.ops));
  }
}
void layout_memory(benchmark::State& state, const ShownPtr& shown) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(render::layout_memory(shown->scene, 0, render::MemoryAxis::kLevel));
  }
}

// `zooms`: how often the picture is zoomed in by 4.
render::LevelsLook levels_look(const Shown& shown, render::Rect area, std::int64_t zooms) {
  render::LevelsLook look;
  look.scene = &shown.scene;
  look.ops = &shown.levels.ops;
  look.swaps = &shown.levels.swaps;
  look.palette = &render::palette(render::ThemeKind::kDark);
  look.area = area;
  const double levels = shown.levels.ops.level_count;
  const double span = std::max(4.0, levels / std::pow(4.0, static_cast<double>(zooms)));
  look.range = {(levels - span) / 3, span};
  return look;
}

render::MemoryLook memory_look(const Shown& shown, render::Rect area, bool bands) {
  render::MemoryLook look;
  look.scene = &shown.scene;
  look.memory = &shown.memory;
  look.palette = &render::palette(render::ThemeKind::kDark);
  look.area = area;
  look.show_bands = bands;
  return look;
}

void draw_levels(benchmark::State& state, const ShownPtr& shown) {
  const render::LevelsLook look = levels_look(*shown, {0, 0, 2400, 900}, state.range(0));
  NullCanvas canvas;
  for (auto _ : state) {
    canvas.calls = 0;
    render::draw_levels(canvas, look);
  }
  state.counters["calls"] = static_cast<double>(canvas.calls);
  state.counters["levels"] = look.range.span;
}

void draw_memory(benchmark::State& state, const ShownPtr& shown) {
  const render::MemoryLook look = memory_look(*shown, {0, 0, 2400, 400}, state.range(0) == 1);
  NullCanvas canvas;
  for (auto _ : state) {
    canvas.calls = 0;
    render::draw_memory(canvas, look);
  }
  state.counters["calls"] = static_cast<double>(canvas.calls);
}

template <typename Look>
void list(benchmark::State& state, const Look& look) {
  std::size_t bytes = 0, calls = 0;
  for (auto _ : state) {
    render::DrawList canvas;
    if constexpr (std::is_same_v<Look, render::LevelsLook>) {
      render::draw_levels(canvas, look);
    } else {
      render::draw_memory(canvas, look);
    }
    calls = canvas.calls();
    bytes = canvas.json({}).size();
  }
  state.counters["calls"] = static_cast<double>(calls);
  state.counters["kB"] = static_cast<double>(bytes) / 1000;
}
void list_levels(benchmark::State& state, const ShownPtr& shown) {
  list(state, levels_look(*shown, {0, 0, 1100, 500}, state.range(0)));
}
void list_memory(benchmark::State& state, const ShownPtr& shown) {
  list(state, memory_look(*shown, {0, 0, 1100, 200}, state.range(0) == 1));
}

}  // namespace
}  // namespace tideline

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string path = argv[i];
    const auto shown = tideline::open(path);
    const auto add = [&](const char* name, auto* function) {
      return benchmark::RegisterBenchmark((std::string(name) + "/" + path).c_str(), function, shown)
          ->Unit(benchmark::kMillisecond);
    };
    add("layout_ops", tideline::layout_ops);
    add("layout_swaps", tideline::layout_swaps);
    add("layout_memory", tideline::layout_memory);
    add("draw_levels", tideline::draw_levels)->DenseRange(0, 7);
    add("draw_memory", tideline::draw_memory)->Arg(0)->Arg(1);
    add("list_levels", tideline::list_levels)->DenseRange(0, 7);
    add("list_memory", tideline::list_memory)->Arg(0)->Arg(1);
  }
  benchmark::RunSpecifiedBenchmarks();
}
