// Compute devices known to a plugin: their memory and the speed of their copies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/base/units.h"

struct TidelineDeviceApi;

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

 private:
  explicit DevicePlugin(const TidelineDeviceApi* api) : api_(api) {}
  const TidelineDeviceApi* api_;
};

}  // namespace tideline::devices
