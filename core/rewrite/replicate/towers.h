// Builds the edit: splits, copies of the towers, aggregation, devices.
#pragma once

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/rewrite/replicate/regions.h"
#include "core/rewrite/replicate/report.h"

namespace tideline::replicate {

/// Precondition: `regions` were found for these targets and options. Errors: kCorrupt for
/// attributes that cannot be decoded, kUnsupported for a tensor of unknown type, kCancelled.
[[nodiscard]] Result<ReplicatePlan> build_towers(const Context& context, const Targets& targets,
                                                 const Regions& regions,
                                                 const ReplicateOptions& options,
                                                 Progress& progress);

}  // namespace tideline::replicate
