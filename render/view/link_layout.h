// The transfers of a step over its links, and what its computation waits for, by time and level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/memory/step_time.h"
#include "render/view/scene.h"

namespace tideline::render {

/// A copy, with its tensor in the graph.
struct LinkSlice {
  TensorId tensor;
  Bytes bytes = 0;
  bool to_host = false;
  double begin_ns = 0, end_ns = 0;
  double begin_level = 0, end_level = 0;  ///< places on the axis of levels
};

/// The computation waits for a copy in, or for memory.
struct LinkStall {
  OpId reader;      ///< that waits
  TensorId tensor;  ///< in the graph; no valid op where it waits for memory alone
  double begin_ns = 0, end_ns = 0;
  double begin_level = 0, end_level = 0;
};

/// Slices by begin, those of one direction without overlap; stalls in order.
struct LinkLayout {
  std::vector<LinkSlice> to_host, to_device;
  std::vector<LinkStall> stalls;
  std::int64_t compute_ns = 0;                    ///< of the step
  std::int64_t waiting_ns = 0;                    ///< that its swaps add
  std::int64_t to_host_ns = 0, to_device_ns = 0;  ///< busy

  [[nodiscard]] bool empty() const { return to_host.empty() && to_device.empty(); }
};

/// The layout of one of Scene::devices; empty without copies. A moment stands at the level that the
/// step has reached then, evenly between the moments at which it reaches levels. Cost: O(ops +
/// copies x log levels). Thread: pure.
[[nodiscard]] LinkLayout layout_link(const Scene& scene, std::size_t device = 0);

/// The rate of a copy: "11.9 GB/s".
[[nodiscard]] std::string rate_text(const LinkSlice& slice);

}  // namespace tideline::render
