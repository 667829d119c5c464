// Simulation, re-planning with re-simulation, and the search, without reading the file.
// Usage: bench_memory FILE... [--benchmark_...]; batch size 64 throughout.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "core/io/document.h"
#include "core/rewrite/lms2/play.h"
#include "core/rewrite/lms2/play_input.h"
#include "core/rewrite/lms2/prepared.h"
#include "core/rewrite/lms2/tune.h"
#include "core/rewrite/predict.h"

namespace tideline {
namespace {

constexpr std::int64_t kBatchSize = 64;

Lms2Options given_options() {
  Lms2Options options;
  options.swapout_threshold = 100;
  options.swapin_ahead = 5;
  options.swapin_groupby = 10;
  options.batch_size = kBatchSize;
  return options;
}

// The file, read once for all measurements; the program ends when it cannot be.
std::shared_ptr<io::Document> read(const std::string& path) {
  Progress silent;
  auto document = io::read_document(path, silent);
  if (!document) {
    std::fputs((document.error().message + "\n").c_str(), stderr);
    std::exit(1);
  }
  return std::make_shared<io::Document>(*std::move(document));
}

void play(benchmark::State& state, const std::shared_ptr<io::Document>& document) {
  const auto prepared =
      lms2::Prepared::make(document->graph, document->collections, given_options());
  const auto graph = lms2::build_play_graph((*prepared)->context(), (*prepared)->candidates(),
                                            (*prepared)->variables().trainable);
  for (auto _ : state) {
    lms2::Player player(*graph);
    benchmark::DoNotOptimize(player.play({100, 5, 10, 0}));
  }
}

void prepare(benchmark::State& state, const std::shared_ptr<io::Document>& document) {
  for (auto _ : state) {
    const auto prepared =
        lms2::Prepared::make(document->graph, document->collections, given_options());
    benchmark::DoNotOptimize(lms2::build_play_graph(
        (*prepared)->context(), (*prepared)->candidates(), (*prepared)->variables().trainable));
  }
}

void flatten(benchmark::State& state, const std::shared_ptr<io::Document>& document) {
  const auto tensors = TensorTable::build(
      document->graph, {.batch_size = kBatchSize, .model = SizeModel::kFaithful});
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        build_step_graph(document->graph, *tensors, document->collections, {}));
  }
}

void simulate(benchmark::State& state, const std::shared_ptr<io::Document>& document) {
  const auto tensors = TensorTable::build(
      document->graph, {.batch_size = kBatchSize, .model = SizeModel::kFaithful});
  const auto graph = build_step_graph(document->graph, *tensors, document->collections, {});
  for (auto _ : state) benchmark::DoNotOptimize(simulate_step(*graph));
}

// What a slider does: one parameter changes.
void replan(benchmark::State& state, const std::shared_ptr<io::Document>& document) {
  const auto prepared =
      lms2::Prepared::make(document->graph, document->collections, given_options());
  const auto graph =
      build_step_graph(document->graph, (*prepared)->context().tensors, document->collections, {});
  Progress silent;
  int threshold = 100;
  for (auto _ : state) {
    (*prepared)->set(threshold, 5, 10, 0);
    threshold = threshold == 100 ? 101 : 100;
    const auto plan = (*prepared)->plan(silent);
    benchmark::DoNotOptimize(predict_step(*graph, document->graph, *plan, std::nullopt));
  }
}

void tune(benchmark::State& state, const std::shared_ptr<io::Document>& document) {
  Lms2Options options;
  options.batch_size = kBatchSize;
  MemoryBudget budget;
  budget.device = Bytes{4} << 30U;
  Progress silent;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        tune_lms2(document->graph, document->collections, options, budget, silent));
  }
}

}  // namespace
}  // namespace tideline

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string path = argv[i];
    const auto document = tideline::read(path);
    const auto add = [&](const char* name, auto* function) {
      benchmark::RegisterBenchmark((std::string(name) + "/" + path).c_str(), function, document)
          ->Unit(benchmark::kMillisecond);
    };
    add("prepare", tideline::prepare);
    add("play", tideline::play);
    add("flatten", tideline::flatten);
    add("simulate", tideline::simulate);
    add("replan", tideline::replan);
    add("tune", tideline::tune);
  }
  benchmark::RunSpecifiedBenchmarks();
}
