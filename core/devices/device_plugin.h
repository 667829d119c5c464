// Compute devices known to a plugin: their memory and the speed of their copies.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/base/units.h"

struct TidelineDeviceApi;
struct TidelineLane;

namespace tideline::devices {

struct Device {
  std::uint32_t index = 0;
  std::string name;
  std::string pci_bus_id;
  Bytes total_bytes = 0;
  Bytes free_bytes = 0;
};

/// Speeds of large copies in one direction.
struct DirectionSpeed {
  double pinned_bytes_per_s = 0;
  double pageable_bytes_per_s = 0;
  double both_bytes_per_s = 0;  ///< pinned, with concurrent copies in the other direction
  std::int64_t latency_ns = 0;  ///< of the smallest pinned copy
};

struct DeviceSpeeds {
  Bytes copied_bytes = 0;  ///< of one copy
  double memory_bytes_per_s = 0;
  DirectionSpeed to_host, to_device;
};

/// Copies between one device and pinned memory of the host, one after the other, in the background.
/// What the device does with its side of a copy must be done before. Errors: kUnsupported with the
/// driver's message. Thread: not shared, but for `finish`.
class CopyLane {
 public:
  CopyLane(const TidelineDeviceApi* api, TidelineLane* lane) : api_(api), lane_(lane) {}
  /// Waits for all copies.
  ~CopyLane();
  CopyLane(const CopyLane&) = delete;
  CopyLane& operator=(const CopyLane&) = delete;

  /// Memory of the host whose pages stay where they are, aligned to 4096 bytes.
  [[nodiscard]] Result<char*> pin(std::uint64_t bytes);
  void unpin(char* memory);
  /// Begins a copy and returns its ticket. Both sides must stay until it is finished.
  [[nodiscard]] Result<std::uint64_t> to_host(char* host, const void* device, std::uint64_t bytes);
  [[nodiscard]] Result<std::uint64_t> to_device(void* device, const char* host,
                                                std::uint64_t bytes);
  /// Waits for this copy and all before it. Thread: any.
  [[nodiscard]] Status finish(std::uint64_t ticket);

 private:
  const TidelineDeviceApi* api_;
  TidelineLane* lane_;
};

/// A loaded plugin, which stays loaded until the process exits. Thread: not shared.
class DevicePlugin {
 public:
  /// Loads tideline_cuda.so from $TIDELINE_PLUGINS, else from beside the program in a build tree,
  /// else from the installation. Errors: kNotFound when there is none; kUnsupported, with the
  /// loader's message, when it cannot be loaded (no driver) or has another major version.
  [[nodiscard]] static Result<DevicePlugin> find();
  /// Loads the plugin at `path`. Errors: kUnsupported as above.
  [[nodiscard]] static Result<DevicePlugin> load(const std::string& path);

  /// The devices of this machine. Errors: kUnsupported with the driver's message.
  [[nodiscard]] Result<std::vector<Device>> devices() const;
  /// Measures copies of device `index`. Takes about a second. Errors: as above; kCancelled.
  [[nodiscard]] Result<DeviceSpeeds> measure(std::uint32_t index, Progress& progress) const;
  /// Errors: kUnsupported for a plugin of an earlier version, or with the driver's message.
  [[nodiscard]] Result<std::unique_ptr<CopyLane>> open_lane(std::uint32_t index) const;

 private:
  explicit DevicePlugin(const TidelineDeviceApi* api) : api_(api) {}
  const TidelineDeviceApi* api_;
};

}  // namespace tideline::devices
