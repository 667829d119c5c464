// What backends in C++ have in common: tensors as values, checksums that a second thread computes,
// saves in the background. Header only, for plugins, because the library itself starts no threads.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/checkpoint/backend_plugin.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/memory_tensors.h"
#include "core/checkpoint/removed_files.h"
#include "core/checkpoint/string_tensor.h"

namespace tideline::checkpoint {

/// The tensors of a call, which must outlive them. One without a name is called by its position:
/// "tensor_00012". Errors: kUnsupported for tensors on a device, kInvalidArgument for one without
/// an address.
[[nodiscard]] inline Result<std::vector<MemoryTensor>> described(PluginBackend::Tensors tensors,
                                                                 const PluginCall& call) {
  std::vector<MemoryTensor> found;
  found.reserve(tensors.size());
  for (const TidelineTensor* tensor : tensors) {
    MemoryTensor& one = found.emplace_back();
    one.name = tensor->name == nullptr ? fmt::format("tensor_{:05}", found.size() - 1)
                                       : std::string(tensor->name, tensor->name_size);
    if (tensor->device_type != TIDELINE_DEVICE_HOST) {
      return fail(Code::kUnsupported, "tensor '{}' lies on a device; expected host memory",
                  one.name);
    }
    if (tensor->data == nullptr && tensor->bytes > 0) {
      return fail(Code::kInvalidArgument, "tensor '{}' has {} bytes, but no address", one.name,
                  tensor->bytes);
    }
    one.type = static_cast<DataType>(tensor->dtype);
    one.dims.assign(tensor->dims, tensor->dims + tensor->rank);
    one.data = static_cast<char*>(tensor->data);
    one.bytes = static_cast<std::size_t>(tensor->bytes);
    if (!call.streams()) continue;
    one.before_read = [&call, i = found.size() - 1] { return call.ready(i); };
    one.after_write = [&call, i = found.size() - 1] { return call.filled(i); };
  }
  return found;
}

/// Waits until all of them can be read, and forgets the call.
[[nodiscard]] inline Status settle(std::vector<MemoryTensor>& tensors) {
  for (MemoryTensor& tensor : tensors) {
    if (tensor.before_read) {
      TIDELINE_RETURN_IF_ERROR(tensor.before_read());
    }
    tensor.before_read = nullptr;
    tensor.after_write = nullptr;
  }
  return {};
}

/// Tells `visit` all tensors of a checkpoint.
inline void list_tensors(const Checkpoint& checkpoint, TidelineTensorVisitor visit, void* self) {
  for (const StoredTensor& stored : checkpoint.tensors) {
    TidelineTensor tensor{};
    tensor.struct_size = sizeof tensor;
    tensor.dtype = static_cast<std::uint32_t>(stored.type);
    tensor.name = stored.name.data();
    tensor.name_size = stored.name.size();
    tensor.dims = stored.dims.data();
    tensor.rank = static_cast<std::uint32_t>(stored.dims.size());
    tensor.device_type = TIDELINE_DEVICE_HOST;
    tensor.bytes = stored.strings ? encode_strings(*stored.strings).bytes.size()
                                  : static_cast<std::uint64_t>(stored.stored_bytes());
    if (visit(self, &tensor) != 0) return;
  }
}

/// Checksums that another thread computes from the first tensor on. `tensors` must outlive it.
class Checksums {
 public:
  explicit Checksums(const std::vector<MemoryTensor>& tensors)
      : sums_(tensors.size()), thread_([this, &tensors] {
          for (std::size_t i = 0; i < tensors.size() && !stopped_; ++i) {
            // Whoever writes the tensor says what went wrong.
            if (tensors[i].before_read && !tensors[i].before_read()) return;
            sums_[i] = crc_of(tensors[i]);
          }
        }) {}
  ~Checksums() {
    stopped_ = true;
    if (thread_.joinable()) thread_.join();
  }
  Checksums(const Checksums&) = delete;
  Checksums& operator=(const Checksums&) = delete;

  /// Waits for all of them.
  std::uint32_t of(std::size_t tensor) {
    if (thread_.joinable()) thread_.join();
    return sums_[tensor];
  }

 private:
  std::atomic<bool> stopped_ = false;
  std::vector<std::uint32_t> sums_;
  std::thread thread_;
};

/// Calls work(0) to work(count - 1) on this thread and others, at most one a processor; none is
/// begun after an error, of which the first is returned.
inline Status run_on_threads(std::size_t count, const std::function<Status(std::size_t)>& work) {
  constexpr std::size_t kMostThreads = 8;  // storage is not faster with more
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::optional<Error> first_error;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      Status status;
      try {
        status = work(i);
      } catch (const std::exception& problem) {
        status = fail(Code::kInternal, "{}", problem.what());
      }
      if (status) continue;
      const std::lock_guard lock(mutex);
      if (!first_error) first_error = status.error();
      next = count;
    }
  };
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < std::min({count, processors, kMostThreads}); ++i) {
    try {
      others.push_back(std::async(std::launch::async, run));
    } catch (const std::system_error&) {  // no thread to be had
      break;
    }
  }
  run();
  for (std::future<void>& other : others) other.wait();
  if (first_error) return tl::unexpected(*first_error);
  return {};
}

/// Memory that the host keeps as it is until it is released, or until this object is gone.
class KeptMemory {
 public:
  /// Precondition: call.can_retain().
  explicit KeptMemory(const PluginCall& call) : release_(call.release()), memory_(call.retain()) {}
  ~KeptMemory() { release(); }
  KeptMemory(const KeptMemory&) = delete;
  KeptMemory& operator=(const KeptMemory&) = delete;
  void release() {
    if (!std::exchange(is_released_, true)) release_(memory_);
  }

 private:
  void (*release_)(void*);
  void* memory_;
  bool is_released_ = false;
};

/// Closes them in a thread that nobody waits for: a process that was forked has no such thread.
inline void close_later(RemovedFiles files) {
  if (files.empty()) return;
  try {
    std::thread([closed = std::move(files)]() mutable { closed.clear(); }).detach();
  } catch (const std::system_error&) {  // no thread to be had: they are closed already
  }
}

/// One save at a time in a thread of its own; the next one waits for it. Its destructor waits, too.
class Background {
 public:
  Background() = default;
  ~Background() { finish(); }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  void start(std::function<Status()> work) {
    finish();
    running_ = std::async(std::launch::async, std::move(work));
  }
  /// Waits for the save that is running, and leaves its error to `wait`.
  void settle() { finish(); }
  /// The error of the first save that failed since the last call.
  Status wait() {
    finish();
    if (!first_error_) return {};
    return tl::unexpected(*std::exchange(first_error_, std::nullopt));
  }

 private:
  void finish() {
    if (!running_.valid()) return;
    try {
      const Status status = running_.get();
      if (!status) keep(status.error());
    } catch (const std::exception& problem) {
      keep({Code::kInternal, problem.what()});
    }
  }
  void keep(const Error& error) {
    if (!first_error_) first_error_ = error;
  }

  std::future<Status> running_;
  std::optional<Error> first_error_;
};

}  // namespace tideline::checkpoint
