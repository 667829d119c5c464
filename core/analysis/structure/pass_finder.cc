// Problem: a swap-out leads nowhere but into the backward pass, so the rules of phases.cc take it,
// right behind its forward op, for a part of that pass; what reads a copy may get another phase
// because the copy has another reader; what waits for one, too.
// Idea: these rules walk in all directions, so no walk is taught to step over copies. They run on
// the graph without them, and the results go back to the ops that they are about.
//   relu -> swap-out -> swap-in -> relu_grad; swap-in waits for conv2
//   without: relu -> relu_grad
// Limits: control edges that LMS v2 added between other ops (sync modes 1 to 3) stay.
// Source: own. Tested by property/copies_property.cc and
// unit/analysis/structure/pass_finder_test.cc.
#include "core/analysis/structure/pass_finder.h"

#include <utility>

#include "core/base/check.h"
#include "core/graph/graph_edit.h"

namespace tideline {
namespace {

void reroute_readers(const Graph& graph, const Consumers& consumers, const SwapCopies& copies,
                     GraphPlan& plan) {
  for (const FileSwap& swap : copies.swaps) {
    plan.removed.push_back(swap.swap_out);
    for (const FileSwapIn& swap_in : swap.swap_ins) {
      plan.removed.push_back(swap_in.copy);
      for (const Use& use : consumers.data(swap_in.copy)) {
        if (copies.contains(use.consumer)) continue;
        plan.rerouted.push_back(
            {use.consumer, use.slot, graph.inputs(use.consumer)[use.slot], swap.tensor});
      }
    }
  }
}

void cut_waiting(const Consumers& consumers, const SwapCopies& copies, GraphPlan& plan) {
  for (const OpId copy : std::vector<OpId>(plan.removed)) {
    OpId last;
    for (const OpId waiter : consumers.control(copy)) {
      // One that lists the copy twice is there twice in a row.
      if (waiter == last || copies.contains(waiter)) continue;
      last = waiter;
      plan.removed_control.push_back({waiter, copy});
    }
  }
}

// Cannot fail: a copy's readers read what the copy reads, under a name that is in use, and no path
// between other ops is new.
Graph graph_without(const Graph& graph, const Consumers& consumers, const SwapCopies& copies) {
  GraphPlan plan;
  reroute_readers(graph, consumers, copies, plan);
  cut_waiting(consumers, copies, plan);
  auto without = GraphEdit(graph, plan).commit();
  TIDELINE_CHECK(without);
  return *std::move(without);
}

}  // namespace

// An edit keeps the numbers of types, so the facts hold for the other graph, too.
PassFinder::PassFinder(const Graph& graph, const Consumers& consumers, const OpFactsTable& facts,
                       const StackLinks& stacks, const SwapCopies& copies,
                       const CalledHandles& calls) {
  if (copies.empty()) {
    flow_ = find_gradient_flow(graph, facts, stacks);
    phases_ = find_phases(graph, consumers, facts, stacks, flow_, calls);
    return;
  }
  const Graph without = graph_without(graph, consumers, copies);
  const StackLinks stacks_without(without, facts);
  const GradientFlow flow = find_gradient_flow(without, facts, stacks_without);
  const Phases phases =
      find_phases(without, Consumers(without), facts, stacks_without, flow, calls);
  std::vector<OpId> originals;  // by op of `without`
  for (const OpId op : graph.ops()) {
    if (!copies.contains(op)) originals.push_back(op);
  }
  const auto original = [&](OpId op) { return op.valid() ? originals[op.index()] : op; };
  const std::size_t count = graph.op_count();
  flow_.of_op.resize(count);
  flow_.mixes_seeds.resize(count);
  flow_.is_inner.resize(count);
  flow_.is_constant.resize(count);
  phases_.of_op.resize(count);
  phases_.after_seed.resize(count);
  for (std::size_t i = 0; i < originals.size(); ++i) {
    const std::size_t op = originals[i].index();
    flow_.of_op[op] = flow.of_op[i];
    flow_.mixes_seeds[op] = flow.mixes_seeds[i];
    flow_.is_inner[op] = flow.is_inner[i];
    flow_.is_constant[op] = flow.is_constant[i];
    phases_.of_op[op] = phases.of_op[i];
    phases_.after_seed[op] = phases.after_seed[i];
  }
  for (const OpId seed : flow.seeds) flow_.seeds.push_back(original(seed));
  flow_.unsettled = original(flow.unsettled);
  phases_.count = phases.count;
  phases_.count[static_cast<std::size_t>(Phase::kOther)] +=
      static_cast<std::int64_t>(count - originals.size());
  for (const OpId op : phases.updates) phases_.updates.push_back(original(op));
}

}  // namespace tideline
