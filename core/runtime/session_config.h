// The session configuration with which results depend on the graph alone, bit for bit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tideline::runtime {

/// What differs between sessions.
struct SessionOptions {
  std::int32_t cpu_devices = 1;
  std::int32_t threads = 1;  ///< within an op, and between ops; 0: as many as TensorFlow likes
  /// The only tasks of a cluster that the session knows, "/job:worker/task:0"; empty: all.
  std::vector<std::string> tasks = {};
  /// Of a session on a cluster, whose variables live in servers: not shared with other sessions.
  bool is_isolated = false;
  std::int64_t time_limit_ms = 0;  ///< of every call to a server; 0: none
};

/// An encoded ConfigProto: one thread within an op and one between ops, no graph optimizer, no
/// optimization of memory, no constant folding, and soft placement of ops whose device is missing.
/// TensorFlow makes one CPU device unless it is told of more.
[[nodiscard]] std::string session_config(const SessionOptions& options = {});

}  // namespace tideline::runtime
