// One stream for the copies of a lane, and an event behind each, so that whoever needs a tensor
// waits for its copy alone while the next ones go on. Source: CUDA driver API documentation,
// sections "Event Management" and "Memory Management". Tested by
// tests/integration/device_tensors_test.py against a simulated driver, and against a real one where
// there is a device.
#include "copy_lane.h"

namespace tideline::cuda {
namespace {

// Makes a context current for this thread during its lifetime.
class Current {
 public:
  explicit Current(CUcontext context) { check(cuCtxPushCurrent(context), "cuCtxPushCurrent"); }
  ~Current() {
    CUcontext popped = nullptr;
    cuCtxPopCurrent(&popped);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;
};

}  // namespace

CopyLane::CopyLane(CUdevice device) : device_(device) {
  check(cuDevicePrimaryCtxRetain(&context_, device), "cuDevicePrimaryCtxRetain");
  try {
    const Current current(context_);
    check(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  } catch (...) {
    cuDevicePrimaryCtxRelease(device_);
    throw;
  }
}

CopyLane::~CopyLane() {
  if (cuCtxPushCurrent(context_) == CUDA_SUCCESS) {
    cuStreamSynchronize(stream_);
    for (CUevent event : events_) cuEventDestroy(event);
    cuStreamDestroy(stream_);
    CUcontext popped = nullptr;
    cuCtxPopCurrent(&popped);
  }
  cuDevicePrimaryCtxRelease(device_);
}

void* CopyLane::pin(std::size_t bytes) {
  const Current current(context_);
  void* memory = nullptr;
  check(cuMemHostAlloc(&memory, bytes, CU_MEMHOSTALLOC_PORTABLE), "cuMemHostAlloc");
  return memory;
}

void CopyLane::unpin(void* memory) {
  if (cuCtxPushCurrent(context_) != CUDA_SUCCESS) return;
  cuMemFreeHost(memory);
  CUcontext popped = nullptr;
  cuCtxPopCurrent(&popped);
}

std::uint64_t CopyLane::to_host(void* host, CUdeviceptr device, std::size_t bytes) {
  const Current current(context_);
  check(cuMemcpyDtoHAsync(host, device, bytes, stream_), "cuMemcpyDtoHAsync");
  return mark();
}

std::uint64_t CopyLane::to_device(CUdeviceptr device, const void* host, std::size_t bytes) {
  const Current current(context_);
  check(cuMemcpyHtoDAsync(device, host, bytes, stream_), "cuMemcpyHtoDAsync");
  return mark();
}

std::uint64_t CopyLane::mark() {
  const std::lock_guard lock(mutex_);
  if (done_ == begun_) before_ = begun_;
  const auto next = static_cast<std::size_t>(begun_ - before_);
  if (next == events_.size()) {
    CUevent event = nullptr;
    check(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
    events_.push_back(event);
  }
  check(cuEventRecord(events_[next], stream_), "cuEventRecord");
  return ++begun_;
}

void CopyLane::finish(std::uint64_t ticket) {
  CUevent event = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (ticket <= done_) return;
    if (ticket > begun_) throw DriverError{"a copy of this number was never begun"};
    event = events_[static_cast<std::size_t>(ticket - before_ - 1)];
  }
  const Current current(context_);
  check(cuEventSynchronize(event), "cuEventSynchronize");
  const std::lock_guard lock(mutex_);
  if (ticket > done_) done_ = ticket;
}

}  // namespace tideline::cuda
