// Times copies between host and device on one CUDA device.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <functional>
#include <string>

namespace tideline::cuda {

/// A failed call of the driver, for a person: "cuMemAlloc: out of memory". Leaves this plugin as
/// text only.
struct DriverError {
  std::string message;
};

/// Throws DriverError unless `result` is success.
void check(CUresult result, const char* call);

/// The device's primary context, current for this thread as long as this lives. It is shared with
/// whoever else uses it in the process; nothing of it is reset.
class Context {
 public:
  explicit Context(CUdevice device);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

 private:
  CUdevice device_;
};

/// Buffers of `bytes` on the device (two) and on the host (two pinned, one pageable), streams and
/// events. Precondition: a Context lives. Times are seconds, the best of `repeats`.
class CopyTimer {
 public:
  CopyTimer(std::uint64_t bytes, std::uint32_t repeats);
  ~CopyTimer();
  CopyTimer(const CopyTimer&) = delete;
  CopyTimer& operator=(const CopyTimer&) = delete;

  [[nodiscard]] double pinned_to_host(std::uint64_t bytes);
  [[nodiscard]] double pinned_to_device(std::uint64_t bytes);
  [[nodiscard]] double pageable_to_host(std::uint64_t bytes);
  [[nodiscard]] double pageable_to_device(std::uint64_t bytes);
  [[nodiscard]] double inside_device(std::uint64_t bytes);
  /// Both directions at once, each for itself.
  struct Both {
    double to_host = 0, to_device = 0;
  };
  [[nodiscard]] Both both(std::uint64_t bytes);

 private:
  // One stream with the events before and after what is timed.
  struct Lane {
    CUstream stream = nullptr;
    CUevent before = nullptr, after = nullptr;
    void make();
    void destroy();
    [[nodiscard]] double elapsed_s() const;
  };
  [[nodiscard]] double best_on_stream(const std::function<void(CUstream)>& copy);
  [[nodiscard]] double best_by_clock(const std::function<void()>& copy) const;
  void destroy();

  std::uint32_t repeats_;
  Lane lane_, other_;
  CUdeviceptr device_ = 0, other_device_ = 0;
  void* pinned_ = nullptr;
  void* other_pinned_ = nullptr;
  std::string pageable_;
};

}  // namespace tideline::cuda
