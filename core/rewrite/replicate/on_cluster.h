// The devices of a cluster as values of the rewriter `replicate`.
#pragma once

#include "core/base/error.h"
#include "core/graph/cluster.h"
#include "core/rewrite/values.h"

namespace tideline::replicate {

/// Gives {devices} and, where variables are spread, {variable-devices} the devices that `cluster`
/// has for them, unless they are given; then they are checked. Errors: those of tower_devices,
/// ps_devices and check_device. Thread: pure.
[[nodiscard]] Status use_cluster(const Cluster& cluster, Values& values);

}  // namespace tideline::replicate
