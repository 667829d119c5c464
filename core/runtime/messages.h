// The messages between the program and its worker process.
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

/// Output `slot` of the op `op`.
struct TensorName {
  std::string op;
  std::int32_t slot = 0;
};

/// Request to load TensorFlow and a graph. Sent once, first.
struct LoadRequest {
  std::string library;                    ///< path of the library
  std::vector<std::string> op_libraries;  ///< paths of libraries with further ops
  std::string graph;                      ///< an encoded GraphDef
  std::string config;                     ///< an encoded ConfigProto
  /// Of the server that runs the graph, "grpc://HOST:PORT"; empty: the worker itself does.
  std::string target;
  std::int64_t run_limit_ms = 0;  ///< of each run on that server; 0: none
  std::optional<Bytes> memory_limit;
  bool may_write = true;  ///< false: no file and no connection, as far as the kernel can deny it
};

/// Request to run a part of the graph.
struct RunRequest {
  std::vector<std::pair<TensorName, TensorValue>> feeds;
  std::vector<TensorName> fetches;
  std::vector<std::string> targets;  ///< ops to run for their side effects
  bool trace = false;
};

/// Request to load TensorFlow and to be a task of a cluster until the end. Sent once, first.
struct ServeRequest {
  std::string library;    ///< path of the library
  std::string server;     ///< an encoded ServerDef
  std::string bind;       ///< address on which it listens, "127.0.0.1"
  std::int32_t port = 0;  ///< as in the ServerDef
  std::optional<Bytes> memory_limit;
};

/// Request to a worker that is a Python (optimize.py), which it reads: to optimize a graph.
struct GraphToOptimize {
  bool is_meta_graph = false;
  std::string_view message;  ///< an encoded GraphDef or MetaGraphDef
  std::vector<std::string> fetches;
  std::string gpus;  ///< a line for each: bytes of memory, kB/s, multiprocessors at 1 GHz
};

/// A device of a server.
struct WorkerDevice {
  std::string name;  ///< "/job:worker/replica:0/task:0/device:GPU:0"
  Bytes memory = 0;  ///< as TensorFlow says; for a CPU it says nothing of use
};

/// The reply to a request. Only the members that belong to the request are set.
struct Answer {
  /// TensorFlow's status code; 0 is success, kWorkerError a failure before TensorFlow was called.
  std::int32_t code = 0;
  std::string message;
  std::string version;                ///< of a LoadRequest
  std::vector<TensorValue> values;    ///< by fetch
  std::string run_metadata;           ///< an encoded RunMetadata, if a trace was requested
  std::string graph;                  ///< optimized, in the message that it was sent in
  std::vector<WorkerDevice> devices;  ///< of a LoadRequest with a target

  static constexpr std::int32_t kWorkerError = 1000;
};

/// kEnd has no content: the session is closed, so that a server forgets it.
enum class MessageKind : std::uint8_t {
  kLoad = 1,
  kRun = 2,
  kAnswer = 3,
  kOptimize = 4,
  kServe = 5,
  kEnd = 6,
};

/// A frame: 8 bytes length of the rest (little-endian), 1 byte kind, content.
inline constexpr std::size_t kFrameHeadBytes = 9;
/// `content` as a frame.
[[nodiscard]] std::string frame(MessageKind kind, std::string_view content);

/// The header of a frame. Errors: kCorrupt for an unknown kind or an impossible length.
struct FrameHead {
  MessageKind kind = MessageKind::kAnswer;
  std::uint64_t content_bytes = 0;
};
[[nodiscard]] Result<FrameHead> read_frame_head(std::string_view head);

/// Encoding and decoding of contents. Errors of decoding: kCorrupt, as the sender may have crashed.
[[nodiscard]] std::string encode(const LoadRequest& request);
[[nodiscard]] std::string encode(const RunRequest& request);
[[nodiscard]] std::string encode(const ServeRequest& request);
[[nodiscard]] std::string encode(const GraphToOptimize& request);
[[nodiscard]] std::string encode(const Answer& answer);
[[nodiscard]] Result<LoadRequest> decode_load(std::string_view content);
[[nodiscard]] Result<ServeRequest> decode_serve(std::string_view content);
[[nodiscard]] Result<RunRequest> decode_run(std::string_view content);
[[nodiscard]] Result<Answer> decode_answer(std::string_view content);

}  // namespace tideline::runtime
