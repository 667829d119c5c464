// Writes a checkpoint backend in C++: a class with save and load, and one
// macro. Header only, for plugins; what crosses the border is backend_abi.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/backend_abi.h"

namespace tideline::checkpoint {

/// What goes with a call: the step (-1: unknown, or the latest), and memory
/// that may be kept.
class PluginCall {
 public:
  explicit PluginCall(const TidelineCall& call) : call_(call) {}
  [[nodiscard]] std::int64_t step() const { return call_.step; }
  /// Whether the host can keep the tensors' memory as it is after the call.
  [[nodiscard]] bool can_retain() const { return call_.retain != nullptr; }
  /// Keeps it until `release` is called with the result.
  [[nodiscard]] void* retain() const { return call_.retain(call_.self); }
  [[nodiscard]] auto release() const { return call_.release; }
  /// Whether tensors are still being copied from or to a device.
  [[nodiscard]] bool streams() const { return knows_streams() && call_.ready != nullptr; }
  /// Waits until tensor i can be read. Errors: kIo when it could not be copied.
  [[nodiscard]] Status ready(std::size_t i) const {
    if (!streams() || call_.ready(call_.self, i) == 0) return {};
    return fail(Code::kIo, "tensor {} could not be copied from its device", i);
  }
  /// Says that tensor i is whole. Errors: as above.
  [[nodiscard]] Status filled(std::size_t i) const {
    if (!knows_streams() || call_.filled == nullptr || call_.filled(call_.self, i) == 0) return {};
    return fail(Code::kIo, "tensor {} could not be copied to its device", i);
  }

 private:
  [[nodiscard]] bool knows_streams() const {
    return call_.struct_size >= offsetof(TidelineCall, filled) + sizeof(call_.filled);
  }

  const TidelineCall& call_;
};

/// A backend's object. A class gives what it says in its capabilities. It is
/// constructed by `static Result<std::unique_ptr<T>> open(const char* config)`.
/// Exceptions become errors.
class PluginBackend {
 public:
  using Tensors = std::span<const TidelineTensor* const>;

  PluginBackend() = default;
  PluginBackend(const PluginBackend&) = delete;
  PluginBackend& operator=(const PluginBackend&) = delete;
  virtual ~PluginBackend() = default;
  virtual Status save(Tensors /*tensors*/, const PluginCall& /*call*/, Progress& /*progress*/) {
    return fail(Code::kUnsupported, "cannot save");
  }
  virtual Status load(Tensors /*tensors*/, const PluginCall& /*call*/, Progress& /*progress*/) {
    return fail(Code::kUnsupported, "cannot load");
  }
  virtual Status list(TidelineTensorVisitor /*visit*/, void* /*self*/, const PluginCall& /*call*/) {
    return fail(Code::kUnsupported, "cannot list");
  }
  virtual Status wait(Progress& /*progress*/) { return {}; }
};

namespace plugin_detail {

class HostProgress final : public Progress {
 public:
  explicit HostProgress(const TidelineCall& call) : call_(call) {}
  bool report(std::string_view stage, std::int64_t done, std::int64_t total) override {
    return call_.go_on == nullptr ||
           call_.go_on(call_.self, std::string(stage).c_str(), static_cast<std::uint64_t>(done),
                       static_cast<std::uint64_t>(total)) == 0;
  }

