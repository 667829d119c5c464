// Times copies between host and device on one CUDA device.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <functional>
#include <string>

namespace tideline::cuda {

/// A failed call of the driver: "cuMemAlloc: out of memory". Caught at the plugin's interface and
/// reported there as text.
struct DriverError {
  std::string message;
};

/// Throws DriverError unless `result` is success.
void check(CUresult result, const char* call);

/// Makes the device's primary context current for this thread during its lifetime. The context is
/// shared with other users in the process and is never reset.
class Context {
 public:
  explicit Context(CUdevice device);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

 private:
  CUdevice device_;
};

/// Owns buffers of `bytes` on the device (two) and on the host (two pinned, one pageable), streams
/// and events. Precondition: there is a Context. Results are seconds, the fastest of `repeats`.
/// Errors: every method throws DriverError. Thread: that of the Context.
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
  /// Concurrent copies in both directions, timed separately.
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
