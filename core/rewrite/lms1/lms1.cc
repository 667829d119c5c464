// Problem: tensors that the forward pass produces and the backward pass reads fill the device
// memory in between.
// Idea: as in version 2, cut such an edge and route it through host memory. Here the phases are
// told apart by the scope of the optimizer, and every such tensor is swapped unless a filter
// excludes it, with one swap-in for each reader.
//   x -> f1 -> f2 -> g2 -> g1, f1 -> g1 (backward: g*)
//   becomes f1 -> lms/swapout -> lms/swapin -> g1, and lms/swapin waits for g2.
// Order of the work: backward and starting ops, the ops reachable from these, filters, the order of
// the step, then the swaps, one source after the other.
// Limits: tensors of every size are swapped; distances are numbers of ops, not time.
// Source: IBM TensorFlow Large Model Support v1, lms.py and topos.py (rules only; see design notes
// in assets/docs/design_notes.md). Tested by unit/rewrite/lms1_test.cc, golden/lms1_oracle_test.cc.
#include "core/rewrite/lms1/lms1.h"

#include <algorithm>

#include "core/analysis/edges.h"
#include "core/graph/op_types.h"
#include "core/rewrite/lms/draft.h"
#include "core/rewrite/lms/fusions.h"
#include "core/rewrite/lms/guard.h"
#include "core/rewrite/lms/placed_copy.h"
#include "core/rewrite/lms/unused_aheads.h"
#include "core/rewrite/lms1/inserter.h"
#include "core/rewrite/lms1/starting_ops.h"

