// Device strings of TensorFlow: "/job:worker/task:1/device:GPU:0", "/gpu:0".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tideline {

/// The parts of a device string; empty where it says nothing.
struct DeviceName {
  std::string job, replica, task;
  std::string type, index;  ///< "GPU", "0"
};

/// Nullopt for a text that is no device string of TensorFlow. The empty text is one: it says
/// nothing.
[[nodiscard]] std::optional<DeviceName> parse_device(std::string_view text);

/// "/job:worker/task:1/device:GPU:0".
[[nodiscard]] std::string device_text(const DeviceName& name);

/// `base` with the parts that `own` says replaced. `own` itself if it says all that `base` does, or
/// if one of the two is no device string.
[[nodiscard]] std::string merged_device(std::string_view base, std::string_view own);

class Graph;

/// How many devices of a type ("CPU", "GPU") a process needs for the ops of `graph`: the largest
/// index that a device string names, and one more; 0 without one, at most 64. Cost: O(distinct
/// devices).
[[nodiscard]] std::int32_t device_count(const Graph& graph, std::string_view type);

}  // namespace tideline
