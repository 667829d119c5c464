// CPU of one frame of the window until its draw lists are ready, and of making layouts.
// bench_ui GRAPH...: each at fit, a tenth and a hundredth of the levels, and zoomed in fully.

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <imgui.h>

#include <memory>
#include <string>
#include <utility>

#include "app/engine/snapshot.h"
#include "render/model/view_cache.h"
#include "render/ui/imgui_context.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace {

using namespace tideline;  // NOLINT: a program of one file

struct Shown {
  std::shared_ptr<const app::Snapshot> snapshot;
  Policy policy;
  ui::ScopeTotals totals;
  ui::UiModel model;
};

std::shared_ptr<Shown> show(const std::string& path) {
  Progress progress;
  app::OpenRequest request;
  request.graph.path = path;
  request.batch_size = 64;
  const auto graph = app::open(request, progress);
  if (!graph) return nullptr;
  auto shown = std::make_shared<Shown>();
  shown->policy.rewriter = "lms2";
  set_value(shown->policy, "swapout-threshold", 100);
  set_value(shown->policy, "swapin-ahead", 5);
  set_value(shown->policy, "swapin-groupby", 10);
  // With times, so that the link track is shown.
  auto snapshot = app::make_snapshot(*graph, shown->policy, *built_in_profile("v100"), progress);
  if (!snapshot) return nullptr;
  shown->snapshot = *std::move(snapshot);
  shown->totals = {shown->snapshot->graph->scope_bytes, shown->snapshot->scope_swapped};
  ui::UiModel& model = shown->model;
  model.revision = 1;
  model.scene = shown->snapshot->scene();
  model.path = path;
  model.summary = &shown->snapshot->graph->summary;
  model.scope_totals = &shown->totals;
  model.policy = &shown->policy;
  model.profile = &shown->snapshot->profile;
  return shown;
}

void frame(const Shown& shown, ui::ViewState& view, ui::Widgets& widgets, ui::ViewCache& cache,
           const ui::Fonts& fonts) {
  ui::Intents intents;
  ImGui::NewFrame();
  ui::Ui ui = {shown.model, view, widgets, intents, fonts, cache};
  ui::draw_window(ui);
  ImGui::Render();
}

// `share` of the levels are visible; the mouse rests on the levels, so that hits are looked for.
void bench_frame(benchmark::State& state, const Shown& shown, double share, ui::Tab tab,
                 ui::AxisKind axis) {
  const ui::ImGuiScope scope;
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {1600, 1000};
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  const ui::Fonts fonts = ui::load_fonts(*io.Fonts, 15);
  ui::apply_theme(render::ThemeKind::kDark, 1);
  io.MousePos = {700, 300};
  ui::ViewState view;
  view.tab = tab;
  view.memory_axis = axis;
  const double levels = shown.model.scene->levels->count();
  if (share < 1) view.axis = {levels * 0.3, std::max(4.0, levels * share)};
  ui::Widgets widgets;
  ui::ViewCache cache;
  for (int i = 0; i < 4 || cache.is_busy(); ++i) frame(shown, view, widgets, cache, fonts);
  for (auto _ : state) frame(shown, view, widgets, cache, fonts);
  state.counters["vertices"] = ImGui::GetDrawData()->TotalVtxCount;
}

void bench_layout(benchmark::State& state, const Shown& shown) {
  for (auto _ : state) {
    ui::ViewCache cache;
    ui::ViewState view;
    cache.update(shown.model, view);
    benchmark::DoNotOptimize(&cache.memory(*shown.model.scene, 0, render::MemoryAxis::kLevel));
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string path = argv[i];
    const std::shared_ptr<Shown> shown = show(path);
    if (shown == nullptr) {
      fmt::print(stderr, "bench_ui: {} cannot be opened and planned\n", path);
      return 1;
    }
    const std::string name = path.substr(path.find_last_of('/') + 1);
    const auto add = [&](const char* what, double share, ui::Tab tab,
                         ui::AxisKind axis = ui::AxisKind::kLevel) {
      benchmark::RegisterBenchmark((name + "/" + what).c_str(), [=](benchmark::State& state) {
        bench_frame(state, *shown, share, tab, axis);
      })->Unit(benchmark::kMillisecond);
    };
    add("levels, all", 1, ui::Tab::kLevels);
    add("levels, a tenth", 0.1, ui::Tab::kLevels);
    add("levels, a hundredth", 0.01, ui::Tab::kLevels);
    add("levels, four", 0, ui::Tab::kLevels);
    add("memory, all", 1, ui::Tab::kMemory);
    add("memory by time, all", 1, ui::Tab::kMemory, ui::AxisKind::kTime);
    benchmark::RegisterBenchmark((name + "/layouts").c_str(), [shown](benchmark::State& state) {
      bench_layout(state, *shown);
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::RunSpecifiedBenchmarks();
}
