// Tested by tests/unit/devices/device_plugin_test.cc and tests/integration/probe_test.py.
#include "core/devices/device_plugin.h"

#include <dlfcn.h>

#include <array>
#include <cmath>
#include <filesystem>

#include "core/base/plugin_folders.h"
#include "core/base/text.h"
#include "core/devices/device_plugin_abi.h"

namespace tideline::devices {
namespace {

constexpr const char* kFile = "tideline_cuda.so";
constexpr Bytes kCopyBytes = Bytes{128} << 20U;
constexpr std::uint32_t kRepeats = 5;

struct Listener {
  Progress& progress;
  bool stopped = false;
};

int go_on(void* self, std::uint32_t done, std::uint32_t total) {
  auto* listener = static_cast<Listener*>(self);
  listener->stopped = !listener->progress.report("measuring copies", done, total);
  return listener->stopped ? 1 : 0;
}

using Message = std::array<char, 512>;

tl::unexpected<Error> refused(const Message& message) {
  return fail(Code::kUnsupported, "CUDA driver: {}", printable(message.data(), 400));
}

bool is_speed(double bytes_per_s) {
  return std::isfinite(bytes_per_s) && bytes_per_s > 0;
}

}  // namespace

Result<DevicePlugin> DevicePlugin::find() {
  for (const std::string& path : plugin_paths(kFile, "cuda")) {
    std::error_code error;
    if (std::filesystem::exists(path, error)) return load(path);
  }
  return fail(
      Code::kNotFound,
      "there is no {}; this Tideline was built without the CUDA toolkit, or $TIDELINE_PLUGINS "
      "names another folder",
      kFile);
}

Result<DevicePlugin> DevicePlugin::load(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = dlerror();
    const std::string text = why == nullptr ? "unknown reason" : why;
    if (text.find("libcuda.so.1") != std::string::npos) {
      return fail(Code::kUnsupported, "there is no CUDA driver on this machine ({})", text);
    }
    return fail(Code::kUnsupported, "cannot be loaded: {}", text);
  }
  void* symbol = dlsym(library, TIDELINE_DEVICE_API_SYMBOL);
  const TidelineDeviceApi* api =
      symbol == nullptr
          ? nullptr
          : reinterpret_cast<TidelineDeviceApiFunction>(symbol)(TIDELINE_DEVICE_ABI_MAJOR);
  if (api == nullptr || api->abi_major != TIDELINE_DEVICE_ABI_MAJOR ||
      api->struct_size < TIDELINE_DEVICE_API_FIRST_SIZE) {
    return fail(Code::kUnsupported, "{}: is not a device plugin of version {}", path,
                TIDELINE_DEVICE_ABI_MAJOR);
  }
  return DevicePlugin(api);
}

Result<std::vector<Device>> DevicePlugin::devices() const {
  Message message{};
  std::uint32_t count = 0;
  if (api_->count(&count, message.data(), message.size()) != 0) return refused(message);
  std::vector<Device> found;
  for (std::uint32_t index = 0; index < count; ++index) {
    TidelineDevice device{};
    device.struct_size = sizeof device;
    if (api_->describe(index, &device, message.data(), message.size()) != 0) {
      return refused(message);
    }
    found.push_back({index, device.name, device.pci_bus_id, static_cast<Bytes>(device.total_bytes),
                     static_cast<Bytes>(device.free_bytes)});
  }
  return found;
}

Result<DeviceSpeeds> DevicePlugin::measure(std::uint32_t index, Progress& progress) const {
  Listener listener{progress};
  const TidelineMeasure how{sizeof how, kRepeats, kCopyBytes, go_on, &listener};
  TidelineDeviceSpeeds got{};
  got.struct_size = sizeof got;
  Message message{};
  if (api_->measure(index, &how, &got, message.data(), message.size()) != 0) {
    if (listener.stopped) return cancelled();
    return refused(message);
  }
  DeviceSpeeds speeds;
  speeds.copied_bytes = static_cast<Bytes>(got.bytes);
  speeds.memory_bytes_per_s = got.memory_bytes_per_s;
  speeds.to_host = {got.pinned_to_host_bytes_per_s, got.pageable_to_host_bytes_per_s,
                    got.both_to_host_bytes_per_s, got.pinned_to_host_latency_ns};
  speeds.to_device = {got.pinned_to_device_bytes_per_s, got.pageable_to_device_bytes_per_s,
                      got.both_to_device_bytes_per_s, got.pinned_to_device_latency_ns};
  for (const DirectionSpeed& way : {speeds.to_host, speeds.to_device}) {
    if (!is_speed(way.pinned_bytes_per_s) || !is_speed(way.pageable_bytes_per_s) ||
        !is_speed(way.both_bytes_per_s) || !is_speed(speeds.memory_bytes_per_s)) {
      return fail(Code::kUnsupported, "device {}: a copy took no time, so no speed is known",
                  index);
    }
  }
  return speeds;
}

Result<std::unique_ptr<CopyLane>> DevicePlugin::open_lane(std::uint32_t index) const {
  if (api_->struct_size < TIDELINE_DEVICE_API_LANES_SIZE || api_->open_lane == nullptr) {
    return fail(Code::kUnsupported, "this {} is of an earlier version, which copies no tensors",
                kFile);
  }
  Message message{};
  TidelineLane* lane = nullptr;
  if (api_->open_lane(index, &lane, message.data(), message.size()) != 0) return refused(message);
  return std::make_unique<CopyLane>(api_, lane);
}

CopyLane::~CopyLane() {
  api_->close_lane(lane_);
}

Result<char*> CopyLane::pin(std::uint64_t bytes) {
  Message message{};
  void* memory = nullptr;
  if (api_->pin(lane_, bytes, &memory, message.data(), message.size()) != 0) {
    return refused(message);
  }
  return static_cast<char*>(memory);
}

void CopyLane::unpin(char* memory) {
  api_->unpin(lane_, memory);
}

Result<std::uint64_t> CopyLane::to_host(char* host, const void* device, std::uint64_t bytes) {
  Message message{};
  std::uint64_t ticket = 0;
  if (api_->to_host(lane_, host, device, bytes, &ticket, message.data(), message.size()) != 0) {
    return refused(message);
  }
  return ticket;
}

Result<std::uint64_t> CopyLane::to_device(void* device, const char* host, std::uint64_t bytes) {
  Message message{};
  std::uint64_t ticket = 0;
  if (api_->to_device(lane_, device, host, bytes, &ticket, message.data(), message.size()) != 0) {
    return refused(message);
  }
  return ticket;
}

Status CopyLane::finish(std::uint64_t ticket) {
  Message message{};
  if (api_->finish(lane_, ticket, message.data(), message.size()) != 0) return refused(message);
  return {};
}

}  // namespace tideline::devices
