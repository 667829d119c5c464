// Times copies with CUDA events.
//
// Problem: the bandwidth from pinned and from pageable memory in each direction, alone and with
// concurrent copies. Idea: an event before and one after the copy on its own stream, so that the
// host's scheduling does not count; the fastest of a few runs, because disturbances only make a
// copy slower. Copies from pageable memory go through the driver's staging on the calling thread,
// so there the host's clock is used. The first run of each kind is a warm-up and not counted.
// Source: CUDA driver API documentation, sections "Event Management" and "Memory Management".
// Tested by tests/integration/probe_test.py against a simulated driver.
#include "copy_timer.h"

#include <algorithm>
#include <chrono>
#include <limits>

// Newer toolkits rename this call to a version that drivers before 12.8 do not have; the older one
// does the same.
#undef cuEventElapsedTime
extern "C" CUresult CUDAAPI cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end);

namespace tideline::cuda {

void check(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  const char* text = nullptr;
  if (cuGetErrorString(result, &text) != CUDA_SUCCESS || text == nullptr) text = "unknown error";
  throw DriverError{std::string(call) + ": " + text + " (" + std::to_string(result) + ")"};
}

Context::Context(CUdevice device) : device_(device) {
  CUcontext context = nullptr;
  check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  if (const CUresult result = cuCtxPushCurrent(context); result != CUDA_SUCCESS) {
    cuDevicePrimaryCtxRelease(device_);
    check(result, "cuCtxPushCurrent");
  }
}

Context::~Context() {
  CUcontext popped = nullptr;
  cuCtxPopCurrent(&popped);
  cuDevicePrimaryCtxRelease(device_);
}

void CopyTimer::Lane::make() {
  check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  check(cuEventCreate(&before, CU_EVENT_DEFAULT), "cuEventCreate");
  check(cuEventCreate(&after, CU_EVENT_DEFAULT), "cuEventCreate");
}

void CopyTimer::Lane::destroy() {
  if (after != nullptr) cuEventDestroy(after);
  if (before != nullptr) cuEventDestroy(before);
  if (stream != nullptr) cuStreamDestroy(stream);
}

double CopyTimer::Lane::elapsed_s() const {
  float milliseconds = 0;
  check(cuEventElapsedTime(&milliseconds, before, after), "cuEventElapsedTime");
  return static_cast<double>(milliseconds) / 1e3;
}

CopyTimer::CopyTimer(std::uint64_t bytes, std::uint32_t repeats)
    : repeats_(std::max(repeats, 1U)), pageable_(bytes, '\1') {
  try {
    lane_.make();
    other_.make();
    check(cuMemAlloc(&device_, bytes), "cuMemAlloc");
    check(cuMemAlloc(&other_device_, bytes), "cuMemAlloc");
    check(cuMemHostAlloc(&pinned_, bytes, CU_MEMHOSTALLOC_PORTABLE), "cuMemHostAlloc");
    check(cuMemHostAlloc(&other_pinned_, bytes, CU_MEMHOSTALLOC_PORTABLE), "cuMemHostAlloc");
    // Untouched pages would be made while the copy is timed.
    std::fill_n(static_cast<char*>(pinned_), bytes, '\1');
    std::fill_n(static_cast<char*>(other_pinned_), bytes, '\1');
  } catch (...) {
    destroy();
    throw;
  }
}

CopyTimer::~CopyTimer() {
  destroy();
}

void CopyTimer::destroy() {
  if (other_pinned_ != nullptr) cuMemFreeHost(other_pinned_);
  if (pinned_ != nullptr) cuMemFreeHost(pinned_);
  if (other_device_ != 0) cuMemFree(other_device_);
  if (device_ != 0) cuMemFree(device_);
  other_.destroy();
  lane_.destroy();
}

double CopyTimer::best_on_stream(const std::function<void(CUstream)>& copy) {
  double best = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i <= repeats_; ++i) {
    check(cuEventRecord(lane_.before, lane_.stream), "cuEventRecord");
    copy(lane_.stream);
    check(cuEventRecord(lane_.after, lane_.stream), "cuEventRecord");
    check(cuStreamSynchronize(lane_.stream), "cuStreamSynchronize");
    if (i > 0) best = std::min(best, lane_.elapsed_s());
  }
  return best;
}

double CopyTimer::best_by_clock(const std::function<void()>& copy) const {
  double best = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i <= repeats_; ++i) {
    const auto start = std::chrono::steady_clock::now();
    copy();
    check(cuCtxSynchronize(), "cuCtxSynchronize");
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (i > 0) best = std::min(best, elapsed.count());
  }
  return best;
}

double CopyTimer::pinned_to_host(std::uint64_t bytes) {
  return best_on_stream([&](CUstream stream) {
    check(cuMemcpyDtoHAsync(pinned_, device_, bytes, stream), "cuMemcpyDtoHAsync");
  });
}

double CopyTimer::pinned_to_device(std::uint64_t bytes) {
  return best_on_stream([&](CUstream stream) {
    check(cuMemcpyHtoDAsync(device_, pinned_, bytes, stream), "cuMemcpyHtoDAsync");
  });
}

double CopyTimer::pageable_to_host(std::uint64_t bytes) {
  return best_by_clock(
      [&] { check(cuMemcpyDtoH(pageable_.data(), device_, bytes), "cuMemcpyDtoH"); });
}

double CopyTimer::pageable_to_device(std::uint64_t bytes) {
  return best_by_clock(
      [&] { check(cuMemcpyHtoD(device_, pageable_.data(), bytes), "cuMemcpyHtoD"); });
}

double CopyTimer::inside_device(std::uint64_t bytes) {
  return best_on_stream([&](CUstream stream) {
    check(cuMemcpyDtoDAsync(other_device_, device_, bytes, stream), "cuMemcpyDtoDAsync");
  });
}

CopyTimer::Both CopyTimer::both(std::uint64_t bytes) {
  // Several copies in a row, so that start and end, where only one direction runs, weigh little.
  constexpr int kInARow = 4;
  constexpr double kNever = std::numeric_limits<double>::infinity();
  Both best{kNever, kNever};
  for (std::uint32_t i = 0; i <= repeats_; ++i) {
    check(cuEventRecord(lane_.before, lane_.stream), "cuEventRecord");
    check(cuEventRecord(other_.before, other_.stream), "cuEventRecord");
    for (int copy = 0; copy < kInARow; ++copy) {
      check(cuMemcpyDtoHAsync(pinned_, device_, bytes, lane_.stream), "cuMemcpyDtoHAsync");
      check(cuMemcpyHtoDAsync(other_device_, other_pinned_, bytes, other_.stream),
            "cuMemcpyHtoDAsync");
    }
    check(cuEventRecord(lane_.after, lane_.stream), "cuEventRecord");
    check(cuEventRecord(other_.after, other_.stream), "cuEventRecord");
    check(cuStreamSynchronize(lane_.stream), "cuStreamSynchronize");
    check(cuStreamSynchronize(other_.stream), "cuStreamSynchronize");
    if (i == 0) continue;
    best.to_host = std::min(best.to_host, lane_.elapsed_s() / kInARow);
    best.to_device = std::min(best.to_device, other_.elapsed_s() / kInARow);
  }
  return best;
}

}  // namespace tideline::cuda
