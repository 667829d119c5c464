// Checkpoints: checksums, opening an index, and saving and loading a gigabyte. $BENCH_FOLDER names
// the disk (the current folder otherwise); $TIDELINE_PLUGINS the folder of the plugin `file`.
// checkpoint_peer.py beside it does the same with TensorFlow, by turns.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/crc32c.h"
#include "core/base/descriptor.h"
#include "core/checkpoint/backend.h"
#include "core/checkpoint/backend_abi.h"
#include "core/checkpoint/bundle_entry.h"
#include "core/checkpoint/sstable.h"
#include "core/checkpoint/tensor_bundle.h"

namespace tideline::checkpoint {
namespace {

constexpr std::size_t kGiB = std::size_t{1} << 30U;

std::string folder() {
  const char* given = std::getenv("BENCH_FOLDER");
  return given == nullptr ? "." : given;
}

void crc(benchmark::State& state, std::uint32_t (*sum)(std::string_view, std::uint32_t)) {
  const std::string bytes(static_cast<std::size_t>(state.range(0)), 'x');
  for (auto _ : state) benchmark::DoNotOptimize(sum(bytes, 0));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK_CAPTURE(crc, three_streams, crc32c)->Range(64, 1 << 26);
BENCHMARK_CAPTURE(crc, tables, crc32c_by_tables)->Arg(1 << 20);

void open_index(benchmark::State& state) {
  BundleHeader header;
  header.shards = 1;
  std::map<std::string, std::string> table = {{"", encode(header)}};
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    BundleEntry entry;
    entry.type = DataType::kFloat;
    entry.dims = {64, 3, 3};
    entry.offset = i * 2304;
    entry.bytes = 2304;
    entry.masked_crc = static_cast<std::uint32_t>(i * 2654435761);
    table.emplace(fmt::format("model/layer_{}/.ATTRIBUTES/slot_{}", i / 10, i % 10), encode(entry));
  }
  const std::string index = write_table(table);
  for (auto _ : state) benchmark::DoNotOptimize(parse_tensor_bundle("m", index));
}
BENCHMARK(open_index)->Arg(4000)->Unit(benchmark::kMillisecond);

// A gigabyte in 26 tensors at 64 modulo 4096, as TensorFlow's allocator has them.
class Gigabyte {
 public:
  Gigabyte() {
    constexpr std::size_t kCount = 26;
    constexpr std::size_t kBytes = kGiB / kCount / 4 * 4;
    for (std::size_t i = 0; i < kCount; ++i) {
      auto& memory = memory_.emplace_back(
          static_cast<char*>(std::aligned_alloc(4096, (kBytes / 4096 + 2) * 4096)));
      std::memset(memory.get(), static_cast<int>(i + 1), kBytes + 64);
      names_.push_back(fmt::format("tensor_{}", i));
    }
    dims_ = {static_cast<std::int64_t>(kBytes / 4)};
    for (std::size_t i = 0; i < kCount; ++i) {
      TidelineTensor tensor{};
      tensor.struct_size = sizeof tensor;
      tensor.dtype = 1;
      tensor.name = names_[i].data();
      tensor.name_size = names_[i].size();
      tensor.dims = dims_.data();
      tensor.rank = 1;
      tensor.device_type = TIDELINE_DEVICE_HOST;
      tensor.data = memory_[i].get() + 64;
      tensor.bytes = kBytes;
      tensors.push_back(tensor);
    }
  }
  std::vector<TidelineTensor> tensors;

