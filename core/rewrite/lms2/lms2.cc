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
#include <unordered_set>

#include "core/analysis/activity.h"
#include "core/analysis/summary.h"
#include "core/analysis/variables.h"
#include "core/graph/graph_edit.h"
#include "core/rewrite/draft.h"
#include "core/rewrite/lms2/candidates.h"
#include "core/rewrite/lms2/guard.h"
#include "core/rewrite/lms2/log.h"
#include "core/rewrite/lms2/serialize.h"
#include "core/rewrite/lms2/swaps.h"
#include "core/rewrite/lms2/sync.h"
#include "core/rewrite/lms2/trigger.h"

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

// Gives out names that no op of the graph and no other copy has: "x", "x_1", "x_2", ...
class UniqueNames {
 public:
  explicit UniqueNames(const Graph& graph) : graph_(graph) {}
  std::string make(const std::string& wanted) {
    std::string name = wanted;
    for (int i = 1; graph_.find(name).valid() || taken_.count(name) > 0; ++i) {
      name = fmt::format("{}_{}", wanted, i);
    }
    taken_.insert(name);
    return name;
  }

 private:
  const Graph& graph_;
  std::unordered_set<std::string> taken_;
};

// Inserts the chosen swaps into plan and draft, then their control edges.
class Inserter {
 public:
  Inserter(const Context& context, const Guard& guard, Draft& draft, LmsPlan& plan)
      : context_(context),
        guard_(guard),
        active_guard_(context.options.guard_conditionals ? &guard : nullptr),
        draft_(draft),
        plan_(plan),
        names_(context.graph) {}

  void insert(const SwapChoice& choice);
  Status trigger_all(Progress& progress);
  void synchronise();
  void find_risks();

 private:
  OpId add_copy(const std::string& kind, TensorId tensor, TensorId input);
  [[nodiscard]] OpId earliest(const ConsumerGroup& group) const;
  [[nodiscard]] std::vector<OpId> active_host_ops() const;

  const Context& context_;
  const Guard& guard_;
  const Guard* active_guard_;  // null: as the reference
  Draft& draft_;
  LmsPlan& plan_;
  UniqueNames names_;
};

OpId Inserter::add_copy(const std::string& kind, TensorId tensor, TensorId input) {
  std::string base = context_.graph.tensor_name(tensor);
  std::replace_if(
      base.begin(), base.end(), [](char c) { return c == '/' || c == ':'; }, '_');
  PlannedCopy copy;
  copy.name = names_.make("lms/" + kind + "_" + base);
  copy.device = context_.options.cpu_device;
  copy.input = input;
  copy.type = base_type(context_.tensors.type(tensor));
  if (context_.tensors.has_recorded_shapes(tensor.op)) {
    copy.shape = context_.tensors.shape(tensor);
  }
  copy.keep_from_grappler = true;
  plan_.added.push_back(std::move(copy));
  return draft_.add_copy(input);
}

void Inserter::insert(const SwapChoice& choice) {
  PlannedSwap swap;
  swap.tensor = choice.tensor;
  swap.bytes = context_.tensors.bytes(choice.tensor);
  swap.why = why_swapped(context_, choice);
  swap.swap_out = add_copy("swapout", choice.tensor, choice.tensor);
  for (const ConsumerGroup& group : choice.groups) {
    PlannedSwapIn swap_in;
    swap_in.copy = add_copy("swapin", choice.tensor, {swap.swap_out, 0});
    swap_in.consumers = group;
    for (const OpId consumer : group) {
      const auto inputs = context_.graph.inputs(consumer);
      for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
        if (inputs[slot] != choice.tensor) continue;
        draft_.reroute(consumer, slot, {swap_in.copy, 0});
        plan_.rerouted.push_back({consumer, slot, choice.tensor, {swap_in.copy, 0}});
      }
    }
    swap.swap_ins.push_back(std::move(swap_in));
  }
  plan_.swaps.push_back(std::move(swap));
}

