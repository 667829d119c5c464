// Devices that a plugin knows: which there are, their memory, and how fast they copy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/base/units.h"

struct TidelineDeviceApi;

namespace tideline::runtime {

struct Device {
  std::uint32_t index = 0;
  std::string name;
  std::string pci_bus_id;
  Bytes total_bytes = 0;
  Bytes free_bytes = 0;
};

/// Bytes a second of large copies.
struct DirectionSpeed {
  double pinned_bytes_per_s = 0;
  double pageable_bytes_per_s = 0;
  double both_bytes_per_s = 0;  ///< pinned, while the other direction copies too
  std::int64_t latency_ns = 0;  ///< of the smallest pinned copy
};

struct DeviceSpeeds {
  Bytes copied_bytes = 0;  ///< of one copy
  double memory_bytes_per_s = 0;
  DirectionSpeed to_host, to_device;
};

/// A loaded plugin; stays loaded until the process ends. Thread: one at a time.
class DevicePlugin {
 public:
  /// Looks for tideline_cuda.so in $TIDELINE_PLUGINS, beside the program as it is built, and where
  /// it is installed. Errors: kNotFound when there is none; kUnsupported, with the loader's words,
  /// when it cannot be loaded (no driver) or speaks another version.
  [[nodiscard]] static Result<DevicePlugin> find();
  [[nodiscard]] static Result<DevicePlugin> load(const std::string& path);

  /// Errors: kUnsupported in the driver's words.
  [[nodiscard]] Result<std::vector<Device>> devices() const;
  /// Takes about a second. Errors: as above; kCancelled.
  [[nodiscard]] Result<DeviceSpeeds> measure(std::uint32_t index, Progress& progress) const;

 private:
  explicit DevicePlugin(const TidelineDeviceApi* api) : api_(api) {}
  const TidelineDeviceApi* api_;
};

}  // namespace tideline::runtime