namespace tideline {
namespace lms1 {
namespace {

// Appends the lines about the graph and the starting ops to `log`, in the reference's words.
void log_graph(const Context& context, const std::vector<OpId>& starting,
               std::vector<std::string>& log) {
  const Graph& graph = context.graph;
  const Lms1Options& options = context.options;
  log.push_back(fmt::format("The graph has {} vertices and {} edges.", graph.op_count(),
                            count_edges(graph).data));
  log.push_back(fmt::format(
      "{} ops are backward ops, {} ops are reachable from {} starting ops.",
      std::count(context.backward.begin(), context.backward.end(), true),
      std::count(context.order.is_reachable.begin(), context.order.is_reachable.end(), true),
      starting.size()));
  log.push_back(fmt::format("The step has {} orders; the backward phase begins at order {}.",
                            context.order.orders.count(), context.order.backward_start));
  log.emplace_back("LMS will use the following parameter set:");
  log.push_back(options.n_tensors < 0 ? "  n_tensors: all tensors"
                                      : fmt::format("  n_tensors: {}", options.n_tensors));
  log.push_back(fmt::format("  lb: {}, ub: {}", options.lb, options.ub));
  log.push_back(fmt::format("  ctrld_strategy: {}", name_of(options.ctrld_strategy)));
  log.push_back(fmt::format("  fuse_swapins: {}", options.fuse_swapins));
  log.push_back(options.swap_branches ? fmt::format("  swap_branches: true, branch_threshold: {}",
                                                    options.branch_threshold)
                                      : "  swap_branches: false");
}

// The reference looks at what the starting ops reach. Without any, which is what it finds in a
// graph whose tensors it has all swapped, the whole graph counts.
bool is_already_edited(const Graph& graph, const Order& order, bool has_start) {
  for (const OpId op : graph.ops()) {
    if ((order.is_reachable[op.index()] || !has_start) &&
        (graph.name(op).find("lms/swap") != std::string_view::npos ||
         copies_to_host(graph.type(op)))) {
      return true;
    }
  }
  return false;
}

// Why a tensor that is listed to be swapped is not.
std::string why_not_forced(const Context& context, TensorId tensor) {
  return "listed in swap-tensors, but " +
         (context.is_reachable(tensor.op) ? why_no_reader(context, tensor)
                                          : "its producer is not reachable from the starting ops");
}

// The first rule by which `tensor` stays.
std::string why_kept(const Context& context, const Inserter& inserter, TensorId tensor) {
  const Override override = context.overrides.of(tensor);
  if (override == Override::kKeep && context.overrides.was_found(tensor)) {
    return std::string(kNothingWakes);
  }
  if (override == Override::kKeep) return "listed in keep-tensors";
  if (override == Override::kSwap) return why_not_forced(context, tensor);
  if (!context.is_source(tensor.op)) {
    return "producer: " +
           explain(context.graph, context.options, context.verdicts[tensor.op.index()], tensor.op);
  }
  std::string reason = why_no_reader(context, tensor);
  if (!reason.empty() && !context.is_backward(tensor.op)) return reason;
  if (!inserter.was_handled(tensor.op) && context.is_backward(tensor.op)) {
    return "producer: a backward op";
  }
  if (!reason.empty()) return reason;
  return fmt::format("{} tensors are swapped already", context.options.n_tensors);
}

// The tensors that stay.
void explain_kept(const Context& context, const Inserter& inserter, LmsPlan& plan) {
  plan.not_swapped.clear();  // those that nothing wakes come again
  std::vector<TensorId> swapped;
  for (const PlannedSwap& swap : plan.swaps) swapped.push_back(swap.tensor);
  std::sort(swapped.begin(), swapped.end());
  auto next = swapped.begin();
  for (const OpId op : context.graph.ops()) {
    for (std::uint32_t slot = 0; slot < context.tensors.output_count(op); ++slot) {
      const TensorId tensor{op, slot};
      if (next != swapped.end() && *next == tensor) {
        ++next;
        continue;
      }
      plan.not_swapped.push_back(
          {tensor, context.tensors.bytes(tensor), why_kept(context, inserter, tensor)});
    }
  }
}

// Keeps the swapped tensors that nothing wakes, but for those that the user wants swapped. Returns
// whether there are any.
bool keep_never_woken(const Context& context, const LmsPlan& plan, Overrides& overrides,
                      std::vector<KeptTensor>& kept) {
  bool any = false;
  for (const PlannedSwap& swap : plan.swaps) {
    const bool is_woken = std::all_of(swap.swap_ins.begin(), swap.swap_ins.end(),
                                      [](const PlannedSwapIn& in) { return in.trigger.valid(); });
    if (is_woken || overrides.of(swap.tensor) == Override::kSwap) continue;
    overrides.keep(swap.tensor);
    kept.push_back({swap.tensor, context.tensors.bytes(swap.tensor), std::string(kNothingWakes)});
    any = true;
  }
  return any;
}

Status swap(const Context& context, const std::vector<OpId>& starting, Progress& progress,
            Overrides& overrides, LmsPlan& plan) {
  const LmsPlan before = plan;
  const Guard guard(context.graph, context.conditions);
  std::vector<KeptTensor> kept;
  while (context.options.keep_fusion) {  // with fewer swaps, until all are woken
    Draft tried(context.graph, context.consumers);
    TriggerSearch search(context, tried, context.options.guard_conditionals ? &guard : nullptr);
    LmsPlan trial = before;
    TIDELINE_RETURN_IF_ERROR(Inserter(context, tried, search, trial).run(starting, progress));
    if (!keep_never_woken(context, trial, overrides, kept)) break;
  }
  Draft draft(context.graph, context.consumers);
  TriggerSearch triggers(context, draft, context.options.guard_conditionals ? &guard : nullptr);
  Inserter inserter(context, draft, triggers, plan);
  TIDELINE_RETURN_IF_ERROR(inserter.run(starting, progress));
  for (const ControlEdge& edge : plan.edit.control) {
    if (!guard.keeps_alive(draft, edge.op, edge.after)) plan.risky.push_back(edge);
  }
  note_unused_aheads(context.graph, context.overrides, plan,
                     [&](TensorId tensor) { return why_kept(context, inserter, tensor); });
  note_never_woken(context.graph, std::move(kept), plan);
  note_undone_fusions(context.graph, context.options.keep_fusion, plan);
  note_copy_mode(context.options.copy_mode, plan);
  if (context.options.explain) explain_kept(context, inserter, plan);
  return {};
}

}  // namespace
}  // namespace lms1

Result<LmsPlan> plan_lms1(const Graph& graph, const Collections& /*collections*/,
                          const Lms1Options& options, Progress& progress) {
  TIDELINE_RETURN_IF_ERROR(validate(options));
  TIDELINE_RETURN_IF_ERROR(check_copy_mode(graph, options.copy_mode, std::nullopt));
  LmsPlan plan;
  plan.version = 1;
  if (options.n_tensors == 0) {
    plan.log.emplace_back("LMS is turned off (n_tensors 0). The model is left as it is.");
    return plan;
  }
  const Consumers consumers(graph);
  TIDELINE_TRY(const std::vector<bool> backward, lms1::backward_ops(graph, options, plan.log));
  TIDELINE_TRY(const std::vector<OpId> starting,
               lms1::starting_ops(graph, consumers, backward, options));
  lms1::Order order = lms1::find_order(graph, consumers, backward, starting);
  if (lms1::is_already_edited(graph, order, !starting.empty())) {
    plan.already_edited = true;
    plan.log.emplace_back(
        "This model has been edited with LMS swap operations already. It is left as it is.");
    return plan;
  }
  TIDELINE_TRY(const std::vector<lms1::Verdict> verdicts,
               lms1::filter_sources(graph, order.is_reachable, options));
  TIDELINE_TRY(const TensorTable tensors,
               TensorTable::build(graph, {.batch_size = options.batch_size,
                                          .shapes = options.shapes,
                                          .functions = options.functions,
                                          .measured = options.measured,
                                          .known = options.known}));
  TIDELINE_TRY(Overrides overrides, Overrides::find(graph, tensors,
                                                    {options.keep_tensors, options.swap_tensors,
                                                     options.ahead_tensors}));
  const Conditions conditions(graph);
  const LoopTypes loops(graph);
  const LoopFrames frames(graph);
  const lms1::Context context{graph,    consumers, tensors,  conditions, loops,  frames,
                              backward, order,     verdicts, overrides,  options};
  lms1::log_graph(context, starting, plan.log);
  TIDELINE_RETURN_IF_ERROR(lms1::swap(context, starting, progress, overrides, plan));
  plan.log.push_back(added_operations(plan));
  if (starting.empty()) {
    plan.warnings.push_back(
        {"no effect",
         "no forward op that the backward phase reads leads to another one; give the beginning of "
         "the model with {starting-scope} or {starting-op-names}"});
  }
  plan.order = StepOrder{starting, {}, order.orders.count(), order.backward_start};
  for (const OpId op : graph.ops()) plan.order->order_of.push_back(order.of(op));
  return plan;
}

}  // namespace tideline
