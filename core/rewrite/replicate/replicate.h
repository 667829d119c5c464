// Data parallelism: copies the part of a graph that works on the batch, once for each device.
#pragma once

#include "core/analysis/structure/graph_facts.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/graph/collections.h"
#include "core/rewrite/replicate/options.h"
#include "core/rewrite/replicate/report.h"

namespace tideline {

/// Splits the batch into equal parts, one for each device, and gives every device a copy of the
/// forward and backward pass (a tower); variables, optimizer and aggregation stay on one device.
/// The first tower keeps its names. A step then gives what a step on each part would give, with the
/// gradients and losses added (or averaged). When a batch cannot be divided, TensorFlow reports it
/// at run time.
/// Errors: kInvalidArgument and kNotFound for options that do not fit the graph; kUnsupported,
/// naming op and rule, for graphs that would train otherwise than intended; kCorrupt for attributes
/// that cannot be decoded; kCancelled. Cost: O(ops + edges) x towers. Thread: pure.
[[nodiscard]] Result<ReplicatePlan> plan_replicate(const GraphFacts& facts,
                                                   const Collections& collections,
                                                   const ReplicateOptions& options,
                                                   Progress& progress);

}  // namespace tideline
