// What the ops need of backends, without TensorFlow's headers and with plain types alone: the ops
// are compiled as TensorFlow demands it, the other side as Tideline is.
//
// Objects of backends are shared by all ops, functions and sessions of the process, by name and
// configuration. The last ones that were used stay open, so that a training that saves again and
// again opens its backend once, and one that changes the configuration with every step does not
// collect objects. No exception leaves a function. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/checkpoint/backend_abi.h"

namespace tideline::tmci {

/// How a call ended: a TidelineCheckpointCode, and a text for the user unless that is OK.
struct Reply {
  int code = TIDELINE_CHECKPOINT_OK;
  char text[1024] = {};
};

struct Target {
  const char* backend;
  const char* config;
};

/// What an op brings to a call; the functions may be null.
struct Caller {
  std::int64_t step = -1;
  void* self = nullptr;
  bool (*is_cancelled)(void* self) = nullptr;
  void* (*retain)(void* self) = nullptr;  ///< as in TidelineCall
  void (*release)(void* retained) = nullptr;
};

[[nodiscard]] Reply save(const Target& target, const TidelineTensor* tensors, std::size_t count,
                         const Caller& caller) noexcept;
[[nodiscard]] Reply load(const Target& target, const TidelineTensor* tensors, std::size_t count,
                         const Caller& caller) noexcept;
/// `visit` is called for every tensor; what it gets is valid during the call.
[[nodiscard]] Reply list(const Target& target, std::int64_t step, TidelineTensorVisitor visit,
                         void* self) noexcept;
/// Whether the backend can list what it keeps, and then compares and checks what it loads.
[[nodiscard]] Reply can_list(const Target& target, bool* can) noexcept;

/// Gives `place` the configuration with which `config`, a JSON object or nothing, means the
/// checkpoint `prefix`: the prefix alone, or the object with it as "path".
[[nodiscard]] Reply config_for(const char* config, const char* prefix,
                               void (*place)(void* self, const char* text), void* self) noexcept;

/// Strings go to backends in the form that TensorFlow's checkpoints have
/// (core/checkpoint/string_tensor.h).
struct Text {
  const char* data;
  std::size_t size;
};
[[nodiscard]] Reply encode_strings(const Text* strings, std::size_t count,
                                   void (*place)(void* self, const Text& bytes),
                                   void* self) noexcept;
[[nodiscard]] Reply decode_strings(const Text& bytes, std::size_t count,
                                   void (*place)(void* self, std::size_t at, const Text& string),
                                   void* self) noexcept;

}  // namespace tideline::tmci
