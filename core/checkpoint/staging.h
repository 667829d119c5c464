// Tensors on a device go through pinned memory of the host on their way to and from a backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/checkpoint/backend_abi.h"
#include "core/devices/device_plugin.h"

namespace tideline::checkpoint {

/// Pinned memory, with the lane that copies to and from it.
struct PinnedArea {
  PinnedArea(std::uint32_t of_device, std::unique_ptr<devices::CopyLane> its_lane, char* its_memory,
             std::size_t its_bytes)
      : device(of_device), lane(std::move(its_lane)), memory(its_memory), bytes(its_bytes) {}
  ~PinnedArea() { lane->unpin(memory); }
  PinnedArea(const PinnedArea&) = delete;
  PinnedArea& operator=(const PinnedArea&) = delete;

  std::uint32_t device;
  std::unique_ptr<devices::CopyLane> lane;
  char* memory;
  std::size_t bytes;
};

/// Areas that are used again, because to pin memory takes longer than to copy it. Thread: any.
class PinnedAreas {
 public:
  /// One of at least `bytes` that nobody else holds. Smaller ones of the device that nobody holds
  /// are given back before. Errors: those of devices::DevicePlugin.
  [[nodiscard]] Result<std::shared_ptr<PinnedArea>> take(std::uint32_t device, std::size_t bytes);

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<PinnedArea>> areas_;
};

[[nodiscard]] bool is_on_device(const TidelineTensor& tensor);

/// The tensors of one call. Waits in its destructor for all copies that it began. Thread: `ready`
/// and `filled` any.
class Staging {
 public:
  /// Pins as much memory as the tensors on devices have bytes. Errors: those of PinnedAreas;
  /// kInvalidArgument for a tensor without an address.
  [[nodiscard]] static Result<std::shared_ptr<Staging>> create(
      const std::vector<TidelineTensor>& tensors, PinnedAreas& areas);
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// The same tensors, all of them in memory of the host.
  [[nodiscard]] const std::vector<TidelineTensor>& on_host() const { return on_host_; }
  [[nodiscard]] bool are_all_staged() const;
  /// Begins to copy all tensors from their devices, in their order.
  [[nodiscard]] Status begin_to_host();
  /// Waits until tensor i is on the host.
  [[nodiscard]] Status ready(std::size_t i);
  /// Begins to copy tensor i to its device.
  [[nodiscard]] Status filled(std::size_t i);
  /// The same for all that were not yet. Precondition: all are whole.
  [[nodiscard]] Status fill_rest();
  /// Waits for all copies. Errors: the first of a copy.
  [[nodiscard]] Status finish();

 private:
  // A tensor on a device; `ticket` is 0 before its copy is begun.
  struct Staged {
    PinnedArea* area = nullptr;
    void* device = nullptr;
    std::uint64_t ticket = 0;
  };

  Staging() = default;
  [[nodiscard]] Status kept(Status status);

  std::vector<std::shared_ptr<PinnedArea>> areas_;
  std::vector<TidelineTensor> on_host_;
  std::vector<Staged> staged_;
  std::mutex mutex_;
  std::optional<Error> first_error_;
};

}  // namespace tideline::checkpoint
