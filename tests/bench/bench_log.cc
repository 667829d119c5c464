// Reading an event log into columns, beside the floor: the same bytes read, their checksums
// computed, and the bytes copied once. Usage: bench_log LOGDIR [--benchmark_...]
#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "app/engine/read_log.h"
#include "core/base/crc32c.h"
#include "core/base/input_file.h"
#include "core/events/log_folder.h"
#include "core/events/record_reader.h"

namespace tideline {
namespace {

void floor_of(benchmark::State& state, const std::string& path) {
  constexpr std::size_t kPiece = std::size_t{1} << 20U;
  Progress silent;
  Diagnostics ignored;
  const auto files = events::find_event_files(path, ignored, silent);
  if (!files) return state.SkipWithError(files.error().message.c_str());
  const auto buffer = std::make_unique<char[]>(kPiece);
  const auto copy = std::make_unique<char[]>(kPiece);
  for (auto _ : state) {
    std::uint32_t crc = 0;
    for (const events::EventFile& file : *files) {
      auto opened = InputFile::open(file.path);
      if (!opened) return state.SkipWithError(opened.error().message.c_str());
      while (const std::size_t got = opened->read(buffer.get(), kPiece).value_or(0)) {
        crc ^= crc32c({buffer.get(), got});
        std::memcpy(copy.get(), buffer.get(), got);
        benchmark::DoNotOptimize(copy.get());
        benchmark::ClobberMemory();
      }
    }
    benchmark::DoNotOptimize(crc);
  }
}

// What cannot be left out of reading records: their bytes are read, the checksums of every length
// and of all data are computed, and the data are copied once.
void floor_of_records(benchmark::State& state, const std::string& path) {
  constexpr std::size_t kPiece = std::size_t{1} << 20U;
  Progress silent;
  Diagnostics ignored;
  const auto files = events::find_event_files(path, ignored, silent);
  if (!files) return state.SkipWithError(files.error().message.c_str());
  std::string buffer;
  std::string copy;
  for (auto _ : state) {
    for (const events::EventFile& file : *files) {
      auto opened = InputFile::open(file.path);
      if (!opened) return state.SkipWithError(opened.error().message.c_str());
      std::size_t kept = 0;  // the beginning of a record
      do {
        if (buffer.size() < kept + kPiece) buffer.resize(kept + kPiece);
        const std::size_t got = opened->read(buffer.data() + kept, kPiece).value_or(0);
        if (got == 0) break;
        events::RecordReader reader({buffer.data(), kept + got});
        events::Record record;
        while (reader.next(record)) {
          if (copy.size() < record.data.size()) copy.resize(record.data.size());
          std::memcpy(copy.data(), record.data.data(), record.data.size());
          benchmark::DoNotOptimize(copy.data());
          benchmark::ClobberMemory();
        }
        const std::size_t whole = reader.at();
        kept += got - whole;
        std::memmove(buffer.data(), buffer.data() + whole, kept);
      } while (true);
    }
  }
}

void read(benchmark::State& state, const std::string& path, unsigned threads) {
  Progress silent;
  for (auto _ : state) {
    auto log = app::read_log(path, events::AtDamage::kStop, silent, threads);
    if (!log) return state.SkipWithError(log.error().message.c_str());
    state.PauseTiming();  // freeing the columns is not counted
    std::size_t points = 0;
    std::size_t bytes = 0;
    for (const events::Series& series : log->series()) {
      points += series.points.size();
      bytes += series.points.capacity() * sizeof(events::ScalarPoint);
    }
    state.counters["points"] = static_cast<double>(points);
    state.counters["bytes_a_point"] = static_cast<double>(bytes) / static_cast<double>(points);
    state.counters["rows"] = static_cast<double>(log->counts().rows);
    state.counters["memory_MiB"] = static_cast<double>(log->memory()) / (1 << 20);
    log = tl::unexpected(Error{});
    state.ResumeTiming();
  }
}

}  // namespace
}  // namespace tideline

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  using benchmark::RegisterBenchmark;
  for (int i = 1; i < argc; ++i) {
    const std::string path = argv[i];
    const auto add = [&](const std::string& name, auto run) {
      RegisterBenchmark(name.c_str(), run)
          ->Unit(benchmark::kMillisecond)
          ->MeasureProcessCPUTime()
          ->UseRealTime()
          ->Iterations(1);
    };
    add("floor", [path](benchmark::State& state) { tideline::floor_of(state, path); });
    add("floor/records",
        [path](benchmark::State& state) { tideline::floor_of_records(state, path); });
    for (const unsigned threads : {1U, 2U}) {
      add("read/threads:" + std::to_string(threads),
          [path, threads](benchmark::State& state) { tideline::read(state, path, threads); });
    }
  }
  benchmark::RunSpecifiedBenchmarks();
}
