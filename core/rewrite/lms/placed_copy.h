// Adds the ops that copy a tensor, in the mode that was chosen.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/graph/graph.h"
#include "core/rewrite/lms/copy_mode.h"
#include "core/rewrite/lms/lms_plan.h"

namespace tideline {

/// Whether `graph` can have copies of this mode: those of Grappler have kernels for GPUs alone.
/// `gpu_device`: the only device that is looked at. Errors: kUnsupported if the graph has no op
/// that may run on a GPU. Cost: O(distinct devices).
[[nodiscard]] Status check_copy_mode(const Graph& graph, CopyMode mode,
                                     const std::optional<std::string>& gpu_device);

/// Where a copy stands: Grappler's on the device of `beside`, an op of the graph, and colocated
/// with it; an Identity on the host of its task.
struct CopyPlace {
  CopyMode mode = CopyMode::kIdentity;
  bool is_back = false;  ///< from the host
  OpId beside;           ///< the producer of the tensor; for a copy back its first consumer
};
/// `host`, the device of copies, on the task of an op on `device`: without its task TensorFlow
/// would place the copy on any of a cluster. As it is when it names a task itself, or `device`
/// none.
[[nodiscard]] std::string host_beside(std::string_view device, const std::string& host);

/// Completes type, device and colocation of `copy`, and adds it to `plan`. Returns its id there.
OpId add_placed_copy(const Graph& graph, const CopyPlace& place, SwapCopy copy, GraphPlan& plan);

/// "swap_in_gradients/mul_1": Grappler names a copy after the input that reads it.
[[nodiscard]] std::string grappler_name(const Graph& graph, bool is_back, TensorId tensor,
                                        OpId consumer);

/// Says, if `plan` has such copies, that nobody has run them.
void note_copy_mode(CopyMode mode, LmsPlan& plan);

}  // namespace tideline
