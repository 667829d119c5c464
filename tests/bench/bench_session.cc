// What a person waits for: opening a graph, and a slider that is moved, until the result can be
// drawn. Usage: bench_session FILE... [--benchmark_...]; batch size 64 throughout.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "app/actions/commands.h"
#include "app/actions/ui_model.h"
#include "tests/support/policy_values.h"

namespace tideline {
namespace {

app::OpenRequest request_for(const std::string& path) {
  return {.graph = {.path = path}, .batch_size = 64};
}

Policy given_policy() {
  Policy policy;
  policy.rewriter = "lms2";
  set_value(policy, "swapout-threshold", 100);
  set_value(policy, "swapin-ahead", 5);
  set_value(policy, "swapin-groupby", 10);
  return policy;
}

void open(benchmark::State& state, const std::string& path) {
  Progress silent;
  for (auto _ : state) {
    const auto opened = app::open(request_for(path), silent);
    if (!opened) state.SkipWithError(opened.error().message.c_str());
    benchmark::DoNotOptimize(opened);
  }
}

// From the changed threshold to the new snapshot.
void slide(benchmark::State& state, const std::string& path) {
  Progress silent;
  const auto opened = app::open(request_for(path), silent);
  if (!opened) return state.SkipWithError(opened.error().message.c_str());
  app::SnapshotMaker maker(*opened);
  Policy policy = given_policy();
  benchmark::DoNotOptimize(maker.make(policy, {}, silent));
  for (auto _ : state) {
    set_value(policy, "swapout-threshold",
              test::number_of(policy, "swapout-threshold") == 100 ? 101 : 100);
    benchmark::DoNotOptimize(maker.make(policy, {}, silent));
  }
}

bool open_given(app::Viewer& viewer, const std::string& path) {
  app::Wish wish;
  wish.policy = given_policy();
  wish.batch_size = 64;
  app::open_graph(viewer, request_for(path), wish);
  viewer.session.wait();
  return viewer.graph().snapshot() != nullptr;
}

// The same through the app: action, worker, taking over, model for the panels.
void act(benchmark::State& state, const std::string& path) {
  app::Session opened;
  app::Viewer viewer(opened);
  if (!open_given(viewer, path)) return state.SkipWithError("it does not open");
  bool is_first = false;
  for (auto _ : state) {
    is_first = !is_first;
    benchmark::DoNotOptimize(
        app::run_action(viewer, "policy.set", {"swapout-threshold", is_first ? "101" : "100"}));
    viewer.session.wait();
    benchmark::DoNotOptimize(&app::make_ui_model(viewer));
  }
}

// As act, for the end of a bar that was dragged: its tensor comes back by a distance of its own.
void drag(benchmark::State& state, const std::string& path) {
  app::Session opened;
  app::Viewer viewer(opened);
  if (!open_given(viewer, path)) return state.SkipWithError("it does not open");
  const ui::UiModel& model = app::make_ui_model(viewer);
  if (model.swaps.empty()) return state.SkipWithError("nothing is swapped");
  const std::string tensor = model.swaps.front().name;
  bool is_first = false;
  for (auto _ : state) {
    is_first = !is_first;
    benchmark::DoNotOptimize(
        app::run_action(viewer, "tensor.ahead", {tensor, is_first ? "9" : "7"}));
    viewer.session.wait();
    benchmark::DoNotOptimize(&app::make_ui_model(viewer));
  }
}

void model_unchanged(benchmark::State& state, const std::string& path) {
  app::Session opened;
  app::Viewer viewer(opened);
  app::open_graph(viewer, request_for(path));
  viewer.session.wait();
  for (auto _ : state) benchmark::DoNotOptimize(&app::make_ui_model(viewer));
}

}  // namespace
}  // namespace tideline

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string path = argv[i];
    const auto add = [&](const char* name, auto* function) {
      benchmark::RegisterBenchmark((std::string(name) + "/" + path).c_str(), function, path)
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
    };
    add("open", tideline::open);
    add("slide", tideline::slide);
    add("act", tideline::act);
    add("drag", tideline::drag);
    add("model", tideline::model_unchanged);
  }
  benchmark::RunSpecifiedBenchmarks();
}
