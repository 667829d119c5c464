// Problem: the tensors that the forward pass keeps for the backward pass fill the device memory in
// the middle of a step, though they are not read for most of the time.
// Idea: cut an edge that spans many levels and route it through host memory:
//   producer -> swap-out (host) -> swap-in (host) -> consumer
// There is one swap-out for a tensor and one swap-in for each group of consumers that are close to
// each other; a control edge delays the swap-in until shortly before the first of them runs.
//   conv1/Relu (level 4) -> ReluGrad (81), MaxPoolGrad (82); threshold 50, ahead 3, group-by 2
//   becomes conv1/Relu -> lms/swapout_conv1_Relu_0 -> lms/swapin_conv1_Relu_0 -> both,
//   and the swap-in waits for an op of level 77 that leads to the consumer of level 81.
// Order of the work: serialise levels, choose tensors and groups, insert all copies, then trigger
// or synchronise each swap-in on the graph with all copies in it, then synchronise swap-outs.
// Limits: distances are counted in levels, not in time; loops are not changed.
// Source: IBM TensorFlow Large Model Support v2, lms.py (rules only; see design notes in
// assets/docs/design_notes.md). Tested by unit/rewrite/lms2_test.cc, golden/oracle_test.cc.
#include "core/rewrite/lms2/lms2.h"

#include "core/rewrite/lms2/prepared.h"
#include "core/rewrite/lms2/step_readers.h"

namespace tideline {

Result<LmsPlan> plan_lms2(const Graph& graph, const Collections& collections,
                          const Lms2Options& options, Progress& progress) {
  TIDELINE_RETURN_IF_ERROR(validate(options));
  TIDELINE_TRY(const auto prepared, lms2::Prepared::make(graph, collections, options));
  if (options.ignore_folded && !prepared->already_edited()) {
    TIDELINE_TRY(const auto reads, lms2::step_readers(graph, collections, options, {}));
    prepared->leave_out_all_but(reads);
  }
  return prepared->plan(progress);
}

}  // namespace tideline