 private:
  const TidelineCall& call_;
};

inline int code_of(Code code) {
  switch (code) {
    case Code::kInvalidArgument: return TIDELINE_CHECKPOINT_INVALID;
    case Code::kNotFound: return TIDELINE_CHECKPOINT_NOT_FOUND;
    case Code::kCorrupt: return TIDELINE_CHECKPOINT_CORRUPT;
    case Code::kUnsupported: return TIDELINE_CHECKPOINT_UNSUPPORTED;
    case Code::kIo: return TIDELINE_CHECKPOINT_IO;
    case Code::kCancelled: return TIDELINE_CHECKPOINT_CANCELLED;
    default: return TIDELINE_CHECKPOINT_INTERNAL;
  }
}

inline int told(const Error& error, char* message, std::size_t size) {
  if (message != nullptr && size > 0) std::snprintf(message, size, "%s", error.message.c_str());
  return code_of(error.code);
}

// Runs `work`, which returns a Status, and lets no exception out.
template <typename Work>
int guarded(char* message, std::size_t size, const Work& work) {
  try {
    const Status status = work();
    return status ? TIDELINE_CHECKPOINT_OK : told(status.error(), message, size);
  } catch (const std::exception& problem) {
    return told({Code::kInternal, problem.what()}, message, size);
  } catch (...) {
    return told({Code::kInternal, "an unknown exception"}, message, size);
  }
}

template <typename T>
int open(const char* config, void** object, char* message, std::size_t size) {
  return guarded(message, size, [&]() -> Status {
    TIDELINE_TRY(std::unique_ptr<T> made, T::open(config));
    *object = static_cast<PluginBackend*>(made.release());
    return {};
  });
}

inline void close(void* object) {
  try {
    delete static_cast<PluginBackend*>(object);
  } catch (...) {  // a destructor that throws has nobody to tell
    return;
  }
}

inline PluginBackend& object_of(void* object) {
  return *static_cast<PluginBackend*>(object);
}

inline int save(void* object, const TidelineTensor* const* tensors, std::uint64_t count,
                const TidelineCall* call) {
  return guarded(call->message, call->message_size, [&] {
    HostProgress progress(*call);
    return object_of(object).save({tensors, static_cast<std::size_t>(count)}, PluginCall(*call),
                                  progress);
  });
}

inline int load(void* object, const TidelineTensor* const* tensors, std::uint64_t count,
                const TidelineCall* call) {
  return guarded(call->message, call->message_size, [&] {
    HostProgress progress(*call);
    return object_of(object).load({tensors, static_cast<std::size_t>(count)}, PluginCall(*call),
                                  progress);
  });
}

inline int list(void* object, TidelineTensorVisitor visit, void* self, const TidelineCall* call) {
  return guarded(call->message, call->message_size,
                 [&] { return object_of(object).list(visit, self, PluginCall(*call)); });
}

inline int wait(void* object, const TidelineCall* call) {
  return guarded(call->message, call->message_size, [&] {
    HostProgress progress(*call);
    return object_of(object).wait(progress);
  });
}

}  // namespace plugin_detail

/// The table of the backend that class T is. The texts must live as long as the
/// process.
template <typename T>
[[nodiscard]] constexpr TidelineBackend backend_table(const char* name, const char* about,
                                                      std::uint32_t capabilities) {
  return {sizeof(TidelineBackend),
          capabilities,
          name,
          about,
          plugin_detail::open<T>,
          plugin_detail::close,
          plugin_detail::save,
          plugin_detail::load,
          plugin_detail::list,
          plugin_detail::wait};
}

}  // namespace tideline::checkpoint

/// At namespace scope, once in a plugin: exports the tables, each a
/// TidelineBackend with static storage.
#define TIDELINE_CHECKPOINT_PLUGIN(...)                                                         \
  extern "C" __attribute__((visibility("default"))) const TidelineCheckpointApi*                \
  tideline_checkpoint_api(const TidelineCheckpointHost* /*host*/, uint32_t host_abi_major) {    \
    static const TidelineBackend* const kTables[] = {__VA_ARGS__};                              \
    static const TidelineCheckpointApi kApi = {sizeof(TidelineCheckpointApi),                   \
                                               TIDELINE_CHECKPOINT_ABI_MAJOR,                   \
                                               sizeof kTables / sizeof kTables[0], 0, kTables}; \
    return host_abi_major == TIDELINE_CHECKPOINT_ABI_MAJOR ? &kApi : nullptr;                   \
  }
