// Where ops run, read from their device strings as LMS reads them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace tideline {

/// A CPU op has "cpu" (any case) in its device string. A device op is one that is not a CPU op;
/// when one GPU is chosen, one whose device string equals it (any case).
class Placement {
 public:
  Placement(const Graph& graph, const std::optional<std::string>& gpu_device);

  [[nodiscard]] bool on_cpu(OpId op) const { return on_cpu_[graph_->device_id(op)]; }
  [[nodiscard]] bool on_device(OpId op) const { return on_device_[graph_->device_id(op)]; }

  [[nodiscard]] static bool names_cpu(std::string_view device);

 private:
  const Graph* graph_;
  std::vector<bool> on_cpu_;     // by device id
  std::vector<bool> on_device_;  // by device id
};

}  // namespace tideline
