// The plugin's interface: CUDA devices, their memory, and the speed of copies. Driver API only.
#include <cuda.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>

#include "copy_lane.h"
#include "copy_timer.h"
#include "core/devices/device_plugin_abi.h"

namespace tideline::cuda {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr std::uint64_t kSmallest = 1024;  // bytes of the copy whose time is the latency

template <std::size_t N>
void put(char (&target)[N], const char* text) {
  std::strncpy(target, text, N - 1);
  target[N - 1] = '\0';
}

// Nothing that is thrown leaves the plugin.
template <typename Work>
int guarded(char* message, std::size_t message_size, const Work& work) noexcept {
  const auto say = [&](const char* text) {
    if (message_size == 0) return;
    std::strncpy(message, text, message_size - 1);
    message[message_size - 1] = '\0';
  };
  say("");
  try {
    work();
    return kDone;
  } catch (const DriverError& error) {
    say(error.message.c_str());
  } catch (const std::exception& error) {
    say(error.what());
  }
  return kFailed;
}

CUdevice device_of(std::uint32_t index) {
  check(cuInit(0), "cuInit");
  CUdevice device = 0;
  check(cuDeviceGet(&device, static_cast<int>(index)), "cuDeviceGet");
  return device;
}

int count(std::uint32_t* count, char* message, std::size_t message_size) {
  return guarded(message, message_size, [&] {
    *count = 0;
    const CUresult result = cuInit(0);
    if (result == CUDA_ERROR_NO_DEVICE) return;
    check(result, "cuInit");
    int found = 0;
    check(cuDeviceGetCount(&found), "cuDeviceGetCount");
    *count = static_cast<std::uint32_t>(std::max(found, 0));
  });
}

int describe(std::uint32_t index, TidelineDevice* out, char* message, std::size_t message_size) {
  return guarded(message, message_size, [&] {
    TidelineDevice found{};
    const CUdevice device = device_of(index);
    found.struct_size = std::min<std::uint32_t>(out->struct_size, sizeof found);
    found.index = index;
    char text[sizeof found.name] = "";
    check(cuDeviceGetName(text, sizeof text, device), "cuDeviceGetName");
    put(found.name, text);
    if (cuDeviceGetPCIBusId(text, sizeof found.pci_bus_id, device) == CUDA_SUCCESS) {
      put(found.pci_bus_id, text);
    }
    const Context context(device);
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    check(cuMemGetInfo(&free_bytes, &total_bytes), "cuMemGetInfo");
    found.free_bytes = free_bytes;
    found.total_bytes = total_bytes;
    std::memcpy(out, &found, found.struct_size);
  });
}

std::int64_t nanoseconds(double seconds) {
  return std::llround(seconds * 1e9);
}

int measure(std::uint32_t index, const TidelineMeasure* how, TidelineDeviceSpeeds* out,
            char* message, std::size_t message_size) {
  return guarded(message, message_size, [&] {
    const Context context(device_of(index));
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    check(cuMemGetInfo(&free_bytes, &total_bytes), "cuMemGetInfo");
    // Two buffers on the device; the rest belongs to whoever else uses it.
    const std::uint64_t bytes = std::min<std::uint64_t>(how->bytes, free_bytes / 4);
    if (bytes < kSmallest) throw DriverError{"the device has no free memory to measure with"};
    CopyTimer timer(bytes, how->repeats);
    constexpr std::uint32_t kSteps = 8;
    std::uint32_t step = 0;
    const auto next = [&] {
      if (how->go_on != nullptr && how->go_on(how->self, step++, kSteps) != 0) {
        throw DriverError{"interrupted"};
      }
    };
    TidelineDeviceSpeeds speeds{};
    speeds.struct_size = std::min<std::uint32_t>(out->struct_size, sizeof speeds);
    speeds.bytes = bytes;
    const auto amount = static_cast<double>(bytes);
    next();
    speeds.pinned_to_host_latency_ns = nanoseconds(timer.pinned_to_host(kSmallest));
    next();
    speeds.pinned_to_device_latency_ns = nanoseconds(timer.pinned_to_device(kSmallest));
    next();
    speeds.pinned_to_host_bytes_per_s = amount / timer.pinned_to_host(bytes);
    next();
    speeds.pinned_to_device_bytes_per_s = amount / timer.pinned_to_device(bytes);
    next();
    speeds.pageable_to_host_bytes_per_s = amount / timer.pageable_to_host(bytes);
    next();
    speeds.pageable_to_device_bytes_per_s = amount / timer.pageable_to_device(bytes);
    next();
    const CopyTimer::Both both = timer.both(bytes);
    speeds.both_to_host_bytes_per_s = amount / both.to_host;
    speeds.both_to_device_bytes_per_s = amount / both.to_device;
    next();
    speeds.memory_bytes_per_s = 2 * amount / timer.inside_device(bytes);
    std::memcpy(out, &speeds, speeds.struct_size);
  });
}

CopyLane& lane_of(TidelineLane* lane) {
  return *reinterpret_cast<CopyLane*>(lane);
}

int open_lane(std::uint32_t index, TidelineLane** lane, char* message, std::size_t message_size) {
  return guarded(message, message_size,
                 [&] { *lane = reinterpret_cast<TidelineLane*>(new CopyLane(device_of(index))); });
}

void close_lane(TidelineLane* lane) {
  delete &lane_of(lane);
}

int pin(TidelineLane* lane, std::uint64_t bytes, void** memory, char* message,
        std::size_t message_size) {
  return guarded(message, message_size, [&] { *memory = lane_of(lane).pin(bytes); });
}

void unpin(TidelineLane* lane, void* memory) {
  lane_of(lane).unpin(memory);
}

int to_host(TidelineLane* lane, void* host, const void* device, std::uint64_t bytes,
            std::uint64_t* ticket, char* message, std::size_t message_size) {
  return guarded(message, message_size, [&] {
    *ticket = lane_of(lane).to_host(host, reinterpret_cast<CUdeviceptr>(device), bytes);
  });
}

int to_device(TidelineLane* lane, void* device, const void* host, std::uint64_t bytes,
              std::uint64_t* ticket, char* message, std::size_t message_size) {
  return guarded(message, message_size, [&] {
    *ticket = lane_of(lane).to_device(reinterpret_cast<CUdeviceptr>(device), host, bytes);
  });
}

int finish(TidelineLane* lane, std::uint64_t ticket, char* message, std::size_t message_size) {
  return guarded(message, message_size, [&] { lane_of(lane).finish(ticket); });
}

constexpr TidelineDeviceApi kApi = {sizeof(TidelineDeviceApi),
                                    TIDELINE_DEVICE_ABI_MAJOR,
                                    count,
                                    describe,
                                    measure,
                                    open_lane,
                                    close_lane,
                                    pin,
                                    unpin,
                                    to_host,
                                    to_device,
                                    finish};

}  // namespace
}  // namespace tideline::cuda

extern "C" __attribute__((visibility("default"))) const TidelineDeviceApi* tideline_device_api(
    std::uint32_t host_abi_major) {
  return host_abi_major == TIDELINE_DEVICE_ABI_MAJOR ? &tideline::cuda::kApi : nullptr;
}
