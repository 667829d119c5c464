// Ops that TensorFlow's graph optimizer (Grappler) merges, folds or regroups. It leaves an op with
// control edges as it is; then other kernels run, or sums are taken in another order, and the last
// bits of results differ.
#pragma once

#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/rewrite/lms/lms_plan.h"

namespace tideline {

/// Why {keep-fusion} keeps a tensor on the device.
inline constexpr std::string_view kNothingWakes =
    "no op can wake it without undoing a fusion of TensorFlow's graph optimizer";

/// Whether a pass of Grappler may change ops of this type.
[[nodiscard]] bool is_fused_type(std::string_view type);
/// The same for every type of a graph, by type id.
[[nodiscard]] std::vector<bool> fused_types(const Graph& graph);

/// Whether Grappler may merge `consumer` with `producer`, which it reads: sums of sums, sums of
/// products, and chains of operations with constants. A copy between them prevents that.
[[nodiscard]] bool may_be_merged(const Graph& graph, OpId producer, OpId consumer);

/// A tf.function with a gradient: its ops of the backward phase are in scopes `gradient_tape`.
[[nodiscard]] bool is_of_tensorflow2(const Graph& graph);

/// Warns of ops of `graph` that Grappler would change and that get control edges by `plan`.
/// Cost: O(control edges).
void note_undone_fusions(const Graph& graph, bool keeps_fusion, LmsPlan& plan);
/// Says which tensors are not swapped because nothing wakes them.
void note_never_woken(const Graph& graph, std::vector<KeptTensor> kept, LmsPlan& plan);

}  // namespace tideline
