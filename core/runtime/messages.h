// What the two sides of a worker say to each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/runtime/tensor_value.h"

namespace tideline::runtime {

/// Output `slot` of the op `op`, as TensorFlow is asked for it.
struct TensorName {
  std::string op;
  std::int32_t slot = 0;
};

/// Load TensorFlow and a graph. The first request, and only the first.
struct LoadRequest {
  std::string library;  ///< path of the library
  std::string graph;    ///< an encoded GraphDef
  std::string config;   ///< an encoded ConfigProto
  std::optional<Bytes> memory_limit;
};

/// Run a part of the graph.
struct RunRequest {
  std::vector<std::pair<TensorName, TensorValue>> feeds;
  std::vector<TensorName> fetches;
  std::vector<std::string> targets;  ///< ops that are run for what they do
  bool trace = false;
};

/// What TensorFlow answered; only the members that belong to the request are filled.
struct Answer {
  /// TensorFlow's code; 0 is success, kWorkerError a failure before TensorFlow was asked.
  std::int32_t code = 0;
  std::string message;
  std::string version;              ///< of a LoadRequest
  std::vector<TensorValue> values;  ///< by fetch
  std::string run_metadata;         ///< an encoded RunMetadata, when a trace was asked for

  static constexpr std::int32_t kWorkerError = 1000;
};

enum class MessageKind : std::uint8_t { kLoad = 1, kRun = 2, kAnswer = 3 };

/// A frame: 8 bytes length (little endian, of what follows), 1 byte kind, content.
inline constexpr std::size_t kFrameHeadBytes = 9;
[[nodiscard]] std::string frame(MessageKind kind, std::string_view content);

/// The head of a frame. Errors: kCorrupt for an unknown kind or an impossible length.
struct FrameHead {
  MessageKind kind = MessageKind::kAnswer;
  std::uint64_t content_bytes = 0;
};
[[nodiscard]] Result<FrameHead> read_frame_head(std::string_view head);

/// The contents. Errors of the readers: kCorrupt; the bytes may come from a process that broke.
[[nodiscard]] std::string encode(const LoadRequest& request);
[[nodiscard]] std::string encode(const RunRequest& request);
[[nodiscard]] std::string encode(const Answer& answer);
[[nodiscard]] Result<LoadRequest> decode_load(std::string_view content);
[[nodiscard]] Result<RunRequest> decode_run(std::string_view content);
[[nodiscard]] Result<Answer> decode_answer(std::string_view content);

}  // namespace tideline::runtime
