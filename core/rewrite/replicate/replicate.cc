// Tested by unit/rewrite/replicate/towers_test.cc and integration/replicate_test.py.
#include "core/rewrite/replicate/replicate.h"

#include "core/rewrite/replicate/context.h"
#include "core/rewrite/replicate/regions.h"
#include "core/rewrite/replicate/targets.h"
#include "core/rewrite/replicate/towers.h"

namespace tideline {

Result<ReplicatePlan> plan_replicate(const GraphFacts& facts, const Collections& collections,
                                     const ReplicateOptions& options, Progress& progress) {
  using namespace replicate;
  TIDELINE_RETURN_IF_ERROR(validate(options));
  TIDELINE_TRY(const Targets targets, find_targets(facts.graph(), options));
  TIDELINE_TRY(const auto context, Context::make(facts, collections));
  TIDELINE_TRY(const Regions regions, find_regions(*context, targets, options));
  return build_towers(*context, targets, regions, options, progress);
}

}  // namespace tideline
