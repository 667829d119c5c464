// Saves tensors that lie in the memory of a CUDA device by a checkpoint plugin, and loads them
// back.
//
//   device_tensors PLUGIN NAME CONFIG MIB
//
// MIB: how much, in 16 tensors. Exit 77 where there is no device.
#include <cuda.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <vector>

#include "core/checkpoint/backend.h"
#include "core/checkpoint/backend_abi.h"

namespace {

using tideline::Status;

constexpr int kSkipped = 77;
constexpr std::size_t kTensors = 16;

void need(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  fmt::print(stderr, "{}: {}\n", call, static_cast<int>(result));
  std::exit(1);
}

void need(const Status& status, const char* what) {
  if (status) return;
  fmt::print(stderr, "{}: {}\n", what, status.error().message);
  std::exit(1);
}

struct Tensor {
  std::string name;
  std::vector<std::int64_t> dims;
  std::vector<std::uint32_t> values;
  CUdeviceptr memory = 0;

  [[nodiscard]] std::size_t bytes() const { return values.size() * sizeof(std::uint32_t); }
  [[nodiscard]] TidelineTensor described() const {
    TidelineTensor made{};
    made.struct_size = sizeof made;
    made.dtype = 3;  // int32
    made.name = name.data();
    made.name_size = name.size();
    made.dims = dims.data();
    made.rank = 1;
    made.device_type = TIDELINE_DEVICE_CUDA;
    made.data = reinterpret_cast<void*>(memory);
    made.bytes = bytes();
    return made;
  }
};

std::vector<Tensor> tensors_of(std::size_t bytes) {
  std::vector<Tensor> made(kTensors);
  std::uint32_t number = 1;
  for (std::size_t i = 0; i < kTensors; ++i) {
    // The first is small, and no two are of one size.
    const std::size_t count = i == 0 ? 5 : bytes / kTensors / sizeof(std::uint32_t) - i;
    made[i].name = fmt::format("weights_{}", i);
    made[i].dims = {static_cast<std::int64_t>(count)};
    made[i].values.resize(count);
    for (std::uint32_t& value : made[i].values) value = number = number * 1664525 + 1013904223;
    need(cuMemAlloc(&made[i].memory, made[i].bytes()), "cuMemAlloc");
  }
  return made;
}

void put(const std::vector<Tensor>& tensors, bool zeros) {
  for (const Tensor& tensor : tensors) {
    const std::vector<std::uint32_t> values =
        zeros ? std::vector<std::uint32_t>(tensor.values.size()) : tensor.values;
    need(cuMemcpyHtoD(tensor.memory, values.data(), tensor.bytes()), "cuMemcpyHtoD");
  }
}

bool is_there(const std::vector<Tensor>& tensors) {
  for (const Tensor& tensor : tensors) {
    std::vector<std::uint32_t> values(tensor.values.size());
    need(cuMemcpyDtoH(values.data(), tensor.memory, tensor.bytes()), "cuMemcpyDtoH");
    if (values != tensor.values) return false;
  }
  return true;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  int count = 0;
  if (cuInit(0) != CUDA_SUCCESS || cuDeviceGetCount(&count) != CUDA_SUCCESS || count == 0) {
    fmt::print("SKIP: there is no CUDA device\n");
    return kSkipped;
  }
  CUdevice device = 0;
  CUcontext context = nullptr;
  need(cuDeviceGet(&device, 0), "cuDeviceGet");
  need(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  need(cuCtxPushCurrent(context), "cuCtxPushCurrent");
  const std::size_t bytes = static_cast<std::size_t>(std::atoi(argv[4])) << 20U;
  std::vector<Tensor> tensors = tensors_of(bytes);
  int wrong = 0;
  {
    tideline::checkpoint::Backends backends;
    need(backends.load(argv[1]), argv[1]);
    const auto backend = backends.open(argv[2], argv[3]);
    if (!backend) need(tl::unexpected(backend.error()), argv[2]);
    std::vector<TidelineTensor> described;
    for (const Tensor& tensor : tensors) described.push_back(tensor.described());
    tideline::Progress silent;
    for (int round = 0; round < 3 && wrong == 0; ++round) {
      put(tensors, false);
      auto start = std::chrono::steady_clock::now();
      need((*backend)->save(described, -1, {}, silent), "save");
      const double saved = seconds_since(start);
      put(tensors, true);
      need((*backend)->wait(silent), "wait");
      start = std::chrono::steady_clock::now();
      need((*backend)->load(described, -1, silent), "load");
      const double loaded = seconds_since(start);
      wrong = is_there(tensors) ? 0 : 1;
      fmt::print("saved in {:.3f} s, loaded in {:.3f} s{}\n", saved, loaded,
                 wrong == 0 ? "" : ": other values");
    }
  }
  for (Tensor& tensor : tensors) need(cuMemFree(tensor.memory), "cuMemFree");
  cuCtxPopCurrent(&context);
  cuDevicePrimaryCtxRelease(device);
  return wrong;
}
