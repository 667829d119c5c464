// A libcuda.so.1 of our own: devices and speeds that a test chose, no hardware.
//
// FAKE_CUDA_DEVICES: how many (default 1). FAKE_CUDA_FAIL=NAME: the call of this name fails.
// Streams have clocks of their own; a copy moves the clock of its stream by latency and bytes over
// speed; events read it. Copies from pageable memory really wait, for those are timed by the clock
// on the wall. Directions do not slow each other down, so that
// figures can be predicted.
// FAKE_CUDA_MEMORY: devices have memory, and copies are made: those of a stream when somebody waits
// for an event or the stream, and not before.
#include <cuda.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr double kLatency = 8e-6;
constexpr double kToHost = 20e9, kToDevice = 25e9, kInside = 1000e9, kPageable = 4e9;

bool has_memory() {
  return std::getenv("FAKE_CUDA_MEMORY") != nullptr;
}

struct Stream {
  double now = 0;
  std::mutex mutex;
  std::vector<std::function<void()>> waiting;  // copies, in order

  void copy_all() {
    const std::lock_guard lock(mutex);
    for (const auto& copy : waiting) copy();
    waiting.clear();
  }
};
struct Event {
  double at = 0;
  Stream* stream = nullptr;
};

// A copy is made later, and never in an order of its own.
void copy_later(CUstream stream, void* to, const void* from, std::size_t bytes) {
  if (!has_memory()) return;
  auto* made = reinterpret_cast<Stream*>(stream);
  const std::lock_guard lock(made->mutex);
  made->waiting.emplace_back([=] { std::memcpy(to, from, bytes); });
}

// What was made and not destroyed; said at the end when a test asks.
struct Ledger {
  std::set<const void*> alive;
  int contexts = 0;
  ~Ledger() {
    const char* file = std::getenv("FAKE_CUDA_LEDGER");
    if (file == nullptr) return;
    if (FILE* out = std::fopen(file, "w")) {
      std::fprintf(out, "%zu %d\n", alive.size(), contexts);
      std::fclose(out);
    }
  }
};

Ledger& ledger() {
  static Ledger only;
  return only;
}

CUresult answer(const char* name) {
  const char* failing = std::getenv("FAKE_CUDA_FAIL");
  return failing != nullptr && std::strcmp(failing, name) == 0 ? CUDA_ERROR_OUT_OF_MEMORY
                                                               : CUDA_SUCCESS;
}

template <typename T>
T* keep(T* thing) {
  ledger().alive.insert(thing);
  return thing;
}

template <typename T>
void drop(T* thing) {
  ledger().alive.erase(thing);
}

void take(CUstream stream, double seconds) {
  reinterpret_cast<Stream*>(stream)->now += seconds;
}

CUresult wait(const char* name, std::size_t bytes) {
  std::this_thread::sleep_for(
      std::chrono::duration<double>(static_cast<double>(bytes) / kPageable));
  return answer(name);
}

}  // namespace

#undef cuEventElapsedTime
extern "C" {

CUresult CUDAAPI cuInit(unsigned int) {
  return answer("cuInit");
}

CUresult CUDAAPI cuGetErrorString(CUresult error, const char** text) {
  *text = error == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "no error";
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetCount(int* count) {
  const char* devices = std::getenv("FAKE_CUDA_DEVICES");
  *count = devices == nullptr ? 1 : std::atoi(devices);
  return answer("cuDeviceGetCount");
}

CUresult CUDAAPI cuDeviceGet(CUdevice* device, int ordinal) {
  *device = ordinal;
  return answer("cuDeviceGet");
}

CUresult CUDAAPI cuDeviceGetName(char* name, int length, CUdevice device) {
  std::snprintf(name, static_cast<std::size_t>(length), "Imaginary %d", device);
  return answer("cuDeviceGetName");
}

CUresult CUDAAPI cuDeviceGetPCIBusId(char* id, int length, CUdevice device) {
  std::snprintf(id, static_cast<std::size_t>(length), "0000:0%d:00.0", device + 1);
  return answer("cuDeviceGetPCIBusId");
}

CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  static int only = 0;
  *context = reinterpret_cast<CUcontext>(&only);
  const CUresult result = answer("cuDevicePrimaryCtxRetain");
  if (result == CUDA_SUCCESS) ++ledger().contexts;
  return result;
}

CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice) {
  --ledger().contexts;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxPushCurrent(CUcontext) {
  return answer("cuCtxPushCurrent");
}
CUresult CUDAAPI cuCtxPopCurrent(CUcontext*) {
  return CUDA_SUCCESS;
}
CUresult CUDAAPI cuCtxSynchronize() {
  return answer("cuCtxSynchronize");
}

CUresult CUDAAPI cuMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  *free_bytes = std::size_t{6} << 30U;
  *total_bytes = std::size_t{8} << 30U;
  return answer("cuMemGetInfo");
}

