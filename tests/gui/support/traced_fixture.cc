#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

#include "tests/gui/support/fixture.h"
#include "tests/support/graph_text.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace tideline::gui {
namespace {

constexpr int kTracedLayers = 8;
constexpr int kTracedSwaps = 6;

std::string traced_graph() {
  std::string text = "x = Placeholder() @/gpu:0 f32[64,1024]\n";
  std::string before = "x";
  for (int i = 0; i < kTracedLayers; ++i) {
    const std::string name = fmt::format("layer{}/Relu", i);
    text += fmt::format("{} = Relu({}) @/gpu:0 f32[64,1024]\n", name, before);
    before = name;
    if (i >= kTracedSwaps) continue;
    text += fmt::format("lms/swapout_{0} = Identity({1}) @/cpu:0 f32[64,1024]\n", i, name);
    text += fmt::format("lms/swapin_{0} = Identity(lms/swapout_{0}) @/gpu:0 f32[64,1024]\n", i);
  }
  for (int i = kTracedLayers; i-- > 0;) {
    const std::string kept =
        i < kTracedSwaps ? fmt::format("lms/swapin_{}", i) : fmt::format("layer{}/Relu", i);
    text += fmt::format("gradients/layer{}/ReluGrad = ReluGrad({}, {}) @/gpu:0 f32[64,1024]\n", i,
                        before, kept);
    before = fmt::format("gradients/layer{}/ReluGrad", i);
  }
  return text;
}

// Forward ops take 20 us each and backward ops 30; the swap-ins of layers 1 and 0 take longer.
std::string trace_of_swaps() {
  std::string gpu = "device /job:localhost/replica:0/task:0/device:GPU:0\nallocator GPU_0_bfc\n";
  std::string host = "device /job:localhost/replica:0/task:0/device:CPU:0\nallocator cpu\n";
  std::string kernels = "device /device:GPU:0/stream:7\n";
  std::string copies = "device /device:GPU:0/memcpy\n";
  constexpr int kBytes = 262'144;
  int now = 10;
  const auto run = [&](const std::string& name, const char* type, int us, int freed_at) {
    gpu += fmt::format("{} = {}() | {}+{} | 0:{}&{}#1 | +{}@{} -{}@{}\n", name, type, now, us,
                       kBytes, now, kBytes, now + 1, kBytes, freed_at);
    kernels += fmt::format("{}:{} | {}+{}\n", name, type, now + 2, us - 3);
    now += us;
  };
  for (int i = 0; i < kTracedLayers; ++i) {
    run(fmt::format("layer{}/Relu", i), "Relu", 20, i < kTracedSwaps ? now + 55 : 300);
    if (i >= kTracedSwaps) continue;
    host += fmt::format("lms/swapout_{} = Identity() | {}+30\n", i, now);
    copies += fmt::format("swapout{}:MEMCPYDtoH | {}+28\n", i, now + 1);
  }
  for (int i = kTracedLayers; i-- > 0;) {
    if (i < kTracedSwaps) {
      const int took = i < 2 ? 70 : 25;
      const int from = std::max(now - 32, 0);
      gpu +=
          fmt::format("lms/swapin_{} = Identity() | {}+{} | 0:{}&{}#1 | +{}@{} -{}@{}\n", i, from,
                      took, kBytes, 5000 + from, kBytes, from + 1, kBytes, from + took + 35);
      copies += fmt::format("swapin{}:MEMCPYHtoD | {}+{}\n", i, from + 1, took - 1);
      now = std::max(now, from + took + 2);
    }
    run(fmt::format("gradients/layer{}/ReluGrad", i), "ReluGrad", 30, now + 62);
  }
  return gpu + kernels + copies + host;
}

}  // namespace

std::unique_ptr<Fixture> traced_swaps() {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("swapped.pb"), std::ios::binary) << test::encode_graph(traced_graph());
  std::ofstream(folder.file("step.pbtxt")) << test::trace_pbtxt(trace_of_swaps());
  auto made = fixture(folder.file("swapped.pb"), {}, {}, folder.file("step.pbtxt"));
  REQUIRE(made->model.scene->measured != nullptr);
  made->model.path = "swapped.pb";
  made->model.unwritten = false;
  made->model.undo_title.clear();
  return made;
}

}  // namespace tideline::gui
