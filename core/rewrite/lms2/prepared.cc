#include "core/rewrite/lms2/prepared.h"

#include <algorithm>

#include "core/analysis/activity.h"
#include "core/graph/graph_edit.h"
#include "core/rewrite/lms/draft.h"
#include "core/rewrite/lms/guard.h"
#include "core/rewrite/lms2/inserter.h"
#include "core/rewrite/lms2/log.h"
#include "core/rewrite/lms2/serialize.h"
#include "core/rewrite/lms2/swaps.h"

namespace tideline::lms2 {
namespace {

// Whether a swap-out that a device op feeds is there already.
bool is_already_edited(const Graph& graph, const Placement& placement) {
  for (const OpId op : graph.ops()) {
    if (graph.name(op).find("lms/swapout") == std::string_view::npos) continue;
    if (!graph.inputs(op).empty() && placement.on_device(graph.inputs(op)[0].op)) return true;
  }
  return false;
}

void explain_kept(const Context& context, const Candidates& candidates,
                  const std::vector<SwapChoice>& choices, LmsPlan& plan) {
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

}  // namespace

Prepared::Prepared(const Graph& graph, const Lms2Options& options)
    : graph_(graph), options_(options), placement_(graph, options.gpu_device) {}

Result<std::unique_ptr<Prepared>> Prepared::make(const Graph& graph, const Collections& collections,
                                                 const Lms2Options& options) {
  std::unique_ptr<Prepared> prepared(new Prepared(graph, options));
  if (is_already_edited(graph, prepared->placement_)) {
    prepared->head_.already_edited = true;
    prepared->head_.log.emplace_back(
        "This model has been edited with LMS swap operations already. It is left as it is.");
    return prepared;
  }
  TIDELINE_RETURN_IF_ERROR(prepared->find_facts(collections));
  return prepared;
}

Status Prepared::find_facts(const Collections& collections) {
  consumers_.emplace(graph_);
  TIDELINE_TRY(inactive_,
               inactive_ops(graph_, *consumers_, {options_.is_training, options_.is_keras}));
  TIDELINE_TRY(tensors_, TensorTable::build(graph_, {.batch_size = options_.batch_size,
                                                     .shapes = options_.shapes,
                                                     .functions = options_.functions,
                                                     .measured = options_.measured}));
  TIDELINE_TRY(variables_, find_variables(graph_, collections));
  levels_ = compatible_levels(graph_);
  conditions_.emplace(graph_);
  context_.emplace(Context{graph_, *consumers_, *levels_, *tensors_, placement_, inactive_,
                           *conditions_, options_});
  note_ineffective(*context_, head_.warnings);
  TIDELINE_RETURN_IF_ERROR(log_graph(*context_, variables_, head_.log));
  if (!options_.serialization.empty() || options_.serialization_by_size) {
    TIDELINE_RETURN_IF_ERROR(serialize());
  }
  TIDELINE_TRY(candidates_, find_candidates(*context_));
  unedited_.emplace(context_->graph, context_->consumers);
  return {};
}

// Serialisation changes the levels: everything after it sees the graph with the new edges.
Status Prepared::serialize() {
  TIDELINE_RETURN_IF_ERROR(serialize_levels(*context_, variables_.all, head_));
  TIDELINE_TRY(serialized_, GraphEdit(graph_, head_.edit).commit());
  consumers_.emplace(*serialized_);
  levels_ = compatible_levels(*serialized_);
  placement_ = Placement(*serialized_, options_.gpu_device);
  head_.log.push_back(
      fmt::format("  New categorized topological sort has {} levels.", levels_->count()));
  context_.emplace(Context{*serialized_, *consumers_, *levels_, *tensors_, placement_, inactive_,
                           *conditions_, options_});
  return {};
}

void Prepared::set(int swapout_threshold, int swapin_ahead, int swapin_groupby, int sync_mode) {
  options_.swapout_threshold = swapout_threshold;
  options_.swapin_ahead = swapin_ahead;
  options_.swapin_groupby = swapin_groupby;
  options_.sync_mode = sync_mode;
}

void Prepared::keep(TensorId tensor) {
  candidates_.overrides.keep(tensor);
}

Status Prepared::set_tensors(const std::vector<std::string>& keep,
                             const std::vector<std::string>& swap) {
  if (already_edited() || (keep == options_.keep_tensors && swap == options_.swap_tensors)) {
    return {};
  }
  TIDELINE_TRY(candidates_.overrides, Overrides::find(graph_, *tensors_, keep, swap));
  options_.keep_tensors = keep;
  options_.swap_tensors = swap;
  return {};
}

Result<LmsPlan> Prepared::plan(Progress& progress, PlanUse use) const {
  LmsPlan plan;
  const bool is_reported = use == PlanUse::kReport;
  if (is_reported) {
    plan = head_;
  } else {
    plan.edit = head_.edit;
  }
  if (already_edited()) return plan;
  if (is_reported) log_parameters(options_, plan.log);
  const std::vector<SwapChoice> choices = choose_swaps(*context_, candidates_);
  Draft draft = *unedited_;
  const Guard guard(context_->graph, context_->conditions);
  Inserter inserter(*context_, guard, draft, plan, use);
  for (const SwapChoice& choice : choices) inserter.insert(choice);
  if (plan.swaps.empty()) {
    note_loops(*context_, plan.warnings);
  } else {
    if (!options_.syncs_swap_ins()) TIDELINE_RETURN_IF_ERROR(inserter.trigger_all(progress));
    inserter.synchronise();
  }
  if (!is_reported) return plan;
  inserter.find_risks();
  if (options_.explain) explain_kept(*context_, candidates_, choices, plan);
  log_result(plan, plan.log);
  return plan;
}

}  // namespace tideline::lms2
