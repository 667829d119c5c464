// Copies between a CUDA device and pinned memory, in the background.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "copy_timer.h"

namespace tideline::cuda {

/// A stream of its own, and an event behind each copy. The device's primary context, which is
/// shared with other users in the process, is held until the lane is gone. Errors: every method
/// throws DriverError. Thread: not shared, but for `finish`.
class CopyLane {
 public:
  explicit CopyLane(CUdevice device);
  ~CopyLane();
  CopyLane(const CopyLane&) = delete;
  CopyLane& operator=(const CopyLane&) = delete;

  [[nodiscard]] void* pin(std::size_t bytes);
  void unpin(void* memory);
  /// Return the ticket of the copy, from 1 on.
  std::uint64_t to_host(void* host, CUdeviceptr device, std::size_t bytes);
  std::uint64_t to_device(CUdeviceptr device, const void* host, std::size_t bytes);
  void finish(std::uint64_t ticket);

 private:
  std::uint64_t mark();

  CUdevice device_;
  CUcontext context_ = nullptr;
  CUstream stream_ = nullptr;
  std::mutex mutex_;             // of what follows
  std::vector<CUevent> events_;  // of the copies from `before_` on; used again when all are done
  std::uint64_t before_ = 0, begun_ = 0, done_ = 0;
};

}  // namespace tideline::cuda
