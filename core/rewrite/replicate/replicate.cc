// Tested by unit/rewrite/replicate/towers_test.cc and integration/replicate_test.py.
#include "core/rewrite/replicate/replicate.h"

#include "core/rewrite/replicate/context.h"
#include "core/rewrite/replicate/regions.h"
#include "core/rewrite/replicate/targets.h"
#include "core/rewrite/replicate/towers.h"

namespace tideline {

Result<ReplicatePlan> plan_replicate(const Graph& graph, const Collections& collections,
                                     const ReplicateOptions& options, Progress& progress) {
  using namespace replicate;
  TIDELINE_RETURN_IF_ERROR(validate(options));
  TIDELINE_TRY(const Targets targets, find_targets(graph, options));
  TIDELINE_TRY(const auto context, Context::make(graph, collections, options.functions));
  TIDELINE_TRY(const Regions regions, find_regions(*context, targets, options));
  return build_towers(*context, targets, regions, options, progress);
}

}  // namespace tideline
