// Loading against libprotobuf's Arena parse of the same bytes, and levels of the loaded graph.
// Usage: bench_load FILE... [--benchmark_...]; sizes come from the files.
#include <benchmark/benchmark.h>
#include <google/protobuf/arena.h>

#include <string>
#include <vector>

#include "core/analysis/levels.h"
#include "core/io/document.h"
#include "core/io/proto/graph.pb.h"

namespace tideline {
namespace {

void load(benchmark::State& state, const std::string& path) {
  Progress silent;
  for (auto _ : state) {
    auto document = io::read_document(path, silent);
    if (!document) state.SkipWithError(document.error().message.c_str());
    benchmark::DoNotOptimize(document);
  }
}

// The peer gets its bytes for nothing: only the parse is timed.
void arena_parse(benchmark::State& state, const std::string& path) {
  const auto bytes = open_bytes(path);
  if (!bytes) return state.SkipWithError(bytes.error().message.c_str());
  const std::string_view content = (*bytes)->bytes();
  for (auto _ : state) {
    google::protobuf::Arena arena;
    auto* graph = google::protobuf::Arena::CreateMessage<wire::GraphDef>(&arena);
    if (!graph->ParseFromArray(content.data(), static_cast<int>(content.size()))) {
      state.SkipWithError("no GraphDef");
    }
    benchmark::DoNotOptimize(graph);
    state.PauseTiming();  // freeing the arena is not counted
    arena.Reset();
    state.ResumeTiming();
  }
}

void levels(benchmark::State& state, const std::string& path) {
  Progress silent;
  const auto document = io::read_document(path, silent);
  if (!document) return state.SkipWithError(document.error().message.c_str());
  for (auto _ : state) benchmark::DoNotOptimize(complete_levels(document->graph));
  state.counters["ops"] = document->graph.op_count();
}

}  // namespace
}  // namespace tideline

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string path = argv[i];
    const auto add = [&](const char* name, auto* function) {
      benchmark::RegisterBenchmark((std::string(name) + "/" + path).c_str(), function, path)
          ->Unit(benchmark::kMillisecond);
    };
    add("arena_parse", tideline::arena_parse);
    add("load", tideline::load);
    add("levels", tideline::levels);
  }
  benchmark::RunSpecifiedBenchmarks();
}
