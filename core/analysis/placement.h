// Where ops run, derived from their device strings as LMS does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace tideline {

/// A CPU op has "cpu" in its device string, ignoring case. A device op is any other op or, if
/// `gpu_device` is given, an op whose device string equals it, ignoring case. The graph must
/// outlive this. Cost: O(distinct devices) to build, O(1) per query. Thread: immutable.
class Placement {
 public:
  Placement(const Graph& graph, const std::optional<std::string>& gpu_device);

  [[nodiscard]] bool on_cpu(OpId op) const { return on_cpu_[graph_->device_id(op)]; }
  [[nodiscard]] bool on_device(OpId op) const { return on_device_[graph_->device_id(op)]; }

  /// Whether a device string contains "cpu", ignoring case.
  [[nodiscard]] static bool names_cpu(std::string_view device);

 private:
  const Graph* graph_;
  std::vector<bool> on_cpu_;     // by device id
  std::vector<bool> on_device_;  // by device id
};

}  // namespace tideline
