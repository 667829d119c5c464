// Tested by unit/rewrite/checkpoint/savers_test.cc and integration/rewrite_checkpoint_test.py.
#include "core/rewrite/checkpoint/checkpoint.h"

#include "core/rewrite/checkpoint/replacement.h"
#include "core/rewrite/checkpoint/savers.h"

namespace tideline {

Result<CheckpointPlan> plan_checkpoint(const Graph& graph, const Collections& collections,
                                       const FunctionLibrary* functions,
                                       const CheckpointOptions& options) {
  TIDELINE_RETURN_IF_ERROR(validate(options));
  TIDELINE_TRY(const checkpoint_ops::FoundSavers found,
               checkpoint_ops::find_savers(graph, collections, functions));
  return checkpoint_ops::replace_savers(graph, collections, found, options);
}

}  // namespace tideline
