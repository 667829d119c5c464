// Problem: which ops belong to the forward pass, the backward pass and the update? Names would tell
// in graphs written by a single library; here only edges and op types are used.
// Idea: the backward pass is what depends on a seed (gradient_flow.h). The forward pass is what
// leads to an end that does not depend on one: the loss, metrics, moving averages. Other ops that
// lead into the backward pass exist only for it (shapes, pushes onto stacks, loop counters). The
// update begins where gradients are no longer processed by gradient ops: after anything that is not
// linear in the seed (norms, moments), after sums over different seeds (towers), after a product
// with a factor that no forward op computed (a learning rate), after plain copies.
//   w x y            forward: MatMul(x, w) -> Sub(., y) -> Square -> Mean
//   s = Fill(1)      backward: s, Mul(s, .), MatMul(x, .) and the Shape ops that these read
//   lr, Apply(w,.)   update
// Cost: a few passes over all edges.
// Limits: an op whose outputs nobody reads gets the phase of its neighbours in the file; a multiple
// of a gradient that is itself a gradient (Mul by a variable right before the optimizer) counts as
// update. Source: own; checked against the names under the gradient scopes of the corpus. Tested by
// unit/analysis/structure/phases_test.cc and golden/structure_test.cc.
#include "core/analysis/structure/phases.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/analysis/producers_first.h"
#include "core/analysis/structure/finished_gradients.h"
#include "core/analysis/structure/forward_pass.h"
#include "core/analysis/structure/pass_facts.h"
#include "core/analysis/structure/seed_reach.h"
#include "core/graph/walks.h"

namespace tideline {
namespace {

// Gives every op its phase. `reach`, `forward` and `finished` are found before and stay.
class PhasePlacement {
 public:
  PhasePlacement(const PassFacts& known, const SeedReach& reach, const std::vector<bool>& forward,
                 const std::vector<bool>& finished)
      : known_(known),
        reach_(reach),
        forward_(forward),
        finished_(finished),
        order_(producers_first(known.graph)) {
    phases_.of_op.resize(known.graph.op_count());
    for (const std::string_view type : known.graph.types()) {
      is_unique_.push_back(type == "Unique");
    }
  }

  // Each step places ops that those before it have left over, by the phases that they have given
  // to others: the order of these lines is part of the rules.
  Phases run() {
    place_by_marks();      // the passes themselves
    place_helpers();       // by who reads: the passes stand
    place_by_control();    // by who waits, and by what NoOps wait for: helpers stand
    place_after_update();  // by waiting for the update: the NoOps that end it stand
    place_leftovers();     // by the neighbour in the file: everything that has a reason stands
    for (const OpId op : known_.graph.ops()) {
      ++phases_.count.at(static_cast<std::size_t>(phase(op)));
      if (reach_.is_update[op.index()]) phases_.updates.push_back(op);
    }
    phases_.after_seed = reach_.after_seed;
    return std::move(phases_);
  }

 private:
  [[nodiscard]] Phase phase(OpId op) const { return phases_.of_op[op.index()]; }
  void set(OpId op, Phase phase) { phases_.of_op[op.index()] = phase; }
  [[nodiscard]] bool has_slot(OpId op, const std::optional<std::uint8_t>& argument,
                              std::uint32_t slot) const {
    bool found = false;
    if (argument) {
      known_.facts.for_each_slot(known_.graph, op, {*argument},
                                 [&](std::uint32_t other) { found = found || other == slot; });
    }
    return found;
  }

  void place_by_marks() {
    for (const OpId op : known_.graph.ops()) {
      if (reach_.is_update[op.index()] || finished_[op.index()]) {
        set(op, Phase::kUpdate);
      } else if (reach_.after_seed[op.index()] || known_.flow.is_inner[op.index()]) {
        set(op, Phase::kBackward);
      } else if (forward_[op.index()]) {
        set(op, Phase::kForward);
      }
    }
  }