// Groups are sorted by level, then file order, and all members are active device ops.
OpId Inserter::earliest(const ConsumerGroup& group) const {
  return group.front();
}

Status Inserter::trigger_all(Progress& progress) {
  TriggerSearch search(context_, draft_, active_guard_);
  std::int64_t done = 0;
  for (PlannedSwap& swap : plan_.swaps) {
    constexpr std::int64_t kSwapsBetweenReports = 256;
    if (done++ % kSwapsBetweenReports == 0 &&
        !progress.report("finding triggers", done, plan_.swap_out_count())) {
      return cancelled();
    }
    for (PlannedSwapIn& swap_in : swap.swap_ins) {
      const Trigger found = search.find(swap.tensor.op, earliest(swap_in.consumers), swap_in.copy);
      if (!found.op.valid()) {
        sync_swap_in(context_, active_guard_, draft_, swap_in.copy, plan_.control);
        continue;
      }
      swap_in.trigger = found.op;
      swap_in.trigger_level = found.level;
      if (draft_.add_control(swap_in.copy, found.op)) {
        plan_.control.push_back({swap_in.copy, found.op});
      }
    }
  }
  return {};
}

// Host ops of the graph, then our copies when their device is one.
std::vector<OpId> Inserter::active_host_ops() const {
  std::vector<OpId> ops;
  for (const OpId op : context_.graph.ops()) {
    if (context_.placement.on_cpu(op) && !context_.is_inactive(op)) ops.push_back(op);
  }
  if (Placement::names_cpu(context_.options.cpu_device)) {
    for (std::uint32_t copy = context_.graph.op_count(); copy < draft_.op_count(); ++copy) {
      ops.push_back(OpId{copy});
    }
  }
  return ops;
}

void Inserter::synchronise() {
  const std::vector<OpId> host_ops = active_host_ops();
  if (context_.options.syncs_swap_ins()) {
    for (const OpId op : host_ops) sync_swap_in(context_, active_guard_, draft_, op, plan_.control);
  }
  if (context_.options.syncs_swap_outs()) {
    for (const OpId op : host_ops)
      sync_swap_out(context_, active_guard_, draft_, op, plan_.control);
  }
}

void Inserter::find_risks() {
  for (const ControlEdge& edge : plan_.control) {
    if (!guard_.keeps_alive(draft_, edge.op, edge.after)) plan_.risky.push_back(edge);
  }
}

Status swap(const Context& context, Progress& progress, LmsPlan& plan) {
  TIDELINE_TRY(const Candidates candidates, find_candidates(context));
  log_parameters(context.options, plan.log);
  const std::vector<SwapChoice> choices = choose_swaps(context, candidates);
  Draft draft(context.graph, context.consumers);
  const Guard guard(context);
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

// What the user should know when nothing, or less than he thinks, can be swapped.
void note_ineffective(const Context& context, std::vector<std::string>& notices) {
  const Graph& graph = context.graph;
  std::int64_t on_device = 0;
  std::int64_t with_known_rank = 0;
  for (const OpId op : graph.ops()) {
    if (!context.is_active_device_op(op)) continue;
    ++on_device;
    for (std::uint32_t slot = 0; slot < context.tensors.output_count(op); ++slot) {
      if (context.tensors.shape({op, slot}).has_rank) ++with_known_rank;
    }
  }
  if (graph.op_count() > 0 && on_device == 0) {
    notices.push_back(fmt::format(
        "no op runs on the device '{}'; the devices of the graph are: '{}'",
        context.options.gpu_device.value_or("any but a CPU"), fmt::join(graph.devices(), "', '")));
  } else if (on_device > 0 && with_known_rank == 0) {
    notices.emplace_back(
        "the file records no shapes: no tensor has a known rank, so none is swapped");
  }
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
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(graph, options.batch_size));
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
  TIDELINE_TRY(plan.control, lms2::serialize_levels(context, variables.all, plan.log));
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
