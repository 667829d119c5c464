// The source interface of backends that were written for TMCI, over Tideline's C interface: such a
// plugin compiles unchanged and becomes one that Tideline loads. Header only; needs the headers of
// the TensorFlow whose library the plugin is linked to, and nothing else of Tideline than
// backend_abi.h.
//
// What differs from the original: an unknown or doubly registered name is an error instead of the
// end of the process, exceptions become errors, calls on one object are made one at a time, and
// tensors of strings, whose bytes are addresses, are refused.
#pragma once

#include <core/checkpoint/backend_abi.h>
#include <tensorflow/core/framework/tensor.h>
#include <tensorflow/core/public/version.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <iostream>  // plugins for TMCI print without including it
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace tmci {

/// What keeps tensors. A class of a plugin derives from it, has a constructor from `const char*`,
/// the configuration, and is registered with TMCI_REGISTER_BACKEND.
class Backend {
 public:
  virtual ~Backend() = default;
  /// Return 0 if all is well. The tensors are valid during the call; a copy of a tensor keeps its
  /// memory as it is.
  virtual int Save(const std::vector<std::reference_wrapper<const tensorflow::Tensor>>& tensors) = 0;
  /// Writes the memory of the tensors, in spite of `const`.
  virtual int Load(const std::vector<std::reference_wrapper<const tensorflow::Tensor>>& tensors) = 0;

  /// An object of a backend of this plugin. Throws std::invalid_argument if there is none.
  static std::unique_ptr<Backend> Create(const std::string& name, const std::string& config);
};

// Hidden, because the static variables of inline functions are otherwise shared by all plugins.
namespace detail __attribute__((visibility("hidden"))) {

using Tensors = std::vector<std::reference_wrapper<const tensorflow::Tensor>>;

struct Registered {
  TidelineBackend table;
  std::unique_ptr<Backend> (*make)(const char* config);
};

// A deque: pointers to its elements stay valid.
inline std::deque<Registered>& registered() {
  static std::deque<Registered> all;
  return all;
}

// The host's promise to keep memory as it is, for as long as a tensor refers to it.
class Kept {
 public:
  explicit Kept(const TidelineCall& call) : release_(call.release), memory_(call.retain(call.self)) {}
  ~Kept() { release_(memory_); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

 private:
  void (*release_)(void*);
  void* memory_;
};

// Memory of the host as a tensor's buffer.
class Buffer final : public tensorflow::TensorBuffer {
 public:
  Buffer(const TidelineTensor& tensor, std::shared_ptr<Kept> kept)
      : tensorflow::TensorBuffer(tensor.data),
        bytes_(static_cast<std::size_t>(tensor.bytes)),
        kept_(std::move(kept)) {}
  std::size_t size() const override { return bytes_; }
  tensorflow::TensorBuffer* root_buffer() override { return this; }
  void FillAllocationDescription(tensorflow::AllocationDescription*) const override {}
  bool OwnsMemory() const override { return false; }

 private:
  std::size_t bytes_;
  std::shared_ptr<Kept> kept_;
};

struct Failure {
  int code;
  std::string message;
};

inline bool is_native(const TidelineTensor& tensor) {
  static const std::string kNative = std::string("tensorflow::Tensor ") + TF_VERSION_STRING;
  if (tensor.native == nullptr || tensor.native_type == nullptr || kNative != tensor.native_type) {
    return false;
  }
  return static_cast<const tensorflow::Tensor*>(tensor.native)->tensor_data().data() == tensor.data;
}

inline void check(const TidelineTensor& tensor, std::uint64_t position) {
  const std::string which = "tensor " + std::to_string(position);
  if (tensor.device_type != TIDELINE_DEVICE_HOST) {
    throw Failure{TIDELINE_CHECKPOINT_UNSUPPORTED, which + " lies on a device; expected host memory"};
  }
  const int size = tensorflow::DataTypeSize(static_cast<tensorflow::DataType>(tensor.dtype));
  if (size == 0) {
    throw Failure{TIDELINE_CHECKPOINT_UNSUPPORTED,
                  which + " has the type number " + std::to_string(tensor.dtype) + "; expected numbers"};
  }
  std::uint64_t bytes = static_cast<std::uint64_t>(size);
  bool fits = tensor.rank <= 254;
  for (std::uint32_t i = 0; fits && i < tensor.rank; ++i) {
    fits = tensor.dims[i] >= 0 && !__builtin_mul_overflow(
                                      bytes, static_cast<std::uint64_t>(tensor.dims[i]), &bytes);
  }
  if (!fits || bytes != tensor.bytes) {
    throw Failure{TIDELINE_CHECKPOINT_INVALID,
                  which + " does not have the bytes of its type and shape"};
  }
}

inline tensorflow::Tensor wrapped(const TidelineTensor& tensor, const std::shared_ptr<Kept>& kept) {
  tensorflow::TensorShape shape;
  for (std::uint32_t i = 0; i < tensor.rank; ++i) shape.AddDim(tensor.dims[i]);
  auto* buffer = new Buffer(tensor, kept);
  tensorflow::Tensor made(static_cast<tensorflow::DataType>(tensor.dtype), shape, buffer);
  buffer->Unref();  // the tensor has its own reference
  return made;
}

// Calls `method` with the host's tensors, or with tensors over the same memory.
inline void call_with(int (Backend::*method)(const Tensors&), const char* name, void* object,
                      const TidelineTensor* const* tensors, std::uint64_t count,
                      const TidelineCall& call) {
  std::deque<tensorflow::Tensor> made;
  Tensors passed;
  {
    std::shared_ptr<Kept> kept;
    for (std::uint64_t i = 0; i < count; ++i) {
      check(*tensors[i], i);
      if (is_native(*tensors[i])) {
        passed.push_back(*static_cast<const tensorflow::Tensor*>(tensors[i]->native));
        continue;
      }
      if (kept == nullptr && call.retain != nullptr) kept = std::make_shared<Kept>(call);
      made.push_back(wrapped(*tensors[i], kept));
      passed.push_back(made.back());
    }
  }
  const int code = (static_cast<Backend*>(object)->*method)(passed);
  if (code == 0) return;
  throw Failure{TIDELINE_CHECKPOINT_INTERNAL, std::string(name) + " returned " + std::to_string(code)};
}

template <typename Work>
int guarded(char* message, std::size_t size, const Work& work) {
  Failure failure{TIDELINE_CHECKPOINT_INTERNAL, "an unknown exception"};
  try {
    work();
    return TIDELINE_CHECKPOINT_OK;
  } catch (const Failure& failed) {
    failure = failed;
  } catch (const std::exception& problem) {
    failure.message = problem.what();
  } catch (...) {
  }
  if (message != nullptr && size > 0) std::snprintf(message, size, "%s", failure.message.c_str());
  return failure.code;
}

inline void close(void* object) {
  guarded(nullptr, 0, [&] { delete static_cast<Backend*>(object); });
}

inline int save(void* object, const TidelineTensor* const* tensors, std::uint64_t count,
                const TidelineCall* call) {
  return guarded(call->message, call->message_size,
                 [&] { call_with(&Backend::Save, "Save", object, tensors, count, *call); });
}

inline int load(void* object, const TidelineTensor* const* tensors, std::uint64_t count,
                const TidelineCall* call) {
  return guarded(call->message, call->message_size,
                 [&] { call_with(&Backend::Load, "Load", object, tensors, count, *call); });
}

inline const TidelineCheckpointApi* api() {
  static const std::vector<const TidelineBackend*> tables = [] {
    std::vector<const TidelineBackend*> found;
    for (const Registered& each : registered()) found.push_back(&each.table);
    return found;
  }();
  static const TidelineCheckpointApi made = {sizeof(TidelineCheckpointApi),
                                             TIDELINE_CHECKPOINT_ABI_MAJOR,
                                             static_cast<std::uint32_t>(tables.size()), 0,
                                             tables.data()};
  return &made;
}

}  // namespace detail

inline std::unique_ptr<Backend> Backend::Create(const std::string& name, const std::string& config) {
  for (const detail::Registered& each : detail::registered()) {
    if (name == each.table.name) return each.make(config.c_str());
  }
  throw std::invalid_argument("TMCI backend \"" + name + "\" not found");
}

/// Registers class T. A name that the plugin registers twice is refused when it is loaded.
template <typename T>
class BackendRegistry {
 public:
  explicit BackendRegistry(const char* name) {
    TidelineBackend table{};
    table.struct_size = sizeof table;
    table.capabilities = TIDELINE_CHECKPOINT_SAVES | TIDELINE_CHECKPOINT_LOADS;
    table.name = name;
    table.about = "Written for TMCI.";
    table.open = open;
    table.close = detail::close;
    table.save = detail::save;
    table.load = detail::load;
    detail::registered().push_back({table, make});
  }

 private:
  static std::unique_ptr<Backend> make(const char* config) { return std::make_unique<T>(config); }
  static int open(const char* config, void** object, char* message, std::size_t size) {
    return detail::guarded(message, size, [&] { *object = make(config).release(); });
  }
};

}  // namespace tmci

/// At namespace scope: the backend `name`, without quotation marks, is the class that follows.
#define TMCI_REGISTER_BACKEND(name, ...) \
  static const ::tmci::BackendRegistry<__VA_ARGS__> tmci_registered_##name(#name);

/// Found by the host.
extern "C" __attribute__((visibility("default"), used)) inline const TidelineCheckpointApi*
tideline_checkpoint_api(const TidelineCheckpointHost* /*host*/, uint32_t host_abi_major) {
  return host_abi_major == TIDELINE_CHECKPOINT_ABI_MAJOR ? ::tmci::detail::api() : nullptr;
}