  // Ops over data edges towards `from`, these included.
  template <typename From>
  [[nodiscard]] std::vector<bool> leading_to(const From& from) const {
    OpWalk leads(known_.graph);
    for (const OpId op : known_.graph.ops()) {
      if (from(op)) leads.add(op);
    }
    while (const auto op = leads.next()) {
      for_each_producer(known_.graph, known_.facts, known_.stacks, *op,
                        [&](OpId producer) { leads.add(producer); });
    }
    return leads.take();
  }

  // What exists only for ops of a later phase: shapes, counters, pushes, learning rates, slots.
  void place_helpers() {
    const auto into_backward = leading_to(
        [&](OpId op) { return reach_.after_seed[op.index()] || known_.flow.is_inner[op.index()]; });
    const auto into_update = leading_to([&](OpId op) { return reach_.is_update[op.index()]; });
    for (auto op = order_.rbegin(); op != order_.rend(); ++op) {
      if (phase(*op) != Phase::kOther || reach_.is_update[op->index()]) continue;
      if (!into_backward[op->index()] && !into_update[op->index()]) continue;
      bool any = false;
      bool only_update = true;
      bool are_rows = false;
      bool only_shapes = true;
      for (const Use use : known_.consumers.data(*op)) {
        only_shapes = only_shapes && known_.reads_only_shape(use.consumer, use.slot);
        if (phase(use.consumer) == Phase::kOther) continue;
        any = true;
        only_update = only_update && phase(use.consumer) == Phase::kUpdate;
        // Row numbers that go with a gradient of rows.
        are_rows = are_rows || is_unique_[known_.graph.type_id(use.consumer)] ||
                   (known_.writes_variable(use.consumer) &&
                    has_slot(use.consumer, known_.of(use.consumer).indices, use.slot));
      }
      if (const std::uint32_t stack = known_.stacks.stack_of(*op);
          stack != StackLinks::kNone && !known_.of(*op).popped) {
        only_shapes = false;
        for (const OpId pop : known_.stacks.pops(stack)) {
          any = true;
          only_update = only_update && phase(pop) == Phase::kUpdate;
          if (!only_update) break;
        }
      }
      are_rows = are_rows && !known_.flow.is_constant[op->index()] &&
                 !is_unique_[known_.graph.type_id(*op)];
      if (known_.kind(*op) == OpKind::kExit && only_shapes && !known_.graph.inputs(*op).empty() &&
          forward_[known_.graph.inputs(*op)[0].op.index()]) {
        set(*op, Phase::kForward);  // leaves a forward loop; only its shape is asked for
      } else if ((any && only_update && !are_rows) || !into_backward[op->index()]) {
        set(*op, are_rows ? Phase::kBackward : Phase::kUpdate);
      } else {
        set(*op, Phase::kBackward);
      }
    }
  }

  [[nodiscard]] static Phase earlier(Phase a, Phase b) {
    if (a == Phase::kOther) return b;
    return b == Phase::kOther ? a : std::min(a, b);
  }

  // Ops that only order others: pivots of branches by what waits for them, NoOps by what they wait
  // for.
  void place_by_control() {
    for (auto op = order_.rbegin(); op != order_.rend(); ++op) {
      if (phase(*op) != Phase::kOther) continue;
      const OpKind is = known_.kind(*op);
      if (!known_.is_loop_op(*op) && is != OpKind::kView && is != OpKind::kConstant) continue;
      Phase found = Phase::kOther;
      for (const Use use : known_.consumers.data(*op)) found = earlier(found, phase(use.consumer));
      if (known_.consumers.data(*op).empty()) {
        for (const OpId waiter : known_.consumers.control(*op))
          found = earlier(found, phase(waiter));
      } else if (is == OpKind::kConstant) {
        continue;
      }
      set(*op, found);
    }
    for (const OpId op : order_) {
      if (known_.kind(op) != OpKind::kControl) continue;
      Phase latest = Phase::kOther;
      for (const TensorId input : known_.graph.inputs(op))
        latest = std::max(latest, phase(input.op));
      for (const OpId input : known_.graph.control_inputs(op))
        latest = std::max(latest, phase(input));
      set(op, latest);
    }
  }

