#include "core/rewrite/lms2/prepared.h"

#include <algorithm>
#include <set>
#include <vector>

#include "core/analysis/activity.h"
#include "core/analysis/variable_values.h"
#include "core/base/error.h"
#include "core/graph/graph_edit.h"
#include "core/graph/op_types.h"
#include "core/rewrite/lms/draft.h"
#include "core/rewrite/lms/fusions.h"
#include "core/rewrite/lms/guard.h"
#include "core/rewrite/lms/lms_plan.h"
#include "core/rewrite/lms/own_ahead.h"
#include "core/rewrite/lms/placed_copy.h"
#include "core/rewrite/lms/unused_aheads.h"
#include "core/rewrite/lms2/context.h"
#include "core/rewrite/lms2/faithful_plays.h"
#include "core/rewrite/lms2/inserter.h"
#include "core/rewrite/lms2/log.h"
#include "core/rewrite/lms2/swaps.h"

namespace tideline::lms2 {
namespace {

// Serialization of LMS v2: makes the ops of selected levels run one after the other.

bool has_word(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

// Bytes of the active device ops of a level.
Bytes level_bytes(const Context& context, std::int32_t level) {
  Bytes total = 0;
  for (const OpId op : context.levels.ops(level)) {
    if (context.is_active_device_op(op)) {
      total = saturating_add(total, op_bytes(context.graph, context.tensors, op));
    }
  }
  return total;
}

std::int32_t highest_assign_level(const Context& context, const std::vector<OpId>& variables) {
  std::int32_t highest = 0;
  for (const OpId variable : variables) {
    const OpId assign = context.graph.find(fmt::format("{}/Assign", context.graph.name(variable)));
    if (assign.valid()) highest = std::max(highest, context.levels.level(assign));
  }
  return highest;
}

bool can_be_chained(const Context& context, const std::vector<OpId>& variables, OpId op) {
  const std::string_view name = context.graph.name(op);
  return context.is_eligible(op) && !has_word(name, "/cond/") && !has_word(name, "loss") &&
         !std::binary_search(variables.begin(), variables.end(), op);
}

Result<std::set<std::int32_t>> selected_levels(const Context& context,
                                               std::vector<std::string>& log) {
  std::set<std::int32_t> selected;
  for (const std::string& text : context.options.serialization) {
    TIDELINE_TRY(const std::vector<int> levels, select_levels(text, context.levels.count()));
    selected.insert(levels.begin(), levels.end());
  }
  if (const auto limit = context.options.serialization_by_size) {
    for (std::int32_t level = 0; level < context.levels.count(); ++level) {
      if (level_bytes(context, level) > *limit) selected.insert(level);
    }
    log.push_back(fmt::format("  Serialize topological sort levels consuming more than: {:.2f} GiB",
                              static_cast<double>(*limit) / kBytesPerGiB));
  }
  return selected;
}

// Adds control edges to `plan` that chain the ops of the levels selected by the options.
// `variables`: all variable ops; levels up to the highest level of a "<variable>/Assign" op are
// not serialized. An edge that would close a cycle (possible because the compatible levels ignore
// loops) is omitted, with a notice. Errors: kInvalidArgument from select_levels.
Status serialize_levels(const Context& context, const std::vector<OpId>& variables, LmsPlan& plan) {
  TIDELINE_TRY(const std::set<std::int32_t> selected, selected_levels(context, plan.log));
  const std::int32_t assign_level = highest_assign_level(context, variables);
  plan.log.push_back(fmt::format("  The maximum level of Assign ops: {}", assign_level));

  Draft draft(context.graph, context.consumers);
  std::int64_t left_out = 0;
  std::int64_t crossing = 0;
  const auto chain = [&](OpId op, OpId previous) {
    const bool may_not_run =
        context.options.guard_conditionals &&
        !context.conditions.runs_with(context.conditions.of(previous), context.conditions.of(op));
    if (may_not_run || draft.has_control(op, previous)) return;
    if (draft.crosses_frames(op, previous)) {
      ++crossing;
    } else if (draft.leads_to(op, previous)) {
      ++left_out;
    } else if (draft.add_control(op, previous)) {
      plan.edit.control.push_back({op, previous});
    }
  };
  OpId previous;
  std::int32_t previous_level = -1;
  for (const std::int32_t level : selected) {
    if (level <= assign_level) continue;
    if (level != previous_level + 1) previous = {};
    previous_level = level;
    bool any = false;
    for (const OpId op : context.levels.ops(level)) {
      if (!can_be_chained(context, variables, op)) continue;
      if (previous.valid()) chain(op, previous);
      previous = op;
      any = true;
    }
    if (!any) previous = {};
  }
  if (left_out > 0) {
    plan.warnings.push_back(
        {"loop",
         fmt::format(
             "{{serialization}}: {} control edges would make ops of a loop wait for its own "
             "result; they are omitted",
             left_out),
         {},
         left_out});
  }
  if (crossing > 0) {
    plan.warnings.push_back(
        {"loop",
         fmt::format("{{serialization}}: {} control edges would lead into or out of a loop, which "
                     "TensorFlow refuses; they are omitted",
                     crossing),
         {},
         crossing});
  }
  return {};
}

// Whether a swap-out that a device op feeds is there already.
bool is_already_edited(const Graph& graph, const Placement& placement) {
  for (const OpId op : graph.ops()) {
    const bool is_swap_out = graph.name(op).find("lms/swapout") != std::string_view::npos ||
                             copies_to_host(graph.type(op));
    if (!is_swap_out) continue;
    if (!graph.inputs(op).empty() && placement.on_device(graph.inputs(op)[0].op)) return true;
  }
  return false;
}

void explain_kept(const Context& context, const Candidates& candidates,
                  const std::vector<SwapChoice>& choices, LmsPlan& plan) {
  const std::vector<KeptTensor> never_woken = std::move(plan.not_swapped);
  plan.not_swapped.clear();
  auto next = never_woken.begin();
  auto chosen = choices.begin();
  for (const OpId op : context.graph.ops()) {
    for (std::uint32_t slot = 0; slot < context.tensors.output_count(op); ++slot) {
      const TensorId tensor{op, slot};
      while (chosen != choices.end() && chosen->tensor < tensor) ++chosen;
      if (chosen != choices.end() && chosen->tensor == tensor) continue;
      if (next != never_woken.end() && next->tensor == tensor) {
        plan.not_swapped.push_back(*next++);
        continue;
      }
      plan.not_swapped.push_back(
          {tensor, context.bytes(tensor), why_kept(context, candidates, tensor)});
    }
  }
}

// Takes the groups out of `choices` that nothing can wake, and those before them: the tensor stays
// on the device until the last of them has read it. Tensors without a group left are no choice, and
// go to `kept`. What the user wants swapped is left as it is. Returns whether anything changed.
bool leave_out(const Context& context,
               const std::vector<std::pair<std::size_t, std::size_t>>& never_woken,
               std::vector<SwapChoice>& choices, std::vector<KeptTensor>& kept) {
  bool any = false;
  std::vector<std::size_t> left_out(choices.size());  // how many of its first groups
  for (const auto& [choice, group] : never_woken) {
    if (choices[choice].is_forced) continue;
    left_out[choice] = group + 1;
    any = true;
  }
  for (std::size_t i = 0; i < choices.size(); ++i) {
    auto& groups = choices[i].groups;
    groups.erase(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(left_out[i]));
    if (!groups.empty()) continue;
    const TensorId tensor = choices[i].tensor;
    kept.push_back({tensor, context.bytes(tensor), std::string(kNothingWakes)});
  }
  std::erase_if(choices, [](const SwapChoice& choice) { return choice.groups.empty(); });
  return any;
}

// Distances that the user gives and that nothing heeds.
void note_aheads(const Context& context, const Candidates& candidates, LmsPlan& plan) {
  const auto& aheads = candidates.overrides.aheads();
  if (aheads.empty()) return;
  if (context.options.syncs_swap_ins() && !plan.swaps.empty()) {
    plan.warnings.push_back(
        {"no effect",
         fmt::format("{{{}}} has no effect: with {{sync-mode}} {} swap-ins wait for the other "
                     "inputs of their reader",
                     kAheadTensors, context.options.sync_mode),
         {},
         static_cast<std::int64_t>(aheads.size())});
    return;
  }
  note_unused_aheads(context.graph, candidates.overrides, plan,
                     [&](TensorId tensor) { return why_kept(context, candidates, tensor); });
}

}  // namespace

Prepared::Prepared(const Graph& graph, const Lms2Options& options)
    : graph_(graph), options_(options), placement_(graph, options.gpu_device) {}

Result<std::unique_ptr<Prepared>> Prepared::make(const Graph& graph, const Collections& collections,
                                                 const Lms2Options& options) {
  TIDELINE_RETURN_IF_ERROR(check_copy_mode(graph, options.copy_mode, options.gpu_device));
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
               inactive_ops(graph_, *consumers_,
                            {options_.is_training, options_.is_keras, options_.swap_lists}));
  TIDELINE_TRY(tensors_, TensorTable::build(graph_, {.batch_size = options_.batch_size,
                                                     .shapes = options_.shapes,
                                                     .functions = options_.functions,
                                                     .measured = options_.measured,
                                                     .known = options_.known}));
  const bool are_known = options_.facts != nullptr && &options_.facts->graph() == &graph_;
  std::optional<GraphFacts> found;
  if (!are_known) found.emplace(graph_, options_.functions);
  const GraphFacts& facts = are_known ? *options_.facts : *found;
  TIDELINE_TRY(variables_, find_variables(facts, collections));
  TIDELINE_TRY(const VariableValues values, VariableValues::find(facts, *tensors_));
  TIDELINE_TRY(trainable_bytes_, values.bytes(variables_.trainable));
  levels_ = compatible_levels(graph_, WhileNames(graph_, options_.swap_lists));
  conditions_.emplace(graph_);
  TIDELINE_RETURN_IF_ERROR(find_lists(facts));
  context_.emplace(context_of(graph_));
  note_ineffective(*context_, head_.warnings);
  log_graph(*context_, trainable_bytes_, head_.log);
  if (!options_.serialization.empty() || options_.serialization_by_size) {
    TIDELINE_RETURN_IF_ERROR(serialize());
  }
  TIDELINE_TRY(candidates_, find_candidates(*context_));
  unedited_.emplace(context_->graph, context_->consumers);
  return {};
}

Context Prepared::context_of(const Graph& graph) const {
  Context context{graph,      *consumers_, *levels_,     *tensors_,
                  placement_, inactive_,   *conditions_, options_};
  context.while_names = WhileNames(graph, options_.swap_lists);
  if (lists_) context.lists = &*lists_;
  return context;
}

// Their sizes are those of the faithful model, which counts rounds.
Status Prepared::find_lists(const GraphFacts& facts) {
  if ((!options_.swap_lists && !options_.explain) || !may_have_loop_lists(graph_)) return {};
  TIDELINE_TRY(const TensorTable sizes, TensorTable::build(graph_, faithful_sizes(options_)));
  lists_ = LoopLists::find(facts, sizes);
  return {};
}

// Serialisation changes the levels: everything after it sees the graph with the new edges.
Status Prepared::serialize() {
  TIDELINE_RETURN_IF_ERROR(serialize_levels(*context_, variables_.all, head_));
  TIDELINE_TRY(serialized_, GraphEdit(graph_, head_.edit).commit());
  consumers_.emplace(*serialized_);
  levels_ = compatible_levels(*serialized_, WhileNames(*serialized_, options_.swap_lists));
  placement_ = Placement(*serialized_, options_.gpu_device);
  head_.log.push_back(
      fmt::format("  New categorized topological sort has {} levels.", levels_->count()));
  context_.emplace(context_of(*serialized_));
  return {};
}

void Prepared::set(int swapout_threshold, int swapin_ahead, int swapin_groupby, int sync_mode) {
  options_.swapout_threshold = swapout_threshold;
  options_.swapin_ahead = swapin_ahead;
  options_.swapin_groupby = swapin_groupby;
  options_.sync_mode = sync_mode;
}

void Prepared::leave_out_all_but(const std::vector<bool>& reads) {
  for (std::vector<Verdict>* verdicts : {&candidates_.source, &candidates_.consumer}) {
    for (std::size_t op = 0; op < verdicts->size(); ++op) {
      Verdict& verdict = (*verdicts)[op];
      if (verdict == Verdict::kCandidate && !reads[op]) verdict = Verdict::kReadsNothing;
    }
  }
}

void Prepared::keep(TensorId tensor) {
  candidates_.overrides.keep(tensor);
}

Status Prepared::set_tensors(const OverrideLists& lists) {
  const OverrideLists known{options_.keep_tensors, options_.swap_tensors, options_.ahead_tensors};
  if (already_edited() || lists == known) return {};
  TIDELINE_TRY(candidates_.overrides, Overrides::find(graph_, *tensors_, lists));
  options_.keep_tensors = lists.keep;
  options_.swap_tensors = lists.swap;
  options_.ahead_tensors = lists.ahead;
  return {};
}

LmsPlan Prepared::empty_plan(PlanUse use) const {
  LmsPlan plan;
  if (use == PlanUse::kReport) {
    plan = head_;
    if (!already_edited()) log_parameters(options_, plan.log);
  } else {
    plan.edit = head_.edit;
  }
  return plan;
}

Result<LmsPlan> Prepared::plan(Progress& progress, PlanUse use) const {
  if (already_edited()) return empty_plan(use);
  std::vector<SwapChoice> choices = choose_swaps(*context_, candidates_);
  std::vector<KeptTensor> kept;
  const std::size_t all = choices.size();
  while (true) {
    TIDELINE_TRY(std::optional<LmsPlan> plan, plan_of(choices, kept, progress, use));
    if (!plan) continue;  // with fewer swaps: one that is left out opens paths for others
    if (use == PlanUse::kReport) finish(choices, std::move(kept), all, *plan);
    return std::move(*plan);
  }
}

Result<std::optional<LmsPlan>> Prepared::plan_of(std::vector<SwapChoice>& choices,
                                                 std::vector<KeptTensor>& kept, Progress& progress,
                                                 PlanUse use) const {
  LmsPlan plan = empty_plan(use);
  Draft draft = *unedited_;
  const Guard guard(context_->graph, context_->conditions);
  Inserter inserter(*context_, guard, draft, plan, use);
  for (const SwapChoice& choice : choices) inserter.insert(choice);
  if (!plan.swaps.empty()) {
    if (!options_.syncs_swap_ins()) TIDELINE_RETURN_IF_ERROR(inserter.trigger_all(progress));
    if (leave_out(*context_, inserter.never_woken(), choices, kept)) return std::nullopt;
    inserter.synchronise();
  }
  if (use == PlanUse::kReport) inserter.find_risks();
  return plan;
}

void Prepared::finish(const std::vector<SwapChoice>& choices, std::vector<KeptTensor> kept,
                      std::size_t all, LmsPlan& plan) const {
  if (all == 0) note_loops(*context_, plan.warnings);
  std::sort(kept.begin(), kept.end(),
            [](const KeptTensor& a, const KeptTensor& b) { return a.tensor < b.tensor; });
  note_never_woken(context_->graph, std::move(kept), plan);
  note_undone_fusions(context_->graph, options_.keep_fusion, plan);
  note_copy_mode(options_.copy_mode, plan);
  note_lists(plan);
  note_aheads(*context_, candidates_, plan);
  if (options_.explain) explain_kept(*context_, candidates_, choices, plan);
  log_result(plan, plan.log);
}

}  // namespace tideline::lms2
