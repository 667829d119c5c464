// Tested by unit/rewrite/lms2/step_readers_test.cc.
#include "core/rewrite/lms2/step_readers.h"

#include "core/memory/step_ops.h"
#include "core/rewrite/lms2/faithful_plays.h"

namespace tideline::lms2 {

std::vector<bool> step_readers(const StepGraph& step, const FaithfulStep& before) {
  std::vector<bool> reads = computed_ops(step, before.timeline.schedule);
  if (step.folding == nullptr) return reads;
  for (const FoldedOp& folded : step.folding->ops) {
    if (folded.fold != Fold::kConstant) reads[folded.op.index()] = true;
  }
  return reads;
}

Result<std::vector<bool>> step_readers(const Graph& graph, const Collections& collections,
                                       const Lms2Options& options, const SearchModel& model) {
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(graph, faithful_sizes(options)));
  TIDELINE_TRY(const StepGraph step,
               build_step_graph(graph, tensors, collections, step_options(options, model)));
  return step_readers(step, simulate_step(step));
}

}  // namespace tideline::lms2