  // What waits for the update and writes: steps, powers of beta.
  void place_after_update() {
    for (const OpId op : order_) {
      const OpKind is = known_.kind(op);
      if (phase(op) != Phase::kOther || is == OpKind::kSave || is == OpKind::kSummary ||
          is == OpKind::kCheck || is == OpKind::kHost) {
        continue;
      }
      const auto waits = known_.graph.control_inputs(op);
      const auto reads = known_.graph.inputs(op);
      const bool waits_for_update = std::any_of(
          waits.begin(), waits.end(), [&](OpId input) { return phase(input) == Phase::kUpdate; });
      const bool writes_update =
          is == OpKind::kAssign && std::any_of(reads.begin(), reads.end(), [&](TensorId input) {
            const bool computed = known_.kind(input.op) == OpKind::kElementwise ||
                                  !known_.graph.control_inputs(input.op).empty();
            return phase(input.op) == Phase::kUpdate && computed;
          });
      if (waits_for_update || writes_update) set(op, Phase::kUpdate);
    }
    for (auto op = order_.rbegin(); op != order_.rend(); ++op) {
      if (phase(*op) != Phase::kOther || known_.kind(*op) != OpKind::kConstant) continue;
      const auto uses = known_.consumers.data(*op);
      const bool only_update = std::all_of(
          uses.begin(), uses.end(), [&](Use use) { return phase(use.consumer) == Phase::kUpdate; });
      if (!uses.empty() && only_update) set(*op, Phase::kUpdate);
    }
  }

  // Ops that nobody reads belong where the op before them in the file does. What goes into initial
  // values, files and summaries stays.
  void place_leftovers() {
    if (known_.flow.seeds.empty()) return;
    const auto has_purpose = leading_to([&](OpId op) {
      const OpKind is = known_.kind(op);
      return phase(op) == Phase::kOther &&
             (is == OpKind::kAssign || is == OpKind::kSave || is == OpKind::kSummary ||
              is == OpKind::kQueue || is == OpKind::kHost || is == OpKind::kCheck);
    });
    Phase before = Phase::kOther;
    for (const OpId op : known_.graph.ops()) {
      const OpKind is = known_.kind(op);
      if (phase(op) != Phase::kOther) {
        before = phase(op);
      } else if (has_purpose[op.index()]) {
        before = Phase::kOther;
      } else if ((before == Phase::kForward || before == Phase::kBackward) &&
                 is != OpKind::kVariable && is != OpKind::kPlaceholder && is != OpKind::kControl) {
        set(op, before);
      }
    }
  }

  const PassFacts& known_;
  const SeedReach& reach_;
  const std::vector<bool>& forward_;
  const std::vector<bool>& finished_;
  std::vector<OpId> order_;
  std::vector<bool> is_unique_;  // by type id
  Phases phases_;
};

}  // namespace

const char* phase_name(Phase phase) {
  switch (phase) {
    case Phase::kForward: return "forward";
    case Phase::kBackward: return "backward";
    case Phase::kUpdate: return "update";
    case Phase::kOther: break;
  }
  return "other";
}

Phases find_phases(const Graph& graph, const Consumers& consumers, const OpFactsTable& facts,
                   const StackLinks& stacks, const GradientFlow& flow, const CalledHandles& calls) {
  const PassFacts known{graph, consumers, facts, stacks, flow, calls};
  const SeedReach reach = find_seed_reach(known);
  const std::vector<bool> forward = find_forward_pass(known, reach);
  const std::vector<bool> finished = find_finished_gradients(known, reach, forward);
  return PhasePlacement(known, reach, forward, finished).run();
}

}  // namespace tideline