 private:
  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };
  std::vector<std::unique_ptr<char, Free>> memory_;
  std::vector<std::string> names_;
  std::vector<std::int64_t> dims_;
};

Gigabyte& gigabyte() {
  static Gigabyte data;
  return data;
}

// The limit: the same memory, written directly into a file that has its space, and flushed.
void direct_write(benchmark::State& state) {
  const std::vector<TidelineTensor>& tensors = gigabyte().tensors;  // made before the clock runs
  const std::string path = folder() + "/bench_direct";
  for (auto _ : state) {
    const Descriptor file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_DIRECT | O_CLOEXEC, 0644));
    if (file.value() < 0 || ::fallocate(file.value(), 0, 0, kGiB) != 0) {
      state.SkipWithError("no direct writes in this folder");
      break;
    }
    off_t at = 0;
    for (const TidelineTensor& tensor : tensors) {
      const char* begin = static_cast<const char*>(tensor.data) - 64;
      for (std::size_t done = 0; done < tensor.bytes / 4096 * 4096;) {
        const std::size_t part = std::min<std::size_t>(tensor.bytes / 4096 * 4096 - done, 16 << 20);
        const ssize_t wrote = ::pwrite(file.value(), begin + done, part, at);
        if (wrote <= 0) {
          state.SkipWithError("a direct write failed");
          break;
        }
        done += static_cast<std::size_t>(wrote);
        at += wrote;
      }
    }
    ::fsync(file.value());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * kGiB));
  ::unlink(path.c_str());
}
BENCHMARK(direct_write)->Unit(benchmark::kMillisecond)->UseRealTime();

// An object of a backend whose plugin is in $TIDELINE_PLUGINS.
struct Opened {
  explicit Opened(const char* name, const std::string& config) {
    if (backends.find(name)) {
      auto made = backends.open(name, config);
      if (made) object = *std::move(made);
    }
  }
  Backends backends;
  std::unique_ptr<Backend> object;
};

void save(benchmark::State& state) {
  const std::vector<TidelineTensor>& tensors = gigabyte().tensors;  // made before the clock runs
  const Opened file("file", folder() + "/bench_model");
  Progress silent;
  for (auto _ : state) {
    if (!file.object || !file.object->save(tensors, -1, {}, silent)) {
      state.SkipWithError("not saved");
      break;
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * kGiB));
}
BENCHMARK(save)->Unit(benchmark::kMillisecond)->UseRealTime();

// How long the caller of a save in the background waits.
void save_in_background(benchmark::State& state) {
  const std::vector<TidelineTensor>& tensors = gigabyte().tensors;  // made before the clock runs
  const Opened file("file", R"({"async": true, "path": ")" + folder() + R"(/bench_async"})");
  Progress silent;
  Retention retention;
  retention.retain = [](void* self) { return self; };
  retention.release = [](void*) {};
  for (auto _ : state) {
    if (!file.object || !file.object->save(tensors, -1, retention, silent)) {
      state.SkipWithError("not saved");
      break;
    }
    state.PauseTiming();
    if (!file.object->wait(silent)) state.SkipWithError("not saved");
    state.ResumeTiming();
  }
}
BENCHMARK(save_in_background)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(5);

// Of what `save` left, from the page cache.
void load(benchmark::State& state) {
  const std::vector<TidelineTensor>& tensors = gigabyte().tensors;  // made before the clock runs
  const Opened file("file", folder() + "/bench_model");
  Progress silent;
  if (file.object) static_cast<void>(file.object->load(tensors, -1, silent));
  for (auto _ : state) {
    if (!file.object || !file.object->load(tensors, -1, silent)) {
      state.SkipWithError("not loaded");
      break;
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * kGiB));
}
BENCHMARK(load)->Unit(benchmark::kMillisecond)->UseRealTime();

// What the interface costs by itself: a backend that does nothing.
void call(benchmark::State& state) {
  static constexpr auto kOpen = [](const char*, void** object, char*, std::size_t) {
    *object = nullptr;
    return 0;
  };
  static constexpr auto kClose = [](void*) {};
  static constexpr auto kSave = [](void*, const TidelineTensor* const*, std::uint64_t,
                                   const TidelineCall*) { return 0; };
  static constexpr TidelineBackend kNothing = {sizeof kNothing, TIDELINE_CHECKPOINT_SAVES,
                                               "nothing",       "",
                                               kOpen,           kClose,
                                               kSave,           nullptr,
                                               nullptr,         nullptr};
  Backends backends;
  if (!backends.add(&kNothing)) return;
  const auto object = backends.open("nothing", "");
  Progress silent;
  for (auto _ : state) {
    benchmark::DoNotOptimize((*object)->save(gigabyte().tensors, -1, {}, silent));
  }
}
BENCHMARK(call)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tideline::checkpoint

BENCHMARK_MAIN();
