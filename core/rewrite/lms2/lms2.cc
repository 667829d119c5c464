// Problem: the tensors that the forward phase keeps for the backward phase fill the device at the
// turning point of a step, though nobody reads them for most of the time in between.
// Idea: cut an edge that spans many levels and lead it over the host:
//   producer -> swap-out (host) -> swap-in (host) -> consumer
// One swap-out serves a tensor, one swap-in a group of consumers that are close to each other; a
// control edge holds the swap-in back until shortly before the first of them runs.
//   conv1/Relu (level 4) -> ReluGrad (81), MaxPoolGrad (82); threshold 50, ahead 3, group-by 2
//   becomes conv1/Relu -> lms/swapout_conv1_Relu_0 -> lms/swapin_conv1_Relu_0 -> both,
//   and the swap-in waits for an op of level 77 that leads to the consumer of level 81.
// Order of the work: serialise levels, choose tensors and groups, insert all copies, then trigger
// or synchronise each swap-in on the graph with all copies in it, then synchronise swap-outs.
// Limits: distances are counted in levels, not in time; loops are left alone.
// Source: IBM TensorFlow Large Model Support v2, lms.py (rules only; see design notes in
// assets/docs/architecture.md). Tested by unit/rewrite/lms2_test.cc, golden/oracle_test.cc.
#include "core/rewrite/lms2/lms2.h"

#include <algorithm>

#include "core/analysis/activity.h"
#include "core/analysis/summary.h"
#include "core/analysis/variables.h"
#include "core/graph/graph_edit.h"
#include "core/rewrite/draft.h"
#include "core/rewrite/guard.h"
#include "core/rewrite/lms2/candidates.h"
#include "core/rewrite/lms2/inserter.h"
#include "core/rewrite/lms2/log.h"
#include "core/rewrite/lms2/serialize.h"
#include "core/rewrite/lms2/swaps.h"

namespace tideline {
namespace lms2 {
namespace {

// Whether a swap-out that a device op feeds is there already.
bool is_already_edited(const Graph& graph, const Placement& placement) {
  for (const OpId op : graph.ops()) {
    if (graph.name(op).find("lms/swapout") == std::string_view::npos) continue;
    if (!graph.inputs(op).empty() && placement.on_device(graph.inputs(op)[0].op)) return true;
  }
  return false;
}

Status swap(const Context& context, Progress& progress, LmsPlan& plan) {
  TIDELINE_TRY(const Candidates candidates, find_candidates(context));
  log_parameters(context.options, plan.log);
  const std::vector<SwapChoice> choices = choose_swaps(context, candidates);
  Draft draft(context.graph, context.consumers);
  const Guard guard(context.graph, context.conditions);
  Inserter inserter(context, guard, draft, plan);
  for (const SwapChoice& choice : choices) inserter.insert(choice);
  if (!plan.swaps.empty()) {
    if (!context.options.syncs_swap_ins()) {
      TIDELINE_RETURN_IF_ERROR(inserter.trigger_all(progress));
    }
    inserter.synchronise();
  }
  inserter.find_risks();
  if (context.options.explain) {
    auto chosen = choices.begin();
    for (const OpId op : context.graph.ops()) {
      for (std::uint32_t slot = 0; slot < context.tensors.output_count(op); ++slot) {
        const TensorId tensor{op, slot};
        while (chosen != choices.end() && chosen->tensor < tensor) ++chosen;
        if (chosen != choices.end() && chosen->tensor == tensor) continue;
        plan.not_swapped.push_back(
            {tensor, context.tensors.bytes(tensor), why_kept(context, candidates, tensor)});
      }
    }
  }
  log_result(plan, plan.log);
  return {};
}

}  // namespace
}  // namespace lms2

Result<LmsPlan> plan_lms2(const Graph& graph, const Collections& collections,
                          const Lms2Options& options, Progress& progress) {
  TIDELINE_RETURN_IF_ERROR(validate(options));
  LmsPlan plan;
  const Placement placement(graph, options.gpu_device);
  if (lms2::is_already_edited(graph, placement)) {
    plan.already_edited = true;
    plan.log.emplace_back(
        "This model has been edited with LMS swap operations already. It is left as it is.");
    return plan;
  }
  const Consumers consumers(graph);
  TIDELINE_TRY(const std::vector<bool> inactive,
               inactive_ops(graph, consumers, {options.is_training, options.is_keras}));
  TIDELINE_TRY(const TensorTable tensors,
               TensorTable::build(graph, {.batch_size = options.batch_size,
                                          .shapes = options.shapes,
                                          .functions = options.functions}));
  TIDELINE_TRY(const Variables variables, find_variables(graph, collections));
  const LevelMap levels = compatible_levels(graph);
  const Conditions conditions(graph);
  const lms2::Context context{graph,     consumers, levels,     tensors,
                              placement, inactive,  conditions, options};
  lms2::note_ineffective(context, plan.notices);
  TIDELINE_RETURN_IF_ERROR(lms2::log_graph(context, variables, plan.log));
  if (options.serialization.empty() && !options.serialization_by_size) {
    TIDELINE_RETURN_IF_ERROR(lms2::swap(context, progress, plan));
    return plan;
  }

  // Serialisation changes the levels: everything after it sees the graph with the new edges.
  TIDELINE_RETURN_IF_ERROR(lms2::serialize_levels(context, variables.all, plan));
  GraphEdit edit(graph);
  for (const ControlEdge& edge : plan.control) edit.add_control(edge.op, edge.after);
  TIDELINE_TRY(const Graph serialized, edit.commit());
  const Consumers new_consumers(serialized);
  const LevelMap new_levels = compatible_levels(serialized);
  const Placement new_placement(serialized, options.gpu_device);
  plan.log.push_back(
      fmt::format("  New categorized topological sort has {} levels.", new_levels.count()));
  const lms2::Context new_context{serialized,    new_consumers, new_levels, tensors,
                                  new_placement, inactive,      conditions, options};
  TIDELINE_RETURN_IF_ERROR(lms2::swap(new_context, progress, plan));
  return plan;
}

}  // namespace tideline