CUresult CUDAAPI cuMemAlloc(CUdeviceptr* pointer, std::size_t bytes) {
  const CUresult result = answer("cuMemAlloc");
  if (result != CUDA_SUCCESS) return result;
  *pointer = reinterpret_cast<CUdeviceptr>(keep(new char[has_memory() ? bytes : 1]));
  return result;
}

CUresult CUDAAPI cuMemFree(CUdeviceptr pointer) {
  auto* block = reinterpret_cast<char*>(pointer);
  drop(block);
  delete[] block;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned int) {
  const CUresult result = answer("cuMemHostAlloc");
  if (result == CUDA_SUCCESS) *pointer = keep(std::malloc(bytes));
  return result;
}

CUresult CUDAAPI cuMemFreeHost(void* pointer) {
  drop(pointer);
  std::free(pointer);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamCreate(CUstream* stream, unsigned int) {
  const CUresult result = answer("cuStreamCreate");
  if (result == CUDA_SUCCESS) *stream = reinterpret_cast<CUstream>(keep(new Stream));
  return result;
}

CUresult CUDAAPI cuStreamDestroy(CUstream stream) {
  auto* made = reinterpret_cast<Stream*>(stream);
  drop(made);
  delete made;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamSynchronize(CUstream stream) {
  reinterpret_cast<Stream*>(stream)->copy_all();
  return answer("cuStreamSynchronize");
}

CUresult CUDAAPI cuEventSynchronize(CUevent event) {
  reinterpret_cast<Event*>(event)->stream->copy_all();
  return answer("cuEventSynchronize");
}

CUresult CUDAAPI cuEventCreate(CUevent* event, unsigned int) {
  const CUresult result = answer("cuEventCreate");
  if (result == CUDA_SUCCESS) *event = reinterpret_cast<CUevent>(keep(new Event));
  return result;
}

CUresult CUDAAPI cuEventDestroy(CUevent event) {
  auto* made = reinterpret_cast<Event*>(event);
  drop(made);
  delete made;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuEventRecord(CUevent event, CUstream stream) {
  *reinterpret_cast<Event*>(event) = {reinterpret_cast<Stream*>(stream)->now,
                                      reinterpret_cast<Stream*>(stream)};
  return answer("cuEventRecord");
}

CUresult CUDAAPI cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  const double seconds = reinterpret_cast<Event*>(end)->at - reinterpret_cast<Event*>(start)->at;
  *milliseconds = static_cast<float>(seconds * 1e3);
  return answer("cuEventElapsedTime");
}

CUresult CUDAAPI cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  copy_later(stream, to, reinterpret_cast<const void*>(from), bytes);
  take(stream, kLatency + static_cast<double>(bytes) / kToHost);
  return answer("cuMemcpyDtoHAsync");
}

CUresult CUDAAPI cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes,
                                   CUstream stream) {
  copy_later(stream, reinterpret_cast<void*>(to), from, bytes);
  take(stream, kLatency + static_cast<double>(bytes) / kToDevice);
  return answer("cuMemcpyHtoDAsync");
}

CUresult CUDAAPI cuMemcpyDtoDAsync(CUdeviceptr, CUdeviceptr, std::size_t bytes, CUstream stream) {
  take(stream, static_cast<double>(bytes) * 2 / kInside);
  return answer("cuMemcpyDtoDAsync");
}

CUresult CUDAAPI cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  if (has_memory()) std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return wait("cuMemcpyDtoH", bytes);
}

CUresult CUDAAPI cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  if (has_memory()) std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return wait("cuMemcpyHtoD", bytes);
}

}  // extern "C"
